// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/cli/clihome.h"

using namespace slipway;

/// “log --stage”: the lines of one stage, and what is wrong in a request for one. And the options
/// of a sweep that need no cluster.
class TestLogStage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void stage_isPrintedAlone();
    void wrongStage_namesTheOthers();
    void longStage_isReadFromTheFile();
    void sweepOptions_areChecked_data();
    void sweepOptions_areChecked();

private:
    CliHome m_cli;
};

namespace {

Run stagedRun(const QString& id)
{
    Run run;
    run.id = run.tag = id;
    run.spec.siteId = QStringLiteral("demo");
    run.spec.recipeId = QStringLiteral("own-image");
    run.phase = RunPhase::Done;
    run.created = run.started = run.ended = QDateTime::currentDateTime();
    for (const char* stage : {"image", "build", "test"}) {
        RunStage one;
        one.id = QString::fromLatin1(stage);
        one.title = one.id + u" of it";
        one.state = StageState::Done;
        run.stages.push_back(one);
    }
    return run;
}

} // namespace

void TestLogStage::initTestCase()
{
    m_cli.keep(stagedRun(QStringLiteral("bld1")), {},
        "before\n\n== image of it\npulled\n\n== build of it\ncc -O2\n@slipway {}\n== x\n\n"
        "== test of it\nok\n");
    QByteArray log = "\n== build of it\n";
    for (int i = 0; i < 250'000; ++i)
        log += "line " + QByteArray::number(i) + '\n';
    m_cli.keep(stagedRun(QStringLiteral("bld2")), {}, log + "== test of it\nok\n");
}

void TestLogStage::stage_isPrintedAlone()
{
    QCOMPARE(m_cli.run(QStringLiteral("log bld1 --stage build")), 0);
    QCOMPARE(m_cli.out, QStringLiteral("== build of it\ncc -O2\n@slipway {}\n== x\n\n"));
    QCOMPARE(m_cli.run(QStringLiteral("log bld1 --stage test")), 0);
    QCOMPARE(m_cli.out, QStringLiteral("== test of it\nok\n"));
    QCOMPARE(m_cli.run(QStringLiteral("log bld1 --stage image --json")), 0);
    const QStringList rows = m_cli.out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), qsizetype(3));
    const QJsonObject row = QJsonDocument::fromJson(rows[1].toUtf8()).object();
    QCOMPARE(row.value(u"line").toInt(), 4);
    QCOMPARE(row.value(u"log").toString(), QStringLiteral("pulled"));
}

void TestLogStage::wrongStage_namesTheOthers()
{
    QCOMPARE(m_cli.run(QStringLiteral("log bld1 --stage tests")), 2);
    QVERIFY2(m_cli.err.contains(u"image, build, test"), qPrintable(m_cli.err));
    QCOMPARE(m_cli.run(QStringLiteral("log bld1 --stage build --follow")), 2);
}

void TestLogStage::longStage_isReadFromTheFile()
{
    QCOMPARE(m_cli.run(QStringLiteral("log bld2 --stage build")), 0);
    QCOMPARE(m_cli.out.count(u'\n'), qsizetype(250'001));
    QVERIFY(m_cli.out.endsWith(u"\nline 249999\n"));
}

void TestLogStage::sweepOptions_areChecked_data()
{
    QTest::addColumn<QString>("word");
    const auto row = [](const char* line, const char* word) {
        QTest::newRow(line) << QString::fromLatin1(word);
    };
    row("run run-a-command --site demo --array", "--array requires --sweep");
    row("run run-a-command --site demo --at-once 2", "--at-once requires --sweep");
    row("run run-a-command --site demo --sweep cpus=1,2 --at-once 0", "from 1 on");
    row("run run-a-command --site demo --sweep cpus=1,2 --at-once x", "from 1 on");
    row("run run-a-command --site demo --sweep cpus=1,2 --array --no-array", "exclude each other");
}

void TestLogStage::sweepOptions_areChecked()
{
    QFETCH(QString, word);
    QCOMPARE(m_cli.run(QString::fromLatin1(QTest::currentDataTag())), 2);
    QVERIFY2(m_cli.err.contains(word), qPrintable(m_cli.err));
}

SLIPWAY_TEST(TestLogStage, cli_logstage)
#include "tst_logstage.moc"
