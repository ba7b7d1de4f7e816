// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/connector.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestTarget : public QObject {
    Q_OBJECT

private slots:
    void target_isReadAsAPersonTypesIt_data();
    void target_isReadAsAPersonTypesIt();
    void invalidTarget_isAnError_data();
    void invalidTarget_isAnError();
};

void TestTarget::target_isReadAsAPersonTypesIt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    const auto row = [](const char* text, const char* user, const char* host, int port) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(user)
                            << QString::fromLatin1(host) << port;
    };
    row("login.example", "", "login.example", 0);
    row("demo@login.example", "demo", "login.example", 0);
    row("demo@127.0.0.1:2222", "demo", "127.0.0.1", 2222);
    row("login:22", "", "login", 22);
    row("a@b.example@login", "a@b.example", "login", 0);
    row("::1", "", "::1", 0);
    row("me@fe80::1", "me", "fe80::1", 0);
    row("me@[::1]:2222", "me", "::1", 2222);
    row("[::1]", "", "::1", 0);
    row(" padded ", "", "padded", 0);
}

void TestTarget::target_isReadAsAPersonTypesIt()
{
    QFETCH(QString, text);
    const auto target = targetFromText(text);
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().text()));
    QTEST(target->user, "user");
    QTEST(target->host, "host");
    QTEST(target->port, "port");
}

void TestTarget::invalidTarget_isAnError_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "  ", "@host", "user@", "host:", "host:0", "host:65536",
             "host:ssh", "-oProxyCommand=x", "user@-oX", "[::1", "[::1]22", "a b"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestTarget::invalidTarget_isAnError()
{
    QFETCH(QString, text);
    const auto target = targetFromText(text);
    QVERIFY(!target.ok());
    QCOMPARE(target.error().kind, ErrorKind::Usage);
    QVERIFY(!target.error().summary.isEmpty());
}

SLIPWAY_TEST(TestTarget, shell_target)
#include "tst_target.moc"
