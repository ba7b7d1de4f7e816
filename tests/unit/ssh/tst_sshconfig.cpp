// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconfig.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

class TestSshConfig : public QObject {
    Q_OBJECT

private slots:
    void parse_takesWhatSshPrints();
    void newKeys_goIntoTheUsersOwnFile_data();
    void newKeys_goIntoTheUsersOwnFile();
    void resolve_readsTheUsersConfig();
    void resolve_letsTheTargetWin();
    void resolve_ignoresTheConfigWhenTold();
    void resolve_refusesAnOptionForAHost();
    void slowMatchExec_isATimeoutAndLeavesNothingRunning();
    void optionWithoutEffect_isSaid_data();
    void optionWithoutEffect_isSaid();
    void defaults_areNotSaid_data();
    void defaults_areNotSaid();
    void whatOthersSet_isNotSaid_data();
    void whatOthersSet_isNotSaid();
    void longValuesAndSecrets_areNotSaid();
};

namespace {

/// What is said of a configuration with these lines, with the ssh of this computer.
Result<ResolvedTarget> targetWith(const QByteArray& lines)
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    if (!config.open(QIODevice::WriteOnly))
        return Error{ErrorKind::Io, config.errorString()};
    config.write("Host *\n" + lines + '\n');
    config.close();
    return awaited(resolveTarget({QStringLiteral("h")}, config.fileName()));
}

} // namespace

void TestSshConfig::parse_takesWhatSshPrints()
{
    const auto target = parseSshConfig(
        "host login\nuser alice\nhostname login1.example\nport 2222\nidentitiesonly yes\n"
        "identityfile ~/.ssh/a b\nidentityfile /keys/c\nidentityagent none\n"
        "globalknownhostsfile /etc/ssh/ssh_known_hosts\nuserknownhostsfile ~/.ssh/kh1 ~/.ssh/kh2\n"
        "proxyjump bob@gate:22,inner\nproxycommand none\nhostkeyalias "
        "cluster\nstricthostkeychecking ask\n",
        QStringLiteral("/home/a"));
    QCOMPARE(target.host, QStringLiteral("login1.example"));
    QCOMPARE(target.port, 2222);
    QCOMPARE(target.user, QStringLiteral("alice"));
    QCOMPARE(target.identities,
        (QStringList{QStringLiteral("/home/a/.ssh/a b"), QStringLiteral("/keys/c")}));
    QVERIFY(target.identitiesOnly);
    QCOMPARE(target.agentSocket, QStringLiteral("none"));
    QCOMPARE(target.knownHostsFiles().first(), QStringLiteral("/home/a/.ssh/kh1"));
    QCOMPARE(target.knownHostsFiles().size(), 3);
    QCOMPARE(target.hops, (QStringList{QStringLiteral("bob@gate:22"), QStringLiteral("inner")}));
    QVERIFY(target.proxyCommand.isEmpty());
    QCOMPARE(target.recordedAs, QStringLiteral("cluster"));
}

void TestSshConfig::newKeys_goIntoTheUsersOwnFile_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("file");
    QTest::newRow("global file outside /etc") << QByteArray(
        "globalknownhostsfile /opt/site/known_hosts\nuserknownhostsfile ~/.ssh/known_hosts\n")
                                              << QStringLiteral("/home/a/.ssh/known_hosts");
    QTest::newRow("own file in /etc")
        << QByteArray("globalknownhostsfile /opt/kh\nuserknownhostsfile /etc/mine\n")
        << QStringLiteral("/etc/mine");
    QTest::newRow("no own file") << QByteArray(
        "globalknownhostsfile /opt/site/known_hosts\nuserknownhostsfile none\n")
                                 << QString();
}

void TestSshConfig::newKeys_goIntoTheUsersOwnFile()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, file);
    const auto target = parseSshConfig("host h\nhostname h\n" + text, QStringLiteral("/home/a"));
    QCOMPARE(target.userKnownHosts.value(0), file);
    QVERIFY(!target.globalKnownHosts.isEmpty());
}

void TestSshConfig::resolve_readsTheUsersConfig()
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Host kestrel\n  HostName login.kestrel.example\n  User alice\n  Port 2022\n  "
                 "IdentityFile /keys/%r@%h\n");
    config.close();
    const auto target = awaited(resolveTarget({QStringLiteral("kestrel")}, config.fileName()));
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().text()));
    QCOMPARE(target->host, QStringLiteral("login.kestrel.example"));
    QCOMPARE(target->port, 2022);
    QCOMPARE(target->displayName(), QStringLiteral("alice@kestrel:2022"));
    QVERIFY(!target->knownHostsFiles().isEmpty());
}

