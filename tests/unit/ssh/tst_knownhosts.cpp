// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/knownhosts.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

namespace {

const HostKey ed{"ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIAAA"};
const HostKey otherEd{"ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIBBB"};
const HostKey rsa{"ssh-rsa", "AAAAB3NzaC1yc2EAAAADAQABAAAA"};

QByteArray line(const QByteArray& hosts, const HostKey& key)
{
    return hosts + ' ' + key.type + ' ' + key.base64 + " a comment\n";
}

} // namespace

class TestKnownHosts : public QObject {
    Q_OBJECT

private slots:
    void judge_readsWhatOpenSshWrites_data();
    void judge_readsWhatOpenSshWrites();
    void judge_namesTheLineThatDecided();
    void types_areThoseOnRecord();
    void append_startsALineOfItsOwn();
    void append_makesAPrivateFile();
    void hashedNames_matchAsSshKeygenWroteThem();
};

void TestKnownHosts::judge_readsWhatOpenSshWrites_data()
{
    using Verdict = KnownHosts::Verdict;
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("port");
    QTest::addColumn<int>("verdict");
    const auto row = [](const char* name, const QByteArray& file, int port, Verdict verdict) {
        QTest::newRow(name) << file << port << int(verdict);
    };
    row("no line", "", 22, Verdict::Unknown);
    row("its line", line("login.example", ed), 22, Verdict::Known);
    row("capital letters", line("Login.Example", ed), 22, Verdict::Known);
    row("a list of names", line("a,login.example,b", ed), 22, Verdict::Known);
    row("a pattern", line("*.example", ed), 22, Verdict::Known);
    row("a pattern that is taken back", line("*.example,!login.example", ed), 22, Verdict::Unknown);
    row("another port", line("login.example", ed), 2222, Verdict::Unknown);
    row("its port", line("[login.example]:2222", ed), 2222, Verdict::Known);
    row("another key", line("login.example", otherEd), 22, Verdict::Changed);
    row("another key and the right one", line("login.example", otherEd) + line("login.example", ed),
        22, Verdict::Known);
    row("another type", line("login.example", rsa), 22, Verdict::OtherType);
    row("another type and another key", line("login.example", rsa) + line("login.example", otherEd),
        22, Verdict::Changed);
    row("revoked", line("@revoked login.example", ed), 22, Verdict::Revoked);
    row("revoked for all, known before", line("login.example", ed) + line("@revoked *", ed), 22,
        Verdict::Revoked);
    row("another key is revoked", line("@revoked *", otherEd) + line("login.example", ed), 22,
        Verdict::Known);
    row("only another key is revoked", line("@revoked *", otherEd), 22, Verdict::Unknown);
    row("an authority is no key of the host", line("@cert-authority *", ed), 22, Verdict::Unknown);
    row("a comment", '#' + line("login.example", ed), 22, Verdict::Unknown);
    row("a line of 20 kB before it", QByteArray(20'000, 'x') + '\n' + line("login.example", ed), 22,
        Verdict::Known);
    row("no newline at the end", line("login.example", ed).chopped(1), 22, Verdict::Known);
    row("windows line ends", "login.example ssh-ed25519 " + ed.base64 + "\r\n", 22, Verdict::Known);
}

void TestKnownHosts::judge_readsWhatOpenSshWrites()
{
    QFETCH(QByteArray, file);
    QFETCH(int, port);
    QFETCH(int, verdict);
    QTemporaryDir dir;
    QFile known(dir.filePath(QStringLiteral("kh")));
    QVERIFY(known.open(QIODevice::WriteOnly));
    known.write(file);
    known.close();
    const KnownHosts hosts({known.fileName(), dir.filePath(QStringLiteral("missing"))},
        QStringLiteral("login.example"), port);
    QCOMPARE(int(hosts.judge(ed).verdict), verdict);
}

void TestKnownHosts::judge_namesTheLineThatDecided()
{
    QTemporaryDir dir;
    QFile known(dir.filePath(QStringLiteral("kh")));
    QVERIFY(known.open(QIODevice::WriteOnly));
    known.write("# one\n\n" + line("login.example", otherEd));
    known.close();
    const auto judged =
        KnownHosts({known.fileName()}, QStringLiteral("login.example"), 22).judge(ed);
    QCOMPARE(judged.file, known.fileName());
    QCOMPARE(judged.line, 3);
}

void TestKnownHosts::types_areThoseOnRecord()
{
    QTemporaryDir dir;
    QFile known(dir.filePath(QStringLiteral("kh")));
    QVERIFY(known.open(QIODevice::WriteOnly));
    known.write(line("h", rsa) + line("h", ed) + line("h", otherEd) + line("other", rsa));
    known.close();
    QCOMPARE(KnownHosts({known.fileName()}, QStringLiteral("h"), 22).types(),
        (QList<QByteArray>{"ssh-rsa", "ssh-ed25519"}));
}

void TestKnownHosts::append_startsALineOfItsOwn()
{
    QTemporaryDir dir;
    QFile known(dir.filePath(QStringLiteral("kh")));
    QVERIFY(known.open(QIODevice::WriteOnly));
    known.write("a ssh-rsa AAAA"); // no newline
    known.close();
    QVERIFY(KnownHosts::append(known.fileName(), QStringLiteral("Login.Example"), 2222, ed).ok());
    QVERIFY(known.open(QIODevice::ReadOnly));
    QCOMPARE(known.readAll(),
        QByteArray("a ssh-rsa AAAA\n[login.example]:2222 ssh-ed25519 " + ed.base64 + '\n'));
    QCOMPARE(
        KnownHosts({known.fileName()}, QStringLiteral("login.example"), 2222).judge(ed).verdict,
        KnownHosts::Verdict::Known);
}

void TestKnownHosts::append_makesAPrivateFile()
{
    QTemporaryDir dir;
    const auto path = dir.filePath(QStringLiteral(".ssh/known_hosts"));
    QVERIFY(KnownHosts::append(path, QStringLiteral("h"), 22, ed).ok());
    QCOMPARE(
        QFile::permissions(path) & 0x0fff & ~(QFile::ReadUser | QFile::WriteUser | QFile::ExeUser),
        QFile::Permissions());
    const auto failed = KnownHosts::append(
        QStringLiteral("/proc/nothing/known_hosts"), QStringLiteral("h"), 22, ed);
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().kind, ErrorKind::Io);
}

