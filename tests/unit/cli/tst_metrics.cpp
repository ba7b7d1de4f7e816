// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "clihome.h"
#include "tests/support/testmain.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace slipway;

/// “slipway-cli metrics” for a run that is stored here.
class TestMetrics : public QObject {
    Q_OBJECT

private slots:
    void init() { m_cli = std::make_unique<CliHome>(); }
    void run_isTheLastValueOfEachCurve();
    void file_comesBeforeARunOfThatName();
    void runWithoutNumbers_isSaid();
    void unknownName_isNeitherFileNorRun();

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

SLIPWAY_TEST(TestMetrics, cli_metrics)
#include "tst_metrics.moc"
