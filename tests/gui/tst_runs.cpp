// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "support/heartbeat.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparepage.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/differenceview.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/explanationcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runheader.h"
#include "ui/runs/runlist.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/runs/summarycard.h"

#include "plots/charts/metricchart.h"

#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>

#include <algorithm>

using namespace slipway;
using namespace Qt::StringLiterals;

/// Runs as they were kept, through the real store, feed and pipeline.
class TestRuns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void none_showsWhatToDo();
    void list_isSearched();
    void fiveHundredRuns_changeAndScrollSmoothly();
    void page_showsCurvesAndWords();
    void failedRun_showsTheErrorAndItsExitCode();
    void failedRun_showsItsErrorEachTime();
    void facts_areThoseOfTheLaunch();
    void facts_thatWereNotKept_areUnknown();
    void failedRun_isExplained();
    void explanation_jumpsToItsLine();
    void explanation_relaunchesAndShowsTheDifference();
    void goodRun_hasNoCard();
    void relaunchTexts_areSentences();
    void hostileNames_arePlain();
    void log_searches();
    void log_holdsWhenScrolledUp();
    void longLog_neverHoldsTheWindow();
    void machineLines_areLeftOutUnlessAskedFor();
    void timeline_countsUp();
    void facts_areOneLine();
    void relaunch_fillsTheForm();
    void keptNodes_offerAShell();
};

void TestRuns::none_showsWhatToDo()
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

/// The targets for 500 jobs: a change shows within 50 ms, and the list scrolls at 50 frames a
/// second.
void TestRuns::fiveHundredRuns_changeAndScrollSmoothly()
{
    constexpr int runs = 500;
    Rig rig;
    for (int i = 0; i < runs; ++i) {
        rig.addRun(Rig::sampleRun(u"r%1"_s.arg(i, 3, 10, QLatin1Char('0')),
            i % 3 == 0 ? RunPhase::Failed : RunPhase::Done));
    }
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    QTRY_VERIFY(list->isVisible());
    QCOMPARE(list->model()->rowCount(), runs);
    const auto median = [](int times, const auto& work) {
        std::vector<qint64> took;
        for (int i = 0; i < times; ++i) {
            QElapsedTimer timer;
            timer.start();
            work(i);
            took.push_back(timer.nsecsElapsed() / 1000);
        }
        std::nth_element(took.begin(), took.begin() + times / 2, took.end());
        return double(took[size_t(times / 2)]) / 1000;
    };
    const double change = median(21, [&](int i) {
        emit rig.engine().runs()->runChanged(u"r%1"_s.arg(i * 20, 3, 10, QLatin1Char('0')));
        list->viewport()->repaint();
    });
    QScrollBar* bar = list->verticalScrollBar();
    QVERIFY(bar->maximum() > 10 * list->viewport()->height());
    const double frame = median(100, [&](int i) {
        bar->setValue(bar->maximum() * i / 100);
        list->viewport()->repaint();
    });
    qInfo("a change %.1f ms, a frame %.1f ms", change, frame);
    QVERIFY2(change < 50, qPrintable(QString::number(change)));
    QVERIFY2(frame < 20, qPrintable(QString::number(frame)));
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
    for (QLabel* label : page->findChild<SummaryCard*>()->findChildren<QLabel*>()) {
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
    for (QLabel* label : page->findChild<SummaryCard*>()->findChildren<QLabel*>()) {
        exitCode |= label->text() == u"Exit code 1"_s;
    }
    QVERIFY(exitCode);
    QVERIFY(rig.find<QPushButton>("runAgain")->isVisible());
    QVERIFY(!rig.find<QPushButton>("cancelRun")->isVisible());
}

void TestRuns::failedRun_showsItsErrorEachTime()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"fail"_s, RunPhase::Failed));
    rig.addRun(Rig::sampleRun(u"good"_s, RunPhase::Done));
    rig.start();
    rig.window().openRun(u"fail"_s);
    auto* summary = rig.window().runsPage()->page()->findChild<QLabel*>(u"errorSummary"_s);
    QTRY_VERIFY(summary->isVisible());
    rig.window().openRun(u"good"_s);
    QTRY_VERIFY(!summary->isVisible());
    rig.window().openRun(u"fail"_s);
    QTRY_VERIFY(summary->isVisible());
}