void TestKnownHosts::hashedNames_matchAsSshKeygenWroteThem()
{
    // ssh-keygen -H on "login.example"
    QVERIFY(!knownHostMatches(
        "|1|c2FsdHNhbHRzYWx0c2FsdHM=|AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "login.example"));
    QTemporaryDir dir;
    QFile known(dir.filePath(QStringLiteral("kh")));
    QVERIFY(known.open(QIODevice::WriteOnly));
    known.write("login.example ssh-ed25519 "
                "AAAAC3NzaC1lZDI1NTE5AAAAIJ2m5Ff0rDg5lGvJqVnWQ3l0hF5mGm5xw0b1mS0nKq3D\n");
    known.close();
    QCOMPARE(
        QProcess::execute(QStringLiteral("ssh-keygen"),
            {QStringLiteral("-q"), QStringLiteral("-H"), QStringLiteral("-f"), known.fileName()}),
        0);
    QVERIFY(known.open(QIODevice::ReadOnly));
    const auto field = known.readAll().split(' ').first();
    QVERIFY(field.startsWith("|1|"));
    QVERIFY(knownHostMatches(field, "login.example"));
    QVERIFY(!knownHostMatches(field, "other.example"));
}

SLIPWAY_TEST(TestKnownHosts, ssh_knownhosts)
#include "tst_knownhosts.moc"
