// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/keychain.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// The desktop's keychain itself: GNOME Keyring on a message bus of its own, in an empty home.
class TestKeychain : public QObject {
    Q_OBJECT

public:
    ~TestKeychain() override
    {
        m_bus.kill();
        m_bus.waitForFinished();
    }

private slots:
    void initTestCase();
    void value_isKeptReadAndRemoved();
    void missing_isNotFound();

private:
    QTemporaryDir m_home;
    QProcess m_bus; ///< ends with the program, which GIO would end with it
};

void TestKeychain::initTestCase()
{
    QVERIFY(m_home.isValid());
    qputenv("HOME", m_home.path().toUtf8());
    for (const char* folder :
        {"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
        const QString path = m_home.filePath(QString::fromLatin1(folder));
        QVERIFY(QDir().mkpath(path));
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(folder, path.toUtf8());
    }
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION",
             "KDE_FULL_SESSION"})
        qunsetenv(name);
    m_bus.start(QStringLiteral("dbus-daemon"),
        {QStringLiteral("--session"), QStringLiteral("--nofork"),
            QStringLiteral("--print-address")});
    QVERIFY2(m_bus.waitForStarted(), "dbus-daemon is required: package dbus");
    QVERIFY(QTest::qWaitFor([this] { return m_bus.canReadLine(); }, 20'000));
    qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
    // It leaves for the background once it answers, with its keyring unlocked by this password.
    QProcess daemon;
    daemon.setStandardOutputFile(QProcess::nullDevice());
    daemon.setStandardErrorFile(QProcess::nullDevice());
    daemon.start(QStringLiteral("gnome-keyring-daemon"),
        {QStringLiteral("--unlock"), QStringLiteral("--components=secrets")});
    QVERIFY2(daemon.waitForStarted(), "gnome-keyring-daemon is required: package gnome-keyring");
    daemon.write("of the test");
    daemon.closeWriteChannel();
    QVERIFY(daemon.waitForFinished(20'000));
    QCOMPARE(daemon.exitCode(), 0);
}

void TestKeychain::value_isKeptReadAndRemoved()
{
    const auto keychain = makeSystemKeychain();
    const QString key = QStringLiteral("registry:nvcr.io");
    const QByteArray value = "user\nit's \xe6\xbc\xa2 $x";
    const auto written = awaited(keychain->write(key, value));
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().toUtf8());
    const auto read = awaited(keychain->read(key));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().toUtf8());
    QCOMPARE(*read, value);
    QVERIFY(awaited(keychain->write(key, "second")).ok());
    QCOMPARE(*awaited(keychain->read(key)), QByteArray("second"));
    QVERIFY(awaited(keychain->remove(key)).ok());
    QCOMPARE(awaited(keychain->read(key)).error().kind, ErrorKind::NotFound);
    // What the keychain writes to the disk is not the value.
    QProcess grep;
    grep.start(
        QStringLiteral("grep"), {QStringLiteral("-ra"), QStringLiteral("it's"), m_home.path()});
    QVERIFY(grep.waitForFinished());
    QCOMPARE(grep.exitCode(), 1);
}

void TestKeychain::missing_isNotFound()
{
    const auto keychain = makeSystemKeychain();
    QCOMPARE(awaited(keychain->read(QStringLiteral("HF_TOKEN"))).error().kind, ErrorKind::NotFound);
}

SLIPWAY_TEST(TestKeychain, secrets_keychain)
#include "tst_keychain.moc"