void TestRuns::keptNodes_offerAShell()
{
    Rig rig;
    Run run = Rig::sampleRun(u"kept"_s, RunPhase::Allocated);
    run.spec.mode = LaunchMode::Interactive;
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run);
    rig.setSteps(run.id,
        R"({"shell":{"node":"srun --jobid={job} --overlap --pty bash -l",)"
        R"("container":"srun --jobid={job} --overlap --pty apptainer shell --nv /x.sif"}})");
    rig.addRun(Rig::sampleRun(u"live"_s, RunPhase::Running));
    rig.start();
    rig.window().openRun(u"live"_s);
    QVERIFY(!rig.find<QWidget>("shellCard")->isVisible());
    rig.window().openRun(run.id);
    QTRY_VERIFY(rig.find<QWidget>("shellCard")->isVisible());
    auto* place = rig.find<QComboBox>("shellPlace");
    auto* line = rig.find<QLineEdit>("shellLine");
    const QString onLogin =
        u"cd "_s % run.folder % u" && srun --jobid=42 --overlap --pty bash -l"_s;
    QCOMPARE(place->count(), 3);
    QCOMPARE(line->text(), u"ssh -t kestrel-gpu.hpc.nrel.gov \"bash -lc '"_s % onLogin % u"'\""_s);
    place->setFocus();
    QTest::keyClick(place, Qt::Key_Down);
    QCOMPARE(line->text(), onLogin);
    QTest::keyClick(place, Qt::Key_Down);
    QVERIFY(
        line->text().endsWith(u"srun --jobid=42 --overlap --pty apptainer shell --nv /x.sif"_s));
    // The choice outlives what else changes of the run.
    emit rig.engine().runs()->runChanged(run.id);
    QCOMPARE(place->currentIndex(), 2);
    QGuiApplication::clipboard()->clear();
    QTest::mouseClick(rig.find<QPushButton>("copyShell"), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), line->text());
}

void TestRuns::facts_areThoseOfTheLaunch()
{
    Rig rig;
    Run run = Rig::sampleRun(u"live"_s, RunPhase::Running);
    run.spec.values.insert(u"partition"_s, u"gpu"_s);
    rig.addRun(run);
    rig.setFacts(run.id,
        R"({"site":"Demo, as it was","partition":"old-gpu","image":"docker://x/then:2",)"
        R"("values":{"time":"9:00:00"}})");
    rig.start();
    rig.window().openRun(run.id);
    const QString line = rig.find<ElidedLabel>("runFacts")->text();
    QVERIFY2(line.contains(u"Demo, as it was · old-gpu · "_s), qPrintable(line));
    QVERIFY2(line.contains(u" left of 9:00:00"_s), qPrintable(line));
    const auto compared = [&] { return rig.window().comparePage()->model()->runs(); };
    rig.window().compareRuns({run.id});
    QTRY_COMPARE(compared().size(), size_t(1));
    QCOMPARE(compared().front().image, u"then:2"_s);
    QCOMPARE(compared().front().site, u"Demo, as it was"_s);
}

void TestRuns::facts_thatWereNotKept_areUnknown()
{
    Rig rig;
    const Run run = Rig::sampleRun(u"live"_s, RunPhase::Running);
    rig.addRun(run);
    rig.setFacts(run.id, {});
    rig.start();
    rig.window().openRun(run.id);
    const QString line = rig.find<ElidedLabel>("runFacts")->text();
    QVERIFY2(line.contains(u"demo · partition unknown · node gpu01 · time limit unknown · "_s),
        qPrintable(line));
    rig.window().compareRuns({run.id});
    QTRY_COMPARE(rig.window().comparePage()->model()->runs().size(), size_t(1));
    QCOMPARE(rig.window().comparePage()->model()->runs().front().image, u"unknown"_s);
}

