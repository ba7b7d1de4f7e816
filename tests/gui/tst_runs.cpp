// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "support/heartbeat.h"
#include "ui/parts/timeline.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runheader.h"
#include "ui/runs/runlist.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/runs/wordscard.h"

#include "plots/charts/metricchart.h"

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// Runs as they were kept, through the real store, feed and pipeline.
class TestRuns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void none_invites();
    void list_isSearched();
    void page_showsCurvesAndWords();
    void failedRun_showsTheErrorAndItsExitCode();
    void hostileNames_arePlain();
    void log_searches();
    void log_holdsWhenScrolledUp();
    void longLog_neverHoldsTheWindow();
    void machineLines_areLeftOutUnlessAskedFor();
    void timeline_countsUp();
    void facts_areOneLine();
    void runAgain_fillsTheForm();
};

void TestRuns::none_invites()
{
    Rig rig;
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    bool invited = false;
    for (QLabel* label : rig.window().findChildren<QLabel*>()) {
        invited |= label->isVisible()
            && label->text() == u"No runs yet. Launch one, or start the demo cluster."_s;
    }
    QVERIFY(invited);
}

void TestRuns::list_isSearched()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"aaaa"_s, RunPhase::Done));
    Run other = Rig::sampleRun(u"bbbb"_s, RunPhase::Failed);
    other.title = u"BERT classifier"_s;
    rig.addRun(other);
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    QTRY_COMPARE(list->model()->rowCount(), 2);
    RunList* page = rig.window().runsPage()->list();
    QTest::keyClicks(page->findChild<QLineEdit*>(), u"bert"_s);
    QTRY_COMPARE(list->model()->rowCount(), 1);
    list->setFocus();
    list->setCurrentIndex(list->model()->index(0, 0));
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_VERIFY(rig.window().runsPage()->showsRun());
    QCOMPARE(rig.find<QLabel>("runTitle")->text(), u"BERT classifier"_s);
}

void TestRuns::page_showsCurvesAndWords()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    RunPage* page = rig.window().runsPage()->page();
    QTRY_VERIFY(page->log()->view()->isComplete() && page->log()->view()->blockCount() > 20);
    QCOMPARE(page->log()->view()->document()->firstBlock().text(),
        u"INFO:    gocryptfs not found, will not be able to use gocryptfs"_s);
    QVERIFY(!page->charts()->isEmpty());
    QTRY_VERIFY(rig.find<QLabel>("chartSummary")->text().contains(u"FLOP/s"_s));
    QTRY_COMPARE(page->charts()->chart()->dataTable().rows.size(), size_t(5));
    QStringList words;
    for (QLabel* label : page->findChild<WordsCard*>()->findChildren<QLabel*>()) {
        words << label->text();
    }
    QVERIFY2(words.join(u'\n').contains(u"EPYC 7763"_s), qPrintable(words.join(u'\n')));
    QVERIFY(words.contains(u"Done in 6:12, exit code 0."_s));
}

void TestRuns::failedRun_showsTheErrorAndItsExitCode()
{
    Rig rig;
    rig.addRun(
        Rig::sampleRun(u"fail"_s, RunPhase::Failed), "srun: error: gpu01: task 0: Out Of Memory\n");
    rig.start();
    rig.window().openRun(u"fail"_s);
    RunPage* page = rig.window().runsPage()->page();
    auto* summary = page->findChild<QLabel*>(u"errorSummary"_s);
    QTRY_VERIFY(summary->isVisible());
    QVERIFY(summary->text().contains(u"memory ran out"_s));
    auto* raw = page->findChild<QPlainTextEdit*>(u"errorRaw"_s);
    QVERIFY(!raw->isVisible());
    QVERIFY(raw->toPlainText().contains(u"oom_kill"_s));
    bool exitCode = false;
    for (QLabel* label : page->findChild<WordsCard*>()->findChildren<QLabel*>()) {
        exitCode |= label->text() == u"Exit code 1"_s;
    }
    QVERIFY(exitCode);
    QVERIFY(rig.find<QPushButton>("runAgain")->isVisible());
    QVERIFY(!rig.find<QPushButton>("cancelRun")->isVisible());
}

void TestRuns::hostileNames_arePlain()
{
    const QString hostile = u"<img src=\"file:///etc/passwd\"> & <b>bold</b>"_s;
    Rig rig;
    Run run = Rig::sampleRun(u"evil"_s, RunPhase::Failed);
    run.title = run.sentence = run.nodeList = hostile;
    run.error = Error{ErrorKind::JobFailed, hostile, hostile, hostile.toUtf8()};
    for (RunStage& stage : run.stages) {
        stage.title = stage.detail = hostile;
    }
    rig.addRun(run, hostile.toUtf8() + "\n@slipway {\"event\":\"failed\",\"text\":\"<b>x</b>\"}\n");
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    rig.window().openRun(u"evil"_s);
    QTest::qWait(200);
    for (QLabel* label : rig.window().findChildren<QLabel*>()) {
        QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
    }
    for (QWidget* widget : rig.window().findChildren<QWidget*>()) {
        QVERIFY2(!widget->toolTip().contains(u"<img"_s), qPrintable(widget->toolTip()));
    }
    QCOMPARE(rig.find<QLabel>("runTitle")->text(), hostile);
    QCOMPARE(
        rig.window().runsPage()->page()->log()->view()->document()->firstBlock().text(), hostile);
}

