// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// Secrets from the terminal, on a computer without a keychain.
class TestSecretCommand : public QObject {
    Q_OBJECT

private slots:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }
    void set_withoutAKeychainSaysWhatToDo();
    void set_takesNoValueOnTheCommandLine();
    void list_printsNamesOnly();
    void list_saysThatItsFileIsBroken();
    void wrongWords_areRefused_data();
    void wrongWords_areRefused();
    void launch_namesThemWithAnOption();

private:
    int run(const QStringList& words, const QByteArray& input = {});

    std::unique_ptr<QTemporaryDir> m_home;
    QByteArray m_out;
    QByteArray m_err;
};

int TestSecretCommand::run(const QStringList& words, const QByteArray& input)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_home->path());
    for (const char* name : {"CONFIG", "DATA", "STATE"})
        environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(name)),
            m_home->filePath(QString::fromLatin1(name).toLower()));
    environment.insert(
        QStringLiteral("SLIPWAY_RESOURCES"), sourcePath(QStringLiteral("/resources")));
    // No message bus, so no keychain.
    environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"),
        u"unix:path=" + m_home->filePath(QStringLiteral("none")));
    environment.remove(QStringLiteral("DISPLAY"));
    process.setProcessEnvironment(environment);
    process.start(buildPath(QStringLiteral("/bin/slipway-cli")), words);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return -1;
    m_out = process.readAllStandardOutput();
    m_err = process.readAllStandardError();
    return process.exitCode();
}

void TestSecretCommand::set_withoutAKeychainSaysWhatToDo()
{
    QCOMPARE(run({QStringLiteral("secret"), QStringLiteral("set"), QStringLiteral("HF_TOKEN")},
                 "hf_distinctive\n"),
        1);
    QVERIFY2(m_err.contains("keychain") && m_err.contains("KWallet"), m_err);
    QVERIFY(!m_err.contains("distinctive") && !m_out.contains("distinctive"));
    QVERIFY(!QFile::exists(m_home->filePath(QStringLiteral("config/slipway/secrets.json"))));
}

void TestSecretCommand::set_takesNoValueOnTheCommandLine()
{
    QCOMPARE(
        run({QStringLiteral("secret"), QStringLiteral("set"), QStringLiteral("HF_TOKEN=hf")}), 2);
    QVERIFY2(m_err.contains("name only"), m_err);
}

void TestSecretCommand::list_printsNamesOnly()
{
    QCOMPARE(run({QStringLiteral("secret"), QStringLiteral("list")}), 0);
    QVERIFY(m_out.isEmpty());
    QVERIFY2(m_err.contains("There are no secrets"), m_err);
    putFile(m_home->filePath(QStringLiteral("config/slipway/secrets.json")),
        R"({"names": ["WANDB_API_KEY", "registry:nvcr.io", "HF_TOKEN", "a b"]})");
    QCOMPARE(run({QStringLiteral("secret"), QStringLiteral("list")}), 0);
    QCOMPARE(m_out, QByteArray("HF_TOKEN\nWANDB_API_KEY\n"));
    QCOMPARE(run({QStringLiteral("secret"), QStringLiteral("list"), QStringLiteral("--json")}), 0);
    QCOMPARE(m_out, QByteArray("{\"secret\":\"HF_TOKEN\"}\n{\"secret\":\"WANDB_API_KEY\"}\n"));
}

void TestSecretCommand::list_saysThatItsFileIsBroken()
{
    putFile(m_home->filePath(QStringLiteral("config/slipway/secrets.json")), "{\"names\": 3}");
    QCOMPARE(run({QStringLiteral("secret"), QStringLiteral("list")}), 1);
    QVERIFY2(m_err.contains("secrets.json"), m_err);
}

void TestSecretCommand::wrongWords_areRefused_data()
{
    QTest::addColumn<QStringList>("words");
    for (const char* line : {"secret", "secret set", "secret remove", "secret show HF_TOKEN",
             "secret set PATH", "secret list HF_TOKEN"})
        QTest::newRow(line) << QString::fromLatin1(line).split(u' ');
}

void TestSecretCommand::wrongWords_areRefused()
{
    QFETCH(QStringList, words);
    QCOMPARE(run(words, "x"), 2);
    QVERIFY(!m_err.isEmpty());
}

void TestSecretCommand::launch_namesThemWithAnOption()
{
    const QStringList render{QStringLiteral("render"), QStringLiteral("run-a-command"),
        QStringLiteral("--site"), QStringLiteral("demo"), QStringLiteral("--secret"),
        QStringLiteral("HF_TOKEN"), QStringLiteral("--secret"), QStringLiteral("NGC_API_KEY")};
    QCOMPARE(run(render), 0);
    QVERIFY2(m_out.contains("\nread_secrets HF_TOKEN NGC_API_KEY || exit\n"), m_out);
    QStringList other = render;
    other[1] = QStringLiteral("matmul-scaling");
    QCOMPARE(run(other), 2);
    QVERIFY2(m_err.contains("secrets"), m_err);
    putFile(m_home->filePath(QStringLiteral("config/slipway/secrets.json")),
        R"({"names": ["HF_TOKEN"]})");
    QCOMPARE(run({QStringLiteral("completion"), QStringLiteral("words"), QStringLiteral("--"),
                 QStringLiteral("run"), QStringLiteral("--secret"), QStringLiteral("H")}),
        0);
    QVERIFY2(m_out.startsWith("HF_TOKEN\t"), m_out);
}

SLIPWAY_TEST(TestSecretCommand, cli_secret)
#include "tst_secret.moc"