namespace {

const QByteArray memoryLog = "@slipway {\"event\":\"running\",\"text\":\"x\"}\nloading\n"
    + QByteArray("working on it\n").repeated(500)
    + "slurmstepd: error: Detected 1 oom_kill event in StepId=42.0. Some of the step tasks have "
      "been "
      "OOM Killed.\n"
    + QByteArray("bye\n").repeated(100);

Run memoryRun()
{
    Run run = Rig::sampleRun(u"oom"_s, RunPhase::Failed);
    run.spec.values.insert(u"memory"_s, u"4G"_s);
    run.explanations.push_back(
        {u"F22"_s, 503, u"slurmstepd: error: Detected 1 oom_kill event in StepId=42.0."_s,
            u"The job ran out of memory"_s, u"It used more main memory than it had asked for."_s,
            u"Request more memory."_s, Explanation::Severity::Fault,
            FieldChange{u"memory"_s, FieldChange::Kind::Double, u"8G"_s}});
    run.explanations.push_back({u"F25"_s, 2, u"loading"_s, u"The port is already in use"_s,
        u"Why."_s, u"Do."_s, Explanation::Severity::Fault, {}});
    run.explanations.push_back({u"F39"_s, 2, u"loading"_s, u"The note is harmless"_s, u"So."_s,
        u"Nothing."_s, Explanation::Severity::Note, {}});
    return run;
}

} // namespace

void TestRuns::failedRun_isExplained()
{
    Rig rig;
    rig.addRun(memoryRun(), memoryLog);
    rig.start();
    rig.window().openRun(u"oom"_s);
    auto* card = rig.find<ExplanationCard>("explanationCard");
    QTRY_VERIFY(card->isVisible());
    QCOMPARE(rig.find<QLabel>("explanationTitle")->text(), u"The job ran out of memory"_s);
    QVERIFY(rig.find<QLabel>("explanationCause")->isVisible());
    QCOMPARE(rig.find<QLabel>("explanationRemedy")->text(), u"Request more memory."_s);
    auto* evidence = rig.find<QPushButton>("explanationEvidence");
    QVERIFY(evidence->text().startsWith(u"Line 503: slurmstepd"_s));
    QVERIFY(evidence->accessibleName().contains(u"StepId=42.0"_s));
    QCOMPARE(rig.find<QPushButton>("explanationAgain")->text(), u"Run again with memory 8G"_s);
    // The other one is a key press away, and the note is in the summary.
    QPushButton* other = nullptr;
    for (QPushButton* button : card->findChildren<QPushButton*>()) {
        other = button->accessibleName() == u"Also: The port is already in use"_s ? button : other;
    }
    QVERIFY(other);
    other->setFocus();
    QTest::keyClick(other, Qt::Key_Space);
    QTRY_COMPARE(rig.find<QLabel>("explanationTitle")->text(), u"The port is already in use"_s);
    QVERIFY(!rig.find<QPushButton>("explanationAgain")->isVisible());
    QStringList words;
    for (QLabel* label : rig.find<SummaryCard>("summaryCard")->findChildren<QLabel*>()) {
        words << label->text();
    }
    QVERIFY2(words.contains(u"The note is harmless. So."_s), qPrintable(words.join(u'\n')));
}