void TestSshConfig::resolve_letsTheTargetWin()
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Host h\n  User alice\n  Port 2022\n");
    config.close();
    ConnectTarget wanted{QStringLiteral("h"), 23, QStringLiteral("bob"), QStringLiteral("~/k"),
        QStringLiteral("/kh")};
    const auto target = awaited(resolveTarget(wanted, config.fileName()));
    QVERIFY(target.ok());
    QCOMPARE(target->port, 23);
    QCOMPARE(target->user, QStringLiteral("bob"));
    QCOMPARE(target->firstIdentities, QStringList{QDir::homePath() + QStringLiteral("/k")});
    QCOMPARE(target->knownHostsFiles(), QStringList{QStringLiteral("/kh")});
}

void TestSshConfig::resolve_ignoresTheConfigWhenTold()
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Host h\n  HostName elsewhere\n");
    config.close();
    ConnectTarget wanted{QStringLiteral("h")};
    wanted.useSshConfig = false;
    const auto target = awaited(resolveTarget(wanted, config.fileName()));
    QVERIFY(target.ok());
    QCOMPARE(target->host, QStringLiteral("h"));
}

void TestSshConfig::resolve_refusesAnOptionForAHost()
{
    for (const auto* host : {"", "-oProxyCommand=touch /tmp/x"}) {
        const auto target = awaited(resolveTarget({QString::fromLatin1(host)}));
        QVERIFY(!target.ok());
        QCOMPARE(target.error().kind, ErrorKind::Invalid);
    }
}

void TestSshConfig::slowMatchExec_isATimeoutAndLeavesNothingRunning()
{
    QTemporaryDir dir;
    const auto mark = dir.filePath(QStringLiteral("pid"));
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Match exec \"echo $$ >" + mark.toUtf8() + "; sleep 300; true\"\n  User alice\n");
    config.close();
    QByteArray child;
    // On a busy machine the limit may come before the command has begun.
    for (const int limit : {2, 8, 32}) {
        const auto target = awaited(
            resolveTarget({QStringLiteral("h")}, config.fileName(), std::chrono::seconds(limit)));
        QVERIFY(!target.ok());
        QCOMPARE(target.error().kind, ErrorKind::Timeout);
        QVERIFY2(target.error().remedy.contains(QStringLiteral("Match exec")),
            qPrintable(target.error().text()));
        QFile pid(mark);
        if (pid.open(QIODevice::ReadOnly))
            child = pid.readAll().trimmed();
        if (!child.isEmpty())
            break;
    }
    QVERIFY(child.toInt() > 1);
    QTRY_VERIFY(!QFile::exists(u"/proc/" + QString::fromLatin1(child) + u"/cmdline") || [&] {
        QFile line(u"/proc/" + QString::fromLatin1(child) + u"/cmdline");
        return !line.open(QIODevice::ReadOnly) || line.readAll().isEmpty(); // a zombie
    }());
}

void TestSshConfig::optionWithoutEffect_isSaid_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* line, const char* said) {
        QTest::newRow(line) << QByteArray(line) << QString::fromLatin1(said);
    };
    row("AddKeysToAgent yes", "addkeystoagent true");
    row("BatchMode yes", "batchmode yes");
    row("BindAddress 127.0.0.1", "bindaddress 127.0.0.1");
    row("BindInterface lo", "bindinterface lo");
    row("CASignatureAlgorithms ssh-ed25519", "casignaturealgorithms");
    row("CheckHostIP yes", "checkhostip yes");
    row("Ciphers aes256-ctr", "ciphers");
    row("Compression yes", "compression yes");
    row("ConnectionAttempts 5", "connectionattempts 5");
    row("ControlMaster auto\nControlPath /tmp/master", "controlmaster auto");
    row("ControlPath /tmp/master", "controlpath /tmp/master");
    row("DynamicForward 1", "dynamicforward 1");
    row("FingerprintHash md5", "fingerprinthash MD5");
    row("ForwardAgent yes", "forwardagent yes");
    row("ForwardX11 yes", "forwardx11 yes");
    row("HashKnownHosts yes", "hashknownhosts yes");
    row("HostbasedAuthentication yes", "hostbasedauthentication yes");
    row("HostKeyAlgorithms ssh-ed25519", "hostkeyalgorithms");
    row("HostKeyAlgorithms -ssh-ed25519", "hostkeyalgorithms");
    row("IPQoS cs1", "ipqos cs1 cs1");
    row("KbdInteractiveDevices pam", "kbdinteractivedevices pam");
    row("KexAlgorithms curve25519-sha256", "kexalgorithms");
    row("LocalCommand date", "localcommand date");
    row("LocalForward 1 localhost:2", "localforward 1 [localhost]:2");
    row("MACs hmac-sha2-256", "macs");
    row("NoHostAuthenticationForLocalhost yes", "nohostauthenticationforlocalhost yes");
    row("PKCS11Provider /lib/card.so", "pkcs11provider /lib/card.so");
    row("PreferredAuthentications gssapi-with-mic,publickey,hostbased",
        "preferredauthentications gssapi-with-mic,hostbased");
    row("ProxyUseFdpass yes", "proxyusefdpass yes");
    row("PubkeyAcceptedAlgorithms ssh-ed25519", "pubkeyacceptedalgorithms");
    row("PubkeyAcceptedKeyTypes ssh-ed25519", "pubkeyacceptedalgorithms");
    row("RekeyLimit 1G 1h", "rekeylimit 1073741824 3600");
    row("RemoteCommand date", "remotecommand date");
    row("RemoteForward 1 localhost:2", "remoteforward 1 [localhost]:2");
    row("RequiredRSASize 3072", "requiredrsasize 3072");
    row("SecurityKeyProvider /lib/key.so", "securitykeyprovider /lib/key.so");
    row("SendEnv LANG", "sendenv LANG");
    row("ServerAliveCountMax 9", "serveralivecountmax 9");
    row("ServerAliveInterval 60", "serveraliveinterval 60");
    row("SetEnv PROJECT=one", "setenv PROJECT");
    row("TCPKeepAlive no", "tcpkeepalive no");
    row("Tunnel yes", "tunnel point-to-point");
    row("UpdateHostKeys ask", "updatehostkeys ask");
    row("VerifyHostKeyDNS yes", "verifyhostkeydns true");
}

