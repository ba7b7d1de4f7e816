// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/hostcertificate.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// What ssh-keygen prints of a host certificate, and what counts of it: all but its signature is
/// what its signer chose, and anybody can be one.
class TestHostCertificate : public QObject {
    Q_OBJECT

private slots:
    void printed_isRead();
    void certificate_isAccepted_data();
    void certificate_isAccepted();
};

namespace {

const HostKey hostKey{
    "ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIIjmsVyqheiIC/vohMIQFm0mKYhaTukJjTg3FVZEzUX0"};
const HostKey authority{
    "ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIEsj8mNbz26wGLM8agSe95poGqSrcpFHl8K5icddN7hW"};
constexpr char stranger[] = "SHA256:PadT3OTX8t3Mwj2B0tBpjkL3+5kKZZkseo0RNCfbWjw";

/// The texts that differ between certificates.
struct Printed {
    QByteArray signedBy = authority.sha256().toLatin1();
    QByteArray keyId = "login";
    QByteArray valid = "from 2026-01-01T00:00:00 to 2027-01-01T00:00:00";
    QByteArray principals = "\n                gate\n                login.example";
    QByteArray options = "(none)";

    QByteArray text() const
    {
        return "(stdin):1:\n        Type: ssh-ed25519-cert-v01@openssh.com host certificate\n"
               "        Public key: ED25519-CERT "
            + hostKey.sha256().toLatin1() + "\n        Signing CA: ED25519 " + signedBy
            + " (using ssh-ed25519)\n        Key ID: \"" + keyId
            + "\"\n        Serial: 0\n        Valid: " + valid
            + "\n        Principals: " + principals + "\n        Critical Options: " + options
            + "\n        Extensions: (none)\n";
    }
};

} // namespace

void TestHostCertificate::printed_isRead()
{
    const auto certificate = readCertificate(Printed().text());
    QVERIFY(certificate);
    QVERIFY(certificate->isForHosts);
    QCOMPARE(certificate->key, hostKey.sha256());
    QCOMPARE(certificate->authority, authority.sha256());
    QCOMPARE(certificate->principals.join(u' '), QStringLiteral("gate login.example"));
    QCOMPARE(certificate->from, QDateTime(QDate(2026, 1, 1), QTime(0, 0)));
    QCOMPARE(certificate->until, QDateTime(QDate(2027, 1, 1), QTime(0, 0)));
    QVERIFY(!certificate->hasCriticalOptions);
}

void TestHostCertificate::certificate_isAccepted_data()
{
    QTest::addColumn<QByteArray>("printed");
    QTest::addColumn<bool>("accepted");
    const auto row = [](const char* name, const Printed& printed, bool accepted) {
        QTest::newRow(name) << printed.text() << accepted;
    };
    const QByteArray forgedAuthority = "x\"\n        Signing CA: ED25519 "
        + authority.sha256().toLatin1() + " (using ssh-ed25519)\n        Key ID: \"y";
    const QByteArray forgedPrincipals =
        "x\"\n        Principals: \n                login.example\n        Serial: 1\n        : \"";
    const QByteArray other = "\n                other.example";
    row("for this host", {}, true);
    row("for any host", {.principals = "(none)"}, true);
    row("forever", {.valid = "forever"}, true);
    row("since then", {.valid = "after 2026-01-01T00:00:00"}, true);
    row("until then", {.valid = "before 2027-01-01T00:00:00"}, true);
    row("of a stranger", {.signedBy = stranger}, false);
    row("a key ID with the authority", {.signedBy = stranger, .keyId = forgedAuthority}, false);
    row("for another host", {.principals = other}, false);
    row("a key ID with the host", {.keyId = forgedPrincipals, .principals = other}, false);
    row("a host without a name", {.principals = "\n                "}, false);
    row("a limit that cannot be read", {.valid = "from 12026-01-01T00:00:00"}, false);
    row("no such day", {.valid = "before 2027-02-30T00:00:00"}, false);
    row("expired", {.valid = "before 2026-02-01T00:00:00"}, false);
    row("an option", {.options = "\n                x UNKNOWN OPTION: 00 (len 1)"}, false);
    QTest::newRow("cut off before the hosts")
        << Printed().text().left(Printed().text().indexOf("Principals")) << false;
}

void TestHostCertificate::certificate_isAccepted()
{
    QFETCH(QByteArray, printed);
    QFETCH(bool, accepted);
    const auto certificate = readCertificate(printed);
    const bool isCertified = certificate
        && certifies(*certificate, hostKey, QStringLiteral("login.example"), std::vector{authority},
            QDateTime(QDate(2026, 6, 1), QTime(12, 0)))
               .ok();
    QCOMPARE(isCertified, accepted);
}

SLIPWAY_TEST(TestHostCertificate, ssh_hostcertificate)
#include "tst_hostcertificate.moc"