void TestRuns::explanation_jumpsToItsLine()
{
    Rig rig;
    rig.addRun(memoryRun(), memoryLog);
    rig.start();
    rig.window().openRun(u"oom"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    QTRY_VERIFY(view->isComplete() && view->blockCount() > 600);
    rig.window().runsPage()->page()->showTab(RunPage::ScriptTab);
    QTest::mouseClick(rig.find<QPushButton>("explanationEvidence"), Qt::LeftButton);
    QVERIFY(view->isVisible());
    QVERIFY2(view->textCursor().block().text().contains(u"oom_kill"_s),
        qPrintable(view->textCursor().block().text()));
    QVERIFY(!view->follows());
    QVERIFY(view->viewport()->rect().contains(view->cursorRect().center()));
}

void TestRuns::explanation_relaunchesAndShowsTheDifference()
{
    Rig rig;
    rig.addRun(memoryRun(), memoryLog);
    rig.start();
    rig.window().openRun(u"oom"_s);
    auto* again = rig.find<QPushButton>("explanationAgain");
    QTRY_VERIFY(again->isVisible());
    again->setFocus();
    QTest::keyClick(again, Qt::Key_Space);
    auto* difference = rig.find<DifferenceView>("difference");
    QTRY_VERIFY(difference && difference->isVisible());
    QVERIFY(difference->hasFocus());
    QCOMPARE(rig.window().launchPage()->spec().values.value(u"memory"_s), u"8G"_s);
    const QString text = difference->toPlainText();
    QVERIFY2(text.contains(u"\n-#SBATCH --mem=4G"_s) && text.contains(u"\n+#SBATCH --mem=8G"_s),
        qPrintable(text));
    QVERIFY(text.startsWith(u"@@ -"_s));
    QCOMPARE(difference->accessibleDescription(), u"1 line removed, 1 line added"_s);
    QCOMPARE(difference->accessibleName(), u"Differences between the two scripts"_s);
    // The signs are told apart by their ground too, in both looks.
    for (const Theme::Choice choice : {Theme::Choice::Light, Theme::Choice::Dark}) {
        rig.theme().setChoice(choice);
        const auto groundOf = [&](QChar sign) {
            for (QTextBlock block = difference->document()->begin(); block.isValid();
                 block = block.next()) {
                if (block.text().startsWith(sign)) {
                    return block.blockFormat().background().color();
                }
            }
            return QColor();
        };
        QTRY_VERIFY(groundOf(u'-') == Colours::now().soft(Colours::now().error));
        QVERIFY(groundOf(u'+') == Colours::now().soft(Colours::now().done));
    }
    // The whole script is one key away; another launch has nothing to compare with.
    auto* changes = rig.find<QPushButton>("showChanges");
    QTest::mouseClick(changes, Qt::LeftButton);
    QVERIFY(!difference->isVisible());
    rig.window().launchPage()->load(Rig::sampleRun(u"x"_s, RunPhase::Done).spec);
    QVERIFY(!changes->isVisible());
    rig.theme().setChoice(Theme::Choice::Light);
}

void TestRuns::goodRun_hasNoCard()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.addRun(Rig::sampleRun(u"live"_s, RunPhase::Running),
        "x\nOSError: [Errno 98] Address already in use\n");
    rig.start();
    rig.window().openRun(u"done"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    QTRY_VERIFY(view->isComplete() && view->blockCount() > 20);
    QVERIFY(!rig.find<ExplanationCard>("explanationCard")->isVisible());
    // A run that is under way is explained by what it has printed.
    rig.window().openRun(u"live"_s);
    QTRY_COMPARE(rig.find<QLabel>("explanationTitle")->text(), u"The port is already in use"_s);
    QVERIFY(rig.find<ExplanationCard>("explanationCard")->isVisible());
}

void TestRuns::relaunchTexts_areSentences()
{
    QCOMPARE(relaunchVerb({u"memory"_s, u"Memory"_s, u"8G"_s}), u"Run again with memory 8G"_s);
    QCOMPARE(relaunchVerb({u"gpus"_s, u"GPUs"_s, u"1"_s}), u"Run again with GPUs 1"_s);
    QCOMPARE(relaunchVerb({u"reservation"_s, u"Reservation"_s, QString(u""_s)}),
        u"Run again without reservation"_s);
    QCOMPARE(relaunchVerb({u"account"_s, u"Account"_s, {}}), u"Run again with another account…"_s);
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
    QCOMPARE(rig.find<QLabel>("logHits")->text(), u"10 matches"_s);
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
        u"job 42 · Demo cluster · gpu · node gpu01 · 56:00 left of 1:00:00 · "
        u"/scratch/…/slipway/2026-11-20-matmul-scaling-k3f9"_s);
}

void TestRuns::relaunch_fillsTheForm()
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

SLIPWAY_GUI_TEST(TestRuns, gui_runs)
#include "tst_runs.moc"
