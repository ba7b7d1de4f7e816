// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/arguments.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway;

/// The parsed command line, and the hints for a mistyped one.
class TestArguments : public QObject {
    Q_OBJECT

private slots:
    void words_areSplit_data();
    void words_areSplit();
    void wordsOfTheProgram_areKeptApart();
    void mistakes_areNamed_data();
    void mistakes_areNamed();
    void formerName_isTheOptionUnderItsOldName();
    void nearest_findsTheTypo();
};

namespace {

const std::vector<OptionSpec> options{{QStringLiteral("--site"), QStringLiteral("S"), {}},
    {QStringLiteral("--set"), QStringLiteral("K=V"), {}, true},
    {QStringLiteral("--detach"), {}, {}},
    {QStringLiteral("--relaunch"), QStringLiteral("RUN"), {}, false, QStringLiteral("--again")},
    {QStringLiteral("--json"), {}, {}, true}};

QStringList split(const char* line)
{
    return QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts);
}

} // namespace

void TestArguments::words_areSplit_data()
{
    QTest::addColumn<QStringList>("positional");
    QTest::addColumn<QString>("site");
    QTest::addColumn<QStringList>("set");
    QTest::newRow("a --site demo") << split("a") << QStringLiteral("demo") << QStringList();
    QTest::newRow("--site=demo a b") << split("a b") << QStringLiteral("demo") << QStringList();
    QTest::newRow("--set a=1 --set=b=2 x") << split("x") << QString() << split("a=1 b=2");
    QTest::newRow("--set --site") << QStringList() << QString() << split("--site");
    QTest::newRow("-- --site") << split("--site") << QString() << QStringList();
    QTest::newRow("-") << split("-") << QString() << QStringList();
    QTest::newRow("--site= x") << split("x") << QString() << QStringList();
    QTest::newRow("--site demo -- --set a")
        << split("--set a") << QStringLiteral("demo") << QStringList();
    QTest::newRow("--site -") << QStringList() << QStringLiteral("-") << QStringList();
    QTest::newRow("--json a --json") << split("a") << QString() << QStringList();
}

void TestArguments::words_areSplit()
{
    QFETCH(QStringList, positional);
    QFETCH(QString, site);
    QFETCH(QStringList, set);
    const Result<Arguments> arguments = parseArguments(split(QTest::currentDataTag()), options);
    QVERIFY(arguments.ok());
    QCOMPARE(arguments->positional, positional);
    QCOMPARE(arguments->value("--site"), site);
    QCOMPARE(arguments->values("--set"), set);
}

void TestArguments::wordsOfTheProgram_areKeptApart()
{
    const QStringList line = split("./train.py --site demo -- --site x -- --zzz");
    const Result<Arguments> kept = parseArguments(line, options, true);
    QVERIFY(kept.ok());
    QCOMPARE(kept->positional, split("./train.py"));
    QCOMPARE(kept->value("--site"), QStringLiteral("demo"));
    QCOMPARE(kept->rest, split("--site x -- --zzz"));
    const Result<Arguments> none = parseArguments(split("a --"), options, true);
    QVERIFY(none.ok() && none->rest.isEmpty());
    QVERIFY(parseArguments(line, options)->rest.isEmpty());
}

void TestArguments::mistakes_areNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("--sitte demo") << QStringLiteral("Did you mean --site?");
    QTest::newRow("--zzzzzzzz") << QStringLiteral("Unknown option --zzzzzzzz");
    QTest::newRow("--site") << QStringLiteral("--site requires a value");
    QTest::newRow("--site a --site b") << QStringLiteral("--site is given twice");
    QTest::newRow("--detach=yes") << QStringLiteral("--detach takes no value");
    QTest::newRow("--detach --detach") << QStringLiteral("--detach is given twice");
    QTest::newRow("--relaunch a --again b") << QStringLiteral("--relaunch is given twice");
    QTest::newRow("--site=a --set") << QStringLiteral("--set requires a value: --set K=V.");
    QTest::newRow("--zzzzzzzz=1 --site") << QStringLiteral("Unknown option --zzzzzzzz.");
    QTest::newRow("-x") << QStringLiteral("Unknown option -x");
    QTest::newRow("-site demo") << QStringLiteral("Unknown option -site.");
    QTest::newRow("-sitte=demo") << QStringLiteral("Did you mean --site?");
}

void TestArguments::mistakes_areNamed()
{
    QFETCH(QString, text);
    const Result<Arguments> arguments = parseArguments(split(QTest::currentDataTag()), options);
    QVERIFY(!arguments.ok());
    QCOMPARE(arguments.error().kind, ErrorKind::Usage);
    QVERIFY2(arguments.error().text().contains(text), qPrintable(arguments.error().text()));
}

void TestArguments::formerName_isTheOptionUnderItsOldName()
{
    const Result<Arguments> former = parseArguments(split("--again k3f9"), options);
    QVERIFY(former.ok());
    QVERIFY(former->has("--relaunch") && !former->has("--again"));
    QCOMPARE(former->value("--relaunch"), QStringLiteral("k3f9"));
    QCOMPARE(former->renamed, QStringList(QStringLiteral("“--again” is now called “--relaunch”.")));
    const Result<Arguments> current = parseArguments(split("--relaunch k3f9"), options);
    QVERIFY(current.ok());
    QCOMPARE(current->value("--relaunch"), QStringLiteral("k3f9"));
    QVERIFY(current->renamed.isEmpty());
}

void TestArguments::nearest_findsTheTypo()
{
    const QStringList words = split("matmul-scaling run-a-command");
    QCOMPARE(nearest(QStringLiteral("matmul"), words), QStringLiteral("matmul-scaling"));
    QCOMPARE(nearest(QStringLiteral("mtmul-scalng"), words), QStringLiteral("matmul-scaling"));
    QCOMPARE(nearest(QStringLiteral("xyz"), words), QString());
}

SLIPWAY_TEST(TestArguments, cli_arguments)
#include "tst_arguments.moc"
