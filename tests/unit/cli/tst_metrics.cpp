// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "clihome.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace slipway;

using namespace Qt::StringLiterals;

/// “slipway-cli metrics” for a run that is stored here.
class TestMetrics : public QObject {
    Q_OBJECT

private slots:
    void init() { m_cli = std::make_unique<CliHome>(); }
    void run_isTheLastValueOfEachCurve();
    void file_comesBeforeARunOfThatName();
    void file_hasTheLanesOfTheWindow();
    void runWithoutNumbers_isSaid();
    void unknownName_isNeitherFileNorRun();
    void number_isDrawnFromAllLinesLikeIt();
    void runWithoutALog_isSaid();
    void pattern_isAskedAlone();
    void pattern_thatCannotBeUsed_isSaid_data();
    void pattern_thatCannotBeUsed_isSaid();

private:
    void keep(std::vector<MetricValue> last);

    std::unique_ptr<CliHome> m_cli;
};

void TestMetrics::keep(std::vector<MetricValue> last)
{
    Run run;
    run.id = run.tag = QStringLiteral("k3f9");
    run.spec.siteId = QStringLiteral("demo");
    run.spec.recipeId = QStringLiteral("own-image");
    run.phase = RunPhase::Done;
    run.created = run.started = run.ended = QDateTime::currentDateTime();
    run.digest.last = std::move(last);
    m_cli->keep(run, {}, "epoch 1 loss 9.5\n");
}

void TestMetrics::run_isTheLastValueOfEachCurve()
{
    keep({{QStringLiteral("train_loss"), {}, {}, 0.25},
        {QStringLiteral("valid_loss"), QStringLiteral("metrics.csv"), {}, 0.5}});
    QCOMPARE(m_cli->run(QStringLiteral("metrics k3f9")), 0);
    const QStringList lines = m_cli->out.trimmed().split(u'\n');
    QCOMPARE(lines.size(), 2);
    const QJsonObject first = QJsonDocument::fromJson(lines[0].toUtf8()).object();
    QCOMPARE(first.value(u"series").toString(), QStringLiteral("train_loss"));
    QCOMPARE(first.value(u"last").toDouble(), 0.25);
    QVERIFY(!first.contains(u"lane"));
    const QJsonObject second = QJsonDocument::fromJson(lines[1].toUtf8()).object();
    QCOMPARE(second.value(u"last").toDouble(), 0.5);
    QCOMPARE(second.value(u"lane").toString(), QStringLiteral("metrics.csv"));
}

