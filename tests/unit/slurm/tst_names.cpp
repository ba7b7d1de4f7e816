// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "mutations.h"
#include "remote/slurm/hostlist.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestNames : public QObject {
    Q_OBJECT

private slots:
    void hostlist_isCounted_data();
    void hostlist_isCounted();
    void hostlist_refusesNonsense_data();
    void hostlist_refusesNonsense();
    void tenThousandMutations_crashNothing();
};

void TestNames::hostlist_isCounted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("count");
    QTest::newRow("none") << "(null)" << qint64(0);
    QTest::newRow("empty") << "" << qint64(0);
    QTest::newRow("one") << "gpu01" << qint64(1);
    QTest::newRow("range and single") << "node[01-03,7]" << qint64(4);
    QTest::newRow("several") << "gpu[01-02],login" << qint64(3);
    QTest::newRow("two brackets") << "r1i[0-1]n[0-1]" << qint64(4);
    QTest::newRow("tail") << "n[1-2]-ib" << qint64(2);
    QTest::newRow("width grows") << "n[8-11]" << qint64(4);
    QTest::newRow("a million") << "r[0-999]n[0-999]" << qint64(1'000'000);
    QTest::newRow("more than can be counted")
        << "a[0-99999999]b[0-99999999]c[0-99999999]" << qint64(1'000'000'000'000);
    QTest::newRow("one long name") << QString(11'000, u'x') << qint64(1);
    QTest::newRow("long tail") << QString(u"n[0-65535]" + QString(11'000, u'x')) << qint64(65'536);
}

void TestNames::hostlist_isCounted()
{
    QFETCH(QString, text);
    const auto count = countHostlist(text);
    QVERIFY2(count.ok(), count.ok() ? "" : qPrintable(count.error().text()));
    QTEST(*count, "count");
}

void TestNames::hostlist_refusesNonsense_data()
{
    QTest::addColumn<QString>("text");
    for (const auto* text : {"n[1-2", "n1-2]", "n[[1]]", "n[2-1]", "n[a-b]", "n[]", ",", "n[1,]"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestNames::hostlist_refusesNonsense()
{
    QFETCH(QString, text);
    QVERIFY(!countHostlist(text).ok());
}

void TestNames::tenThousandMutations_crashNothing()
{
    Mutations mutations(5);
    for (int i = 0; i < 10'000; ++i) {
        const auto count =
            countHostlist(QString::fromLatin1(mutations.of("r1i[0-9]n[00-17],gpu[01-02,7],login")));
        QVERIFY(!count.ok() || (*count >= 0 && *count <= 1'000'000'000'000));
    }
}

SLIPWAY_TEST(TestNames, slurm_names)
#include "tst_names.moc"