void TestRuns::log_searches()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    RunPage* page = rig.window().runsPage()->page();
    QTRY_VERIFY(page->log()->view()->isComplete() && page->log()->view()->blockCount() > 20);
    QTest::keyClick(&rig.window(), Qt::Key_F, Qt::ControlModifier);
    auto* text = rig.find<QLineEdit>("logSearch");
    QTRY_VERIFY(text->isVisible() && text->hasFocus());
    QTest::keyClicks(text, u"running TEST"_s);
    QCOMPARE(rig.find<QLabel>("logHits")->text(), u"10 hits"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(rig.find<QLabel>("logHits")->text(), u"1 of 10"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(rig.find<QLabel>("logHits")->text(), u"2 of 10"_s);
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(!text->isVisible());
    QVERIFY(rig.window().runsPage()->showsRun()); // Esc left the search, not the run
}

void TestRuns::log_holdsWhenScrolledUp()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"long"_s, RunPhase::Done), QByteArray("a line\n").repeated(2000));
    rig.start();
    rig.window().openRun(u"long"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    QTRY_COMPARE(view->blockCount(), 2000);
    QVERIFY(view->follows());
    auto* follow = rig.find<QPushButton>("followLog");
    const int end = view->verticalScrollBar()->value();
    QVERIFY(end > 0);
    QTest::keyClick(view, Qt::Key_PageUp);
    QVERIFY(view->verticalScrollBar()->value() < end);
    QTRY_VERIFY(!view->follows());
    QVERIFY(!follow->isChecked());
    QTest::mouseClick(follow, Qt::LeftButton);
    QVERIFY(view->follows());
}

void TestRuns::longLog_neverHoldsTheWindow()
{
    QByteArray log;
    for (int i = 0; i < 200'000; ++i) {
        log += "Epoch [" + QByteArray::number(i) + "/200000], Train Loss: 0.5145\n";
    }
    Rig rig;
    rig.addRun(Rig::sampleRun(u"huge"_s, RunPhase::Done), log);
    rig.start();
    rig.window().openRun(u"huge"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    Heartbeat heartbeat;
    QTRY_COMPARE_WITH_TIMEOUT(view->blockCount(), 200'000, 90'000);
    QVERIFY2(heartbeat.worst() < 250, qPrintable(u"held up for %1 ms"_s.arg(heartbeat.worst())));
}

void TestRuns::machineLines_areLeftOutUnlessAskedFor()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    QTRY_VERIFY(view->isComplete() && view->blockCount() > 20);
    QVERIFY(!view->toPlainText().contains(u"@slipway"_s));
    QTest::mouseClick(rig.find<QPushButton>("allLines"), Qt::LeftButton);
    QTRY_VERIFY(view->toPlainText().contains(u"@slipway"_s));
    QTRY_COMPARE(view->toPlainText().toUtf8() + '\n', Rig::sampleLog());
}

void TestRuns::timeline_countsUp()
{
    const QDateTime begin = QDateTime::currentDateTimeUtc();
    RunStage stage{u"run"_s, u"CPU"_s, StageState::Running, begin, {}, {}};
    auto parts = timelineParts({stage}, begin.addSecs(221));
    QCOMPARE(parts.at(0).note, u"3:41"_s);
    stage.state = StageState::Done;
    stage.end = begin.addSecs(65);
    QCOMPARE(timelineParts({stage}, begin.addSecs(500)).at(0).note, u"1:05"_s);
    stage.end.reset(); // an end that nobody wrote down has no duration
    QCOMPARE(timelineParts({stage}, begin.addSecs(500)).at(0).note, QString());
}

void TestRuns::facts_areOneLine()
{
    Run run = Rig::sampleRun(u"k3f9"_s, RunPhase::Running);
    const RunFacts facts{u"Demo cluster"_s, u"gpu"_s, u"01:00:00"_s, true};
    const QString line = factsLine(run, facts, run.started.addSecs(240));
    QCOMPARE(line,
        u"job 42 · Demo cluster · gpu · node gpu01 · 56:00 left of 1:00:00 · /scratch/…/slipway/2026-11-20-matmul-scaling-k3f9"_s);
}

void TestRuns::runAgain_fillsTheForm()
{
    Rig rig;
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    run.spec.values.insert(u"sizes"_s, u"256,512"_s);
    rig.addRun(run, Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    QTest::mouseClick(rig.find<QPushButton>("runAgain"), Qt::LeftButton);
    auto* sizes = rig.find<QLineEdit>("input-sizes");
    QTRY_VERIFY(sizes && sizes->isVisible());
    QCOMPARE(sizes->text(), u"256,512"_s);
}

QTEST_MAIN(TestRuns)
#include "tst_runs.moc"