void TestMetrics::file_comesBeforeARunOfThatName()
{
    keep({{QStringLiteral("train_loss"), {}, {}, 0.25}});
    QFile file(m_cli->path(QStringLiteral("k3f9")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("@slipway {\"sample\":\"loss\",\"y\":7.5}\n");
    file.close();
    QCOMPARE(m_cli->run(QStringLiteral("metrics k3f9")), 0);
    QVERIFY2(m_cli->out.contains(u"7.5") && !m_cli->out.contains(u"0.25"), qPrintable(m_cli->out));
}

/// Two trainings in one log are two curves here as well.
void TestMetrics::file_hasTheLanesOfTheWindow()
{
    QFile file(m_cli->path(QStringLiteral("two.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("epoch 1 loss 0.9\nepoch 2 loss 0.7\nepoch 3 loss 0.6\n"
               "epoch 1 loss 0.8\nepoch 2 loss 0.5\n");
    file.close();
    QCOMPARE(m_cli->run(QStringLiteral("metrics ") + file.fileName()), 0);
    QStringList lanes;
    for (const QString& line : m_cli->out.trimmed().split(u'\n'))
        lanes += QJsonDocument::fromJson(line.toUtf8()).object().value(u"lane").toString();
    QCOMPARE(lanes, (QStringList{u""_s, u""_s, u""_s, u"run 2"_s, u"run 2"_s}));
}

void TestMetrics::runWithoutNumbers_isSaid()
{
    keep({});
    QCOMPARE(m_cli->run(QStringLiteral("metrics k3f9")), 0);
    QVERIFY(m_cli->out.isEmpty());
    QVERIFY2(m_cli->err.contains(u"No numbers of run k3f9 are known yet."), qPrintable(m_cli->err));
}

void TestMetrics::unknownName_isNeitherFileNorRun()
{
    QCOMPARE(m_cli->run(QStringLiteral("metrics zzzz")), 2);
    QVERIFY2(m_cli->err.contains(u"There is no file and no run “zzzz”."), qPrintable(m_cli->err));
}

/// What a person marks: in a run's log, and the pattern that a recipe would keep.
void TestMetrics::number_isDrawnFromAllLinesLikeIt()
{
    keep({});
    QCOMPARE(m_cli->run({u"metrics"_s, u"k3f9"_s, u"--like"_s, u"epoch 1 loss 9.5"_s, u"--number"_s,
                 u"9.5"_s}),
        0);
    const QJsonObject sample = QJsonDocument::fromJson(m_cli->out.trimmed().toUtf8()).object();
    QCOMPARE(sample.value(u"series").toString(), u"loss"_s);
    QCOMPARE(sample.value(u"y").toDouble(), 9.5);
    QCOMPARE(sample.value(u"x").toDouble(), 1.);
    const QString list = m_cli->err.mid(m_cli->err.indexOf(u'[')).trimmed();
    const QJsonObject pattern = QJsonDocument::fromJson(list.toUtf8()).array().at(0).toObject();
    QCOMPARE(pattern.value(u"x").toString(), u"epoch"_s);
    QVERIFY2(pattern.value(u"match").toString().contains(u"(?<loss>"), qPrintable(m_cli->err));
}

void TestMetrics::runWithoutALog_isSaid()
{
    keep({});
    QVERIFY(QFile::remove(m_cli->path(u"data/slipway/runs/k3f9/log.bin"_s)));
    QCOMPARE(m_cli->run({u"metrics"_s, u"k3f9"_s, u"--pattern"_s, u"(?<a>.)"_s}), 2);
    QVERIFY2(m_cli->err.contains(u"The log of run k3f9 is not on this computer."),
        qPrintable(m_cli->err));
}

void TestMetrics::pattern_isAskedAlone()
{
    QFile file(m_cli->path(u"a.log"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("step 1 loss 0.5\nit 10: 2 ms\nit 20: 3 ms\n");
    file.close();
    QCOMPARE(
        m_cli->run({u"metrics"_s, file.fileName(), u"--pattern"_s,
            u"it (?<step>\\d+): (?<flux>\\S+)"_s, u"--x"_s, u"step"_s, u"--unit"_s, u"flux=ms"_s}),
        0);
    const QStringList lines = m_cli->out.trimmed().split(u'\n');
    QCOMPARE(lines.size(), 2); // the loss is nothing that was asked for
    const QJsonObject last = QJsonDocument::fromJson(lines[1].toUtf8()).object();
    QCOMPARE(last.value(u"y").toDouble(), 0.003);
    QCOMPARE(last.value(u"unit").toString(), u"s"_s);
    QCOMPARE(last.value(u"x").toDouble(), 20.);
}

void TestMetrics::pattern_thatCannotBeUsed_isSaid_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("words");
    const QStringList some{u"--pattern"_s, u"(?<a>.)"_s}, like{u"--like"_s, u"loss 0.5"_s};
    QTest::newRow("no expression")
        << QStringList{u"--pattern"_s, u"("_s} << u"no regular expression"_s;
    QTest::newRow("no capture") << QStringList{u"--pattern"_s, u"a"_s} << u"captures nothing"_s;
    QTest::newRow("a unit of nothing")
        << some + QStringList{u"--unit"_s, u"b=W"_s} << u"no capture “b”"_s;
    QTest::newRow("a unit alone") << some + QStringList{u"--unit"_s, u"W"_s} << u"CAPTURE=UNIT"_s;
    QTest::newRow("x alone") << QStringList{u"--x"_s, u"a"_s} << u"goes with --pattern"_s;
    QTest::newRow("a line alone") << like << u"does not name a number"_s;
    QTest::newRow("not in the line")
        << like + QStringList{u"--number"_s, u"0.6"_s} << u"does not name a number"_s;
    QTest::newRow("a word") << like + QStringList{u"--number"_s, u"loss"_s}
                            << u"no number in what is marked"_s;
}

void TestMetrics::pattern_thatCannotBeUsed_isSaid()
{
    QFETCH(QStringList, options);
    QFETCH(QString, words);
    keep({});
    QCOMPARE(m_cli->run(QStringList{u"metrics"_s, u"k3f9"_s} + options), 2);
    QVERIFY2(m_cli->err.contains(words), qPrintable(m_cli->err));
}

SLIPWAY_TEST(TestMetrics, cli_metrics)
#include "tst_metrics.moc"