void TestSshConfig::optionWithoutEffect_isSaid()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, said);
    const auto target = targetWith(line);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().text()));
    QVERIFY2(target->ignored.contains(said), qPrintable(target->ignored.join(u'\n')));
}

void TestSshConfig::defaults_areNotSaid_data()
{
    QTest::addColumn<QByteArray>("lines");
    const auto row = [](const char* name, const char* lines) {
        QTest::newRow(name) << QByteArray(lines);
    };
    row("nothing set", "");
    row("options that are used",
        "HostName login.example\nPort 2222\nUser alice\nIdentityFile /keys/a\n"
        "UserKnownHostsFile /kh\nStrictHostKeyChecking yes\nConnectTimeout 9\n"
        "PasswordAuthentication no\nPreferredAuthentications publickey,password\nHostKeyAlias a");
    row("what is done here as well",
        "HashKnownHosts no\nCompression no\nConnectionAttempts 1\nTCPKeepAlive yes\n"
        "FingerprintHash sha256\nUpdateHostKeys no\nControlMaster no\nControlPath none\n"
        "ForwardAgent no\nBatchMode no\nCheckHostIP no\nAddKeysToAgent no\nRequiredRSASize 1024\n"
        "ServerAliveInterval 0\nRekeyLimit default none");
    row("what concerns a terminal",
        "EscapeChar none\nLogLevel ERROR\nVisualHostKey yes\nRequestTTY force");
}

void TestSshConfig::defaults_areNotSaid()
{
    QFETCH(QByteArray, lines);
    const auto target = targetWith(lines);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().text()));
    QVERIFY2(target->ignored.isEmpty(), qPrintable(target->ignored.join(u'\n')));
}

/// With output as an ssh with Kerberos prints it: not every one has these options.
void TestSshConfig::whatOthersSet_isNotSaid_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("usual");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* name, const char* line, const char* usual, bool said) {
        const QString text = QString::fromLatin1(line);
        QTest::newRow(name) << QByteArray(line) << QByteArray(usual)
                            << (said ? QStringList{text} : QStringList());
    };
    for (const char* key : {"gssapiauthentication", "gssapidelegatecredentials",
             "gssapikeyexchange", "gssapitrustdns", "hashknownhosts"}) {
        const QByteArray yes = QByteArray(key) + " yes";
        const QByteArray no = QByteArray(key) + " no";
        row(qPrintable(QString::fromLatin1(yes)), yes, no, true);
        row(qPrintable(QString::fromLatin1(yes) + u" for everybody"), yes, yes, false);
        row(qPrintable(QString::fromLatin1(no)), no, yes, false);
    }
    row("one variable more", "sendenv PROJECT", "sendenv LANG\nsendenv LC_*", true);
    row("the same variables", "sendenv LC_*", "sendenv LANG\nsendenv LC_*", false);
    row("identity", "gssapiclientidentity a@B", "x", true);
    row("server", "gssapiserveridentity s", "x", true);
    row("defaults that are not known", "ciphers aes256-ctr", "", false);
}

void TestSshConfig::whatOthersSet_isNotSaid()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, usual);
    QFETCH(QStringList, said);
    QCOMPARE(
        parseSshConfig("host h\n" + line + '\n', QStringLiteral("/home/a"), usual).ignored, said);
}

void TestSshConfig::longValuesAndSecrets_areNotSaid()
{
    const auto target = parseSshConfig(
        "ciphers " + QByteArray(5000, 'c') + "\nsetenv TOKEN=hidden=1\nsetenv EMPTY=\n",
        QStringLiteral("/home/a"), "host h\n");
    QCOMPARE(target.ignored,
        (QStringList{QStringLiteral("ciphers"), QStringLiteral("setenv TOKEN"),
            QStringLiteral("setenv EMPTY")}));
}

SLIPWAY_TEST(TestSshConfig, ssh_config)
#include "tst_sshconfig.moc"
