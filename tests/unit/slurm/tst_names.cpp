// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "mutations.h"
#include "remote/slurm/hostlist.h"
#include "remote/slurm/outputname.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

class TestNames : public QObject {
    Q_OBJECT

private slots:
    void hostlist_expands_data();
    void hostlist_expands();
    void hostlist_isCountedHoweverLong_data();
    void hostlist_isCountedHoweverLong();
    void hostlist_refusesNonsense_data();
    void hostlist_refusesNonsense();
    void output_expands_data();
    void output_expands();
    void tenThousandMutations_crashNothing();
};

void TestNames::hostlist_expands_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("one") << "gpu01"
                         << "gpu01";
    QTest::newRow("range and single") << "node[01-03,7]"
                                      << "node01 node02 node03 node7";
    QTest::newRow("several") << "gpu[01-02],login"
                             << "gpu01 gpu02 login";
    QTest::newRow("two brackets") << "r1i[0-1]n[0-1]"
                                  << "r1i0n0 r1i0n1 r1i1n0 r1i1n1";
    QTest::newRow("tail") << "n[1-2]-ib"
                          << "n1-ib n2-ib";
    QTest::newRow("width grows") << "n[8-11]"
                                 << "n8 n9 n10 n11";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("null") << "(null)"
                          << "";
}

void TestNames::hostlist_expands()
{
    QFETCH(QString, text);
    QFETCH(QString, names);
    const auto list = expandHostlist(text);
    QVERIFY(list.ok());
    QCOMPARE(list->join(u' '), names);
}

void TestNames::hostlist_isCountedHoweverLong_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<bool>("expands");
    const QString longName(11'000, u'x');
    QTest::newRow("none") << "(null)" << qint64(0) << true;
    QTest::newRow("as many as are listed") << "n[0-65535]" << qint64(65'536) << true;
    QTest::newRow("one more") << "n[0-65535],login" << qint64(65'537) << false;
    QTest::newRow("a million") << "r[0-999]n[0-999]" << qint64(1'000'000) << false;
    QTest::newRow("more than can be counted")
        << "a[0-99999999]b[0-99999999]c[0-99999999]" << qint64(1'000'000'000'000) << false;
    QTest::newRow("one long name") << longName << qint64(1) << true;
    QTest::newRow("many long names") << QString(longName + u"[0-65535]") << qint64(65'536) << false;
    QTest::newRow("long tail") << QString(u"n[0-65535]" + longName) << qint64(65'536) << false;
}

void TestNames::hostlist_isCountedHoweverLong()
{
    QFETCH(QString, text);
    QFETCH(bool, expands);
    const auto count = countHostlist(text);
    QVERIFY2(count.ok(), count.ok() ? "" : qPrintable(count.error().text()));
    QTEST(*count, "count");
    const auto list = expandHostlist(text);
    QCOMPARE(list.ok(), expands);
    if (expands) {
        QCOMPARE(list->size(), qsizetype(*count));
    } else {
        QCOMPARE(list.error().kind, ErrorKind::Unsupported);
        QVERIFY2(list.error().summary.contains(QString::number(*count)),
            qPrintable(list.error().summary));
    }
}

void TestNames::hostlist_refusesNonsense_data()
{
    QTest::addColumn<QString>("text");
    for (const auto* text : {"n[1-2", "n1-2]", "n[[1]]", "n[2-1]", "n[a-b]", "n[]", ",", "n[1,]",
             "n[0-99999999]", "n[0-999][0-999]"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestNames::hostlist_refusesNonsense()
{
    QFETCH(QString, text);
    QVERIFY(!expandHostlist(text).ok());
}

void TestNames::output_expands_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("name");
    QTest::newRow("job") << "slurm-%j.out"
                         << "slurm-42.out";
    QTest::newRow("percent") << "/scratch/100%%/%j"
                             << "/scratch/100%/42";
    QTest::newRow("width") << "%6j.out"
                           << "000042.out";
    QTest::newRow("host") << "%N-%j"
                          << "gpu01-42";
    QTest::newRow("name stays") << "%x-%j"
                                << "%x-42";
    QTest::newRow("user") << "%u"
                          << "demo";
    QTest::newRow("open end") << "a%"
                              << "a%";
    QTest::newRow("backslash switches off") << "\\%j"
                                            << "%j";
}

void TestNames::output_expands()
{
    QFETCH(QString, pattern);
    QFETCH(QString, name);
    Job job;
    job.id.text = QStringLiteral("42");
    job.batchHost = QStringLiteral("gpu01.demo");
    QCOMPARE(expandedOutput(pattern, job, QStringLiteral("demo")), name);
    job.id.text = QStringLiteral("42_7");
    QCOMPARE(expandedOutput(QStringLiteral("%A_%a.out"), job), QStringLiteral("42_7.out"));
}

void TestNames::tenThousandMutations_crashNothing()
{
    Mutations mutations(5);
    Job job;
    job.id.text = QStringLiteral("42_7");
    for (int i = 0; i < 10'000; ++i) {
        const auto list = expandHostlist(
            QString::fromLatin1(mutations.of("r1i[0-9]n[00-17],gpu[01-02,7],login")));
        QVERIFY(!list.ok() || list->size() <= 65'536);
        expandedOutput(QString::fromLatin1(mutations.of("/a/%u/%5j-%A_%a.%%.out")), job);
    }
}

SLIPWAY_TEST(TestNames, slurm_names)
#include "tst_names.moc"
