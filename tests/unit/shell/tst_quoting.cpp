// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/shell.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

using namespace slipway;

class TestQuoting : public QObject {
    Q_OBJECT

private slots:
    void everyWordRoundTrips_data();
    void everyWordRoundTrips();
};

void TestQuoting::everyWordRoundTrips_data()
{
    QTest::addColumn<QString>("shell");
    for (const auto* shell : {"sh", "bash", "dash"})
        QTest::newRow(shell) << QString::fromLatin1(shell);
}

/// 20 000 words of random bytes and of the characters that shells treat specially, all printed by
/// one shell and compared byte by byte.
void TestQuoting::everyWordRoundTrips()
{
    QFETCH(QString, shell);
    const QByteArray special(" '\"\\$`!*?[]{}()<>|&;#~=%\n\t\r-\x1b\x7f\xff");
    QRandomGenerator random(20261120);
    QByteArray script;
    QByteArray expected;
    for (int i = 0; i < 20'000; ++i) {
        QByteArray word;
        const int length = random.bounded(24);
        for (int j = 0; j < length; ++j)
            word += random.bounded(2) ? special[random.bounded(int(special.size()))]
                                      : char(1 + random.bounded(255));
        script += "printf '%s\\0' " + shellQuoted(word) + '\n';
        expected += word + '\0';
    }
    QProcess process;
    process.start(shell, {QStringLiteral("-s")});
    process.write(script);
    process.closeWriteChannel();
    QVERIFY2(process.waitForFinished(60'000),
        qPrintable(shell + QStringLiteral(" is needed: install ") + shell));
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QVERIFY(process.readAllStandardOutput() == expected);
}

SLIPWAY_TEST(TestQuoting, shell_quoting)
#include "tst_quoting.moc"
