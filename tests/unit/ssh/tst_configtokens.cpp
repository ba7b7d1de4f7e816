// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/configtokens.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// The tokens in options of the SSH configuration.
class TestConfigTokens : public QObject {
    Q_OBJECT

private slots:
    void tokens_areExpandedOnce();
    void unknownToken_isNamed_data();
    void unknownToken_isNamed();
};

void TestConfigTokens::tokens_areExpandedOnce()
{
    const ConfigTokens tokens{{u'h', QStringLiteral("%r")}, {u'r', QStringLiteral("ada")}};
    const auto expanded = withTokens(QStringLiteral("%%h-%h-%r"), tokens, {});
    QVERIFY(expanded.ok());
    QCOMPARE(*expanded, QStringLiteral("%h-%r-ada"));
}

void TestConfigTokens::unknownToken_isNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("a letter") << QStringLiteral("a%xb") << QStringLiteral("%x");
    QTest::newRow("at the end") << QStringLiteral("a%") << QStringLiteral("%");
    QTest::newRow("of two code units") << QString::fromUtf8("%🚢!") << QString::fromUtf8("%🚢");
}

void TestConfigTokens::unknownToken_isNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, named);
    const auto expanded = withTokens(text, {}, QStringLiteral("IdentityFile"));
    QVERIFY(!expanded.ok());
    QCOMPARE(expanded.error().summary,
        QStringLiteral("IdentityFile of the SSH configuration cannot be used: it has the token "
                       "“%1”.")
            .arg(named));
}

SLIPWAY_TEST(TestConfigTokens, ssh_configtokens)
#include "tst_configtokens.moc"
