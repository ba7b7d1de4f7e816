// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/hostcertificate.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

namespace {

const HostKey hostKey{
    "ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIIjmsVyqheiIC/vohMIQFm0mKYhaTukJjTg3FVZEzUX0"};
const HostKey authority{
    "ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIEsj8mNbz26wGLM8agSe95poGqSrcpFHl8K5icddN7hW"};

bool isCertified(const QByteArray& printed)
{
    const auto certificate = readCertificate(printed);
    const QDateTime now(QDate(2026, 6, 1), QTime(12, 0));
    return certificate
        && certifies(
            *certificate, hostKey, QStringLiteral("login.example"), std::vector{authority}, now)
               .ok();
}

/// What ssh-keygen prints of a certificate for the key of the host. The one who signs it chooses
/// the other texts, and may be a stranger.
QByteArray printedCertificate(
    const QString& signedBy, const QByteArray& keyId, const QByteArray& principal)
{
    return "(stdin):1:\n        Type: ssh-ed25519-cert-v01@openssh.com host certificate\n"
           "        Public key: ED25519-CERT "
        + hostKey.sha256().toLatin1() + "\n        Signing CA: ED25519 " + signedBy.toLatin1()
        + " (using ssh-ed25519)\n        Key ID: \"" + keyId
        + "\"\n        Serial: 0\n        Valid: forever\n        Principals: \n"
        + "                " + principal
        + "\n        Critical Options: (none)\n        Extensions: (none)\n";
}

} // namespace

SLIPWAY_FUZZ_TARGET(certificate)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString stranger = QStringLiteral("SHA256:PadT3OTX8t3Mwj2B0tBpjkL3+5kKZZkseo0RNCfbWjw");
    if (isCertified(printedCertificate(stranger, input, "login.example"))
        || isCertified(printedCertificate(stranger, "login", input))
        || isCertified(printedCertificate(authority.sha256(), input, "other.example")))
        std::abort();
    const auto certificate = readCertificate(input);
    if (!certificate)
        return 0;
    const QString text = QString::fromUtf8(input);
    if (certificate->key.size() != 50 || certificate->authority.size() != 50
        || !text.contains(certificate->key) || !text.contains(certificate->authority))
        std::abort();
    // What is not limited says so.
    if (certificate->principals.isEmpty() && !input.contains("(none)"))
        std::abort();
    if (!certificate->from.isValid() && !input.contains("forever") && !input.contains("before "))
        std::abort();
    if (!certificate->until.isValid() && !input.contains("forever") && !input.contains("after "))
        std::abort();
    return 0;
}
