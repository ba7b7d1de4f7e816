// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runstore.h"
#include "rig.h"
#include "tests/support/awaited.h"
#include "tests/support/svgtexts.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparepage.h"
#include "ui/launch/launchpage.h"
#include "ui/node/gpucard.h"
#include "ui/parts/differenceview.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/charttable.h"
#include "ui/runs/explanationcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runactions.h"
#include "ui/runs/runheader.h"
#include "ui/runs/runlist.h"
#include "ui/runs/runlistmodel.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/runs/summarycard.h"

#include "plots/charts/metricchart.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>

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
    void search_saysWhatIsWrongAndKeepsTheList();
    void rows_tellRunsApart();
    void clock_namesAnotherDay();
    void oldState_saysOfWhenItIs();
    void boxes_chooseForTheComparison();
    void name_isEditedWhereTheRunIs();
    void groups_areRememberedAndSweepsFold();
    void newRun_keepsThePlaceInTheList();
    void page_showsCurvesAndWords();
    void command_drawsWhatItPrinted();
    void endedRun_drawsItsNodeAgain();
    void reopened_looksTheSame();
    void axisAndLabels_haveOneUnit();
    void logarithmicAxis_hasSeveralLabels();
    void failedRun_showsTheErrorAndItsExitCode();
    void failedRun_showsItsErrorEachTime();
    void facts_areThoseOfTheLaunch();
    void facts_thatWereNotKept_areUnknown();
    void failedRun_isExplained();
    void explanation_jumpsToItsLine();
    void explanation_relaunchesAndShowsTheDifference();
    void goodRun_hasNoCard();
    void report_isSaved();
    void relaunchTexts_areSentences();
    void hostileNames_arePlain();
    void log_searches();
    void log_ofManyLinesIsSearchedWhole();
    void log_holdsWhenScrolledUp();
    void machineLines_areLeftOutUnlessAskedFor();
    void timeline_countsUp();
    void facts_areOneLine();
    void relaunch_fillsTheForm();
    void keptNodes_offerAShell();
    void commands_areCopiedOneByOne();
    void fetch_startsInAFolderThatExists();
    void files_showResultsFirstWithAPreview();
    void files_areListedOnTheCluster();
    void files_areReadWhenTheWindowGoes();
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
    QTRY_COMPARE(list->model()->rowCount(), 3); // with the heading of the day
    RunList* page = rig.window().runsPage()->list();
    QTest::keyClicks(page->findChild<QLineEdit*>(), u"bert is:failed"_s);
    QTRY_COMPARE(list->model()->rowCount(), 2);
    QCOMPARE(rig.find<QLabel>("runCount")->text(), u"1 of 2"_s);
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_VERIFY(rig.window().runsPage()->showsRun());
    QCOMPARE(rig.find<QLabel>("runTitle")->text(), u"BERT classifier"_s);
}

void TestRuns::search_saysWhatIsWrongAndKeepsTheList()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"aaaa"_s, RunPhase::Done));
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    auto* note = rig.find<QLabel>("runListNote");
    auto* search = rig.window().runsPage()->list()->findChild<QLineEdit*>();
    search->setText(u"loss<much"_s);
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().contains(u"A number is expected"_s), qPrintable(note->text()));
    QCOMPARE(list->model()->rowCount(), 2);
    search->setText(u"is:failed"_s);
    QCOMPARE(note->text(), u"No run matches the search."_s);
    QCOMPARE(list->model()->rowCount(), 0);
    search->clear();
    QVERIFY(!note->isVisible());
    QCOMPARE(list->model()->rowCount(), 2);
}

namespace {

Run trainingRun()
{
    Run run = Rig::sampleRun(u"trai"_s, RunPhase::Done);
    run.sentence = u"Done."_s;
    run.spec.values = {{u"lr"_s, u"3e-4"_s}};
    run.labels = {u"Baseline"_s, {u"paper"_s}, {}};
    run.digest.last = {{u"train_loss"_s, {}, {}, 0.398}};
    run.digest.points = {3, 1, 2};
    return run;
}

} // namespace

void TestRuns::rows_tellRunsApart()
{
    const RunRow done = makeRunRow(trainingRun(), u"Kestrel"_s, {});
    QCOMPARE(done.title, u"Baseline"_s);
    QCOMPARE(done.settings, u"lr 3e-4"_s);
    QCOMPARE(done.tags, u"#paper"_s);
    QCOMPARE(done.text, u"train loss 0.398"_s);
    QCOMPARE(done.place, u"Kestrel · job 42"_s);
    QCOMPARE(durationOf(done), u"6:02"_s);
    QCOMPARE(done.curve, (QPolygonF{{0, 0}, {0.5, 1}, {1, 0.5}}));
    QCOMPARE(done.state.word, u"done"_s);
    Run failed = Rig::sampleRun(u"fail"_s, RunPhase::Failed);
    const RunRow cause = makeRunRow(failed, u"Kestrel"_s, {});
    QVERIFY(cause.failed);
    QCOMPARE(cause.text, failed.error->summary);
    QVERIFY(cause.curve.isEmpty());

    // As the list shows it, painted and read aloud.
    Rig rig;
    rig.addRun(trainingRun());
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    QTRY_COMPARE(list->model()->rowCount(), 2);
    const QString aloud = list->model()->index(1, 0).data(Qt::AccessibleTextRole).toString();
    for (const QString& part : {u"Baseline"_s, u"lr 3e-4"_s, u"done"_s, u"train loss 0.398"_s,
             u"job 42"_s, u"6:02"_s, u"#paper"_s}) {
        QVERIFY2(aloud.contains(part), qPrintable(aloud));
    }
    QVERIFY(!list->grab().isNull());
}

void TestRuns::clock_namesAnotherDay()
{
    const QDateTime when(QDate(2026, 11, 12), QTime(8, 8));
    QCOMPARE(clockText(when, when.addSecs(60)), u"08:08"_s);
    QCOMPARE(clockText(when, when.addDays(1)), u"12 Nov, 08:08"_s);
    QCOMPARE(clockText(when, when.addDays(-1)), u"12 Nov, 08:08"_s); // a time to come
    QCOMPARE(clockText(when, when.addYears(1)), u"12 Nov 2026, 08:08"_s);
    QCOMPARE(clockText(when.toUTC(), when), u"08:08"_s); // whatever zone it was stored in
}

void TestRuns::oldState_saysOfWhenItIs()
{
    Run run = Rig::sampleRun(u"live"_s, RunPhase::Running);
    run.asOf = run.started.addSecs(60);
    ConnectionState connection;
    const RunRow old = makeRunRow(run, u"Kestrel"_s, connection);
    QCOMPARE(old.state.word,
        u"running as of %1"_s.arg(clockText(run.asOf, QDateTime::currentDateTime())));
    QVERIFY(old.state.tint != stateWord(RunPhase::Running).tint);
    QVERIFY(!old.since.isValid()); // the clock stands
    QCOMPARE(durationOf(old), u"1:00"_s);
    // An answer of the scheduler since then counts, after the connection was lost as well.
    connection.phase = ConnectionState::Phase::NeedsUser;
    connection.lastAsked = run.started.addSecs(90);
    QCOMPARE(durationOf(makeRunRow(run, u"Kestrel"_s, connection)), u"1:30"_s);
    connection.phase = ConnectionState::Phase::Connected;
    const RunRow live = makeRunRow(run, u"Kestrel"_s, connection);
    QCOMPARE(live.state.word, u"running"_s);
    QCOMPARE(live.since, run.started);
    run.asOf = {};
    QCOMPARE(makeRunRow(run, u"Kestrel"_s, {}).state.word, u"running when last seen"_s);
    // A run that has ended is what it is.
    const Run ended = Rig::sampleRun(u"done"_s, RunPhase::Done);
    QCOMPARE(makeRunRow(ended, u"Kestrel"_s, {}).state.word, u"done"_s);
}

void TestRuns::boxes_chooseForTheComparison()
{
    Rig rig;
    for (const QString& id : {u"aaaa"_s, u"bbbb"_s, u"cccc"_s}) {
        rig.addRun(Rig::sampleRun(id, RunPhase::Done));
    }
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    auto* compare = rig.find<QPushButton>("compareRuns");
    QTRY_COMPARE(list->model()->rowCount(), 4);
    QVERIFY(!compare->isEnabled());
    QCOMPARE(compare->text(), u"Tick two runs or more"_s);
    const auto row = [list](int number) { return list->model()->index(number, 0); };
    const auto tickOf = [&](int number) { return row(number).data(Qt::CheckStateRole).toInt(); };
    const auto clickBox = [&](int number) {
        const QRect rect = list->visualRect(row(number));
        QTest::mouseClick(
            list->viewport(), Qt::LeftButton, {}, QPoint(rect.left() + 24, rect.center().y()));
    };
    clickBox(1);
    QVERIFY(list->isVisible()); // ticked, not opened
    QCOMPARE(tickOf(1), int(Qt::Checked));
    QCOMPARE(compare->text(), u"Tick one more run"_s);
    clickBox(1);
    QCOMPARE(tickOf(1), int(Qt::Unchecked));
    clickBox(1);
    // The same from the keyboard; a tick outlives a search that does not find its run.
    list->setFocus();
    list->setCurrentIndex(row(3));
    QTest::keyClick(list, Qt::Key_Space);
    QCOMPARE(tickOf(3), int(Qt::Checked));
    QCOMPARE(compare->text(), u"Compare 2 runs"_s);
    auto* search = rig.window().runsPage()->list()->findChild<QLineEdit*>();
    search->setText(u"no such run"_s);
    QVERIFY(compare->isEnabled());
    search->clear();
    QCOMPARE(tickOf(1), int(Qt::Checked));
    QCOMPARE(tickOf(2), int(Qt::Unchecked));
    QSignalSpy asked(rig.window().runsPage()->list(), &RunList::compareRequested);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_C);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.front().front().toStringList().size(), 2);
}

void TestRuns::name_isEditedWhereTheRunIs()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"aaaa"_s, RunPhase::Done));
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    QTRY_COMPARE(list->model()->rowCount(), 2);
    list->setFocus();
    list->setCurrentIndex(list->model()->index(1, 0));
    QTest::keyClick(list, Qt::Key_F2);
    auto* dialog = rig.find<QDialog>("labelDialog");
    QVERIFY(dialog && dialog->isVisible());
    QTest::keyClicks(rig.find<QLineEdit>("labelName"), u"Baseline"_s);
    rig.find<QLineEdit>("labelTags")->setText(u"#paper a\"b"_s);
    rig.find<QPlainTextEdit>("labelNote")->setPlainText(u"for the talk"_s);
    auto* save = rig.find<QPushButton>("labelSave");
    QTest::mouseClick(save, Qt::LeftButton);
    QVERIFY(rig.find<QLabel>("labelProblem")->isVisible());
    rig.find<QLineEdit>("labelTags")->setText(u"#paper"_s);
    QTest::mouseClick(save, Qt::LeftButton);
    QTRY_VERIFY(!rig.find<QDialog>("labelDialog"));
    QCOMPARE(list->model()->index(1, 0).data().toString(), u"Baseline"_s);
    const RunLabels labels = rig.engine().runs()->run(u"aaaa"_s)->labels;
    QCOMPARE(labels.tags, QStringList{u"paper"_s});
    QCOMPARE(labels.note, u"for the talk"_s);
    rig.window().runsPage()->list()->findChild<QLineEdit*>()->setText(u"tag:paper talk"_s);
    QCOMPARE(list->model()->rowCount(), 2);
    rig.window().openRun(u"aaaa"_s);
    QCOMPARE(rig.find<QLabel>("runTitle")->text(), u"Baseline"_s);
    // What another program writes arrives as well.
    RunStore other(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(other.open().ok());
    QVERIFY(other.noteLabels(u"aaaa"_s, {u"Renamed"_s, {}, {}}).ok());
    QTRY_COMPARE(rig.engine().runs()->run(u"aaaa"_s)->labels.name, u"Renamed"_s);
}

void TestRuns::groups_areRememberedAndSweepsFold()
{
    Rig rig;
    for (const QString& id : {u"aaaa"_s, u"bbbb"_s, u"cccc"_s}) {
        Run run = Rig::sampleRun(id, id == u"aaaa" ? RunPhase::Failed : RunPhase::Done);
        run.spec.sweep = id == u"cccc" ? QString() : u"sweep"_s;
        rig.addRun(run);
    }
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    auto* grouping = rig.find<QComboBox>("runGrouping");
    QTRY_COMPARE(list->model()->rowCount(), 4);
    grouping->setFocus();
    QTest::keyClick(grouping, Qt::Key_Down);
    QCOMPARE(list->model()->rowCount(), 2); // the sweep, folded, and the other run
    int heading = 0;
    while (!list->model()->index(heading, 0).data(RunListModel::OpenRole).isValid()) {
        QVERIFY(++heading < 2);
    }
    const QString text = list->model()->index(heading, 0).data().toString();
    QVERIFY2(text.contains(u"2 runs · 1 done, 1 failed"_s), qPrintable(text));
    list->setFocus();
    list->setCurrentIndex(list->model()->index(heading, 0));
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(list->model()->rowCount(), 4);
    QTest::keyClick(list, Qt::Key_Space); // all of them
    QCOMPARE(rig.find<QPushButton>("compareRuns")->text(), u"Compare 2 runs"_s);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(list->model()->rowCount(), 2);
    // Another list begins as this one was left.
    RunList again(&rig.engine());
    QCOMPARE(again.findChild<QComboBox*>()->currentIndex(), grouping->currentIndex());
    QTRY_COMPARE(again.findChild<QListView*>(u"runList"_s)->model()->rowCount(), 2);
}

void TestRuns::newRun_keepsThePlaceInTheList()
{
    Rig rig;
    for (const QString& id : {u"aaaa"_s, u"bbbb"_s}) {
        rig.addRun(Rig::sampleRun(id, RunPhase::Done));
    }
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    QTRY_COMPARE(list->model()->rowCount(), 3);
    list->setCurrentIndex(list->model()->index(2, 0));
    const QString current = list->currentIndex().data(RunListModel::IdRole).toString();
    Run fresh = Rig::sampleRun(u"cccc"_s, RunPhase::Done);
    fresh.created = fresh.created.addSecs(100);
    RunStore other(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(other.open().ok());
    QVERIFY(other.insert(fresh).ok());
    QTRY_VERIFY(list->model()->rowCount() > 3);
    QCOMPARE(list->currentIndex().data(RunListModel::IdRole).toString(), current);
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

namespace {

/// What the agent on the node saw in 60 seconds.
void keepNodeSamples(const Rig& rig, const QString& runId)
{
    const double begin = double(QDateTime::currentSecsSinceEpoch()) - 300;
    QByteArray lines;
    for (int second = 0; second < 60; ++second) {
        lines += R"({"id":"sample","t":)" + QByteArray::number(begin + second, 'f', 1)
            + R"(,"node":"c1","gpus":[],"host":{"cpu":42,"cpus":2,"memory_used":1900000000,)"
              R"("memory_total":4000000000}})"
              "\n";
    }
    QFile file(rig.paths().data % u"/runs/%1/samples.ndjson"_s.arg(runId));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(lines) == lines.size());
}

} // namespace

/// Its own curve is not flattened by the memory of the node, and nobody said what is better.
void TestRuns::command_drawsWhatItPrinted()
{
    Rig rig;
    Run run = Rig::sampleRun(u"mine"_s, RunPhase::Done);
    run.spec.recipeId = u"run-a-command"_s;
    QByteArray log;
    for (int i = 1; i <= 40; ++i) {
        log += "Epoch " + QByteArray::number(i) + "/40 - loss: 0."
            + QByteArray::number(1000 - 10 * i) + " - grad_norm: " + QByteArray::number(i) + '\n';
    }
    rig.addRun(run, log);
    keepNodeSamples(rig, u"mine"_s);
    rig.start();
    rig.window().openRun(u"mine"_s);
    ChartCard* card = rig.window().runsPage()->page()->charts();
    MetricChart* chart = card->chart();
    auto* tabs = card->findChild<QTabBar*>();
    QTRY_COMPARE(tabs->count(), 2);
    QTRY_COMPARE(chart->dataTable().rows.size(), size_t(40));
    QCOMPARE(tabs->tabText(0), u"Loss"_s);
    QCOMPARE(tabs->tabText(1), u"Grad norm"_s);
    QCOMPARE(chart->dataTable().header.size(), 2);
    QCOMPARE(chart->dataTable().header.front(), u"epoch"_s);
    QVERIFY(!chart->spec().higherIsBetter);
    const QStringList painted = svgTexts(chart->picture().svg(QSize(960, 600)));
    QVERIFY2(painted.contains(u"loss"_s) && painted.filter(u"better"_s).isEmpty(),
        qPrintable(painted.join(u'|')));
    QTRY_VERIFY(rig.window().runsPage()->page()->gpus()->isVisible()); // the node, on its own axis
    QTRY_VERIFY2(chart->yRange().high < 2, qPrintable(QString::number(chart->yRange().high)));
    QVERIFY2(!chart->summaryText().contains(u"memory"_s), qPrintable(chart->summaryText()));
    tabs->setCurrentIndex(1);
    QCOMPARE(chart->spec().y.name, u"grad norm"_s);
    QTRY_VERIFY(chart->yRange().high > 35);
    QTest::keyClick(chart, Qt::Key_T);
    auto* dialog = card->findChild<ChartTableDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    auto* table = dialog->findChild<QTableWidget*>();
    QCOMPARE(table->accessibleName(), u"Numbers of Grad norm"_s);
    QCOMPARE(table->rowCount(), 40);
    QCOMPARE(table->currentRow(), 0);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QVERIFY(!dialog->isVisible());
}

void TestRuns::endedRun_drawsItsNodeAgain()
{
    Rig rig;
    Run run = Rig::sampleRun(u"mine"_s, RunPhase::Done);
    run.spec.recipeId = u"run-a-command"_s;
    rig.addRun(run, "step 1 loss 0.5\nstep 2 loss 0.4\n");
    keepNodeSamples(rig, u"mine"_s);
    // The log began again once: the curves of the node go on.
    QFile log(rig.paths().data % u"/runs/mine/log.json"_s);
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write(R"({"inode":"1","restarts":1,"began":[16],"full":false})");
    log.close();
    rig.start();
    rig.window().openRun(u"mine"_s);
    RunPage* page = rig.window().runsPage()->page();
    const auto feed = rig.engine().runs()->holdFeed(u"mine"_s);
    const auto printed = [&] { return feed->series().find(u"loss"_s); };
    QTRY_VERIFY(printed() && printed()->size() == 1); // of the second attempt
    const MetricSeries* cpu = feed->series().find(u"cpu_utilization"_s, u"c1"_s);
    QVERIFY(cpu);
    QCOMPARE(cpu->size(), size_t(60));
    QTRY_VERIFY(page->gpus()->isVisible());
    QCOMPARE(page->gpus()->chart()->dataTable().rows.size(), size_t(60));
    QTRY_VERIFY(page->gpus()->chart()->framesDrawn() > 0);
}

/// The first time, the samples of the node come after the log; after a restart, before it.
void TestRuns::reopened_looksTheSame()
{
    Rig rig;
    Run run = Rig::sampleRun(u"mine"_s, RunPhase::Done);
    run.spec.recipeId = u"run-a-command"_s;
    QByteArray log;
    for (int i = 1; i <= 20; ++i) {
        log += "Epoch " + QByteArray::number(i) + ", Loss: 0." + QByteArray::number(900 - 20 * i)
            + ", Test Loss: 0." + QByteArray::number(950 - 20 * i) + '\n';
    }
    rig.addRun(run, log);
    rig.start();
    QStringList names, colours;
    for (const bool again : {false, true}) {
        if (again) {
            keepNodeSamples(rig, run.id);
            rig.reopen();
        }
        rig.window().openRun(run.id);
        const RunPage* page = rig.window().runsPage()->page();
        const MetricChart* chart = page->charts()->chart();
        QTRY_COMPARE(chart->dataTable().rows.size(), size_t(20));
        const QStringList header = chart->dataTable().header;
        QCOMPARE(header.size(), 3); // epoch and two losses
        const QByteArray svg = chart->picture().svg(QSize(960, 600));
        const QStringList now{svgTextColour(svg, header[1]), svgTextColour(svg, header[2])};
        QVERIFY2(!now.contains(QString()) && now[0] != now[1], qPrintable(now.join(u' ')));
        if (again) {
            QCOMPARE(header, names);
            QCOMPARE(now, colours);
            QTRY_VERIFY(page->gpus()->isVisible());
            QTRY_COMPARE(page->gpus()->chart()->dataTable().rows.size(), size_t(60));
        }
        names = header;
        colours = now;
    }
}

void TestRuns::axisAndLabels_haveOneUnit()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    const MetricChart* chart = rig.window().runsPage()->page()->charts()->chart();
    QTRY_COMPARE(chart->dataTable().rows.size(), size_t(5));
    const QStringList texts = svgTexts(chart->picture().svg(QSize(960, 600)));
    const QString all = texts.join(u'|');
    QVERIFY2(all.contains(u"performance, TFLOP/s"_s), qPrintable(all));
    QVERIFY2(texts.contains(u"0.0862\u00a0TFLOP/s"_s), qPrintable(all));
    QVERIFY2(texts.contains(u"0.0235\u00a0TFLOP/s"_s), qPrintable(all));
    static const QRegularExpression otherUnit(u"^[0-9.]+.[kMG]?FLOP/s$"_s);
    QVERIFY2(texts.filter(otherUnit).isEmpty(), qPrintable(all));
}

void TestRuns::logarithmicAxis_hasSeveralLabels()
{
    Rig rig;
    Run run = Rig::sampleRun(u"mine"_s, RunPhase::Done);
    run.spec.recipeId = u"run-a-command"_s;
    QByteArray log;
    for (int i = 0; i <= 40; ++i) { // less than a decade
        log +=
            "step " + QByteArray::number(i) + " loss 0." + QByteArray::number(950 - 20 * i) + '\n';
    }
    rig.addRun(run, log);
    rig.start();
    rig.window().openRun(u"mine"_s);
    MetricChart* chart = rig.window().runsPage()->page()->charts()->chart();
    QTRY_COMPARE(chart->dataTable().rows.size(), size_t(41));
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_L);
    QVERIFY(chart->isLogarithmicY());
    const QStringList texts = svgTexts(chart->picture().svg(QSize(960, 600)));
    for (const QString& label : {u"0.1"_s, u"0.2"_s, u"0.5"_s}) {
        QVERIFY2(texts.contains(label), qPrintable(texts.join(u'|')));
    }
}

void TestRuns::failedRun_showsTheErrorAndItsExitCode()
{
    Rig rig;
    rig.addRun(
        Rig::sampleRun(u"fail"_s, RunPhase::Failed), "srun: error: gpu01: task 0: Out Of Memory\n");
    rig.start();
    rig.window().openRun(u"fail"_s);
    RunPage* page = rig.window().runsPage()->page();
    // The log shows why, so the card of the error is not there as well.
    auto* title = page->findChild<QLabel*>(u"explanationTitle"_s);
    QTRY_VERIFY(title->isVisible());
    QVERIFY(!page->findChild<QLabel*>(u"errorSummary"_s)->isVisible());
    auto* end = page->findChild<QLabel*>(u"explanationEnd"_s);
    QVERIFY(end->text().contains(u"memory ran out"_s));
    auto* raw = page->findChild<QPlainTextEdit*>(u"explanationRaw"_s);
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
    QVERIFY2(line.contains(u" · time limit 9:00:00 · "_s), qPrintable(line));
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
    rig.addRun(Rig::sampleRun(u"modl"_s, RunPhase::Running),
        "x\nModuleNotFoundError: No module named 'torch'\n");
    rig.start();
    rig.window().openRun(u"done"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    QTRY_VERIFY(view->isComplete() && view->blockCount() > 20);
    QVERIFY(!rig.find<ExplanationCard>("explanationCard")->isVisible());
    // A run that is under way is explained by what it has printed.
    rig.window().openRun(u"live"_s);
    QTRY_COMPARE(rig.find<QLabel>("explanationTitle")->text(), u"The port is already in use"_s);
    QVERIFY(rig.find<ExplanationCard>("explanationCard")->isVisible());
    // What is missing is named.
    rig.window().openRun(u"modl"_s);
    QTRY_COMPARE(rig.find<QLabel>("explanationTitle")->text(), u"Python cannot find “torch”"_s);
}

void TestRuns::report_isSaved()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    QTRY_COMPARE(
        rig.window().runsPage()->page()->charts()->chart()->dataTable().rows.size(), size_t(5));
    // A chart may show a line before its log is known to be read to the end.
    const std::shared_ptr<RunFeed> feed = rig.engine().runs()->holdFeed(u"done"_s);
    QTRY_VERIFY(!feed || feed->isCaughtUp());
    auto* button = rig.find<QPushButton>("reportRun");
    const auto ask = [&]() -> QFileDialog* {
        QTest::mouseClick(button, Qt::LeftButton);
        return rig.window().findChild<QFileDialog*>();
    };
    QFileDialog* dialog = ask();
    QVERIFY(dialog);
    QVERIFY(dialog->directory().exists());
    QVERIFY(dialog->selectedFiles().value(0).endsWith(u"/slipway-done.html"_s));
    QTemporaryDir folder;
    const QString path = folder.filePath(u"report.html"_s);
    emit dialog->fileSelected(path);
    dialog->close();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString html = QString::fromUtf8(file.readAll());
    const Run run = *rig.engine().runs()->run(u"done"_s);
    QVERIFY(html.contains(u"<h1>"_s % run.title.toHtmlEscaped() % u"</h1>"_s));
    QVERIFY2(html.contains(u"<img alt=\""_s), "the chart of the window is in the report");
    QVERIFY2(button->text().contains(u"saved"_s), "the page says so");
    QTRY_VERIFY(!rig.window().findChild<QFileDialog*>());
    dialog = ask();
    QVERIFY(dialog);
    emit dialog->fileSelected(folder.filePath(u"none/report.html"_s));
    dialog->close();
    bool isReported = false;
    for (QLabel* label : rig.window().findChildren<QLabel*>()) {
        isReported |= label->isVisible() && label->text().contains(u"could not be written"_s);
    }
    QVERIFY2(isReported, "an error is shown on the page");
}

void TestRuns::relaunchTexts_areSentences()
{
    QCOMPARE(relaunchVerb({u"memory"_s, u"Memory"_s, u"8G"_s}), u"Run again with memory 8G"_s);
    QCOMPARE(relaunchVerb({u"gpus"_s, u"GPUs"_s, u"1"_s}), u"Run again with GPUs 1"_s);
    QCOMPARE(relaunchVerb({u"reservation"_s, u"Reservation"_s, QString(u""_s)}),
        u"Run again without reservation"_s);
    QCOMPARE(relaunchVerb({u"account"_s, u"Account"_s, {}}), u"Run again with another account…"_s);
    QCOMPARE(relaunchVerb({u"modules"_s, u"Modules"_s, {}}), u"Run again with other modules…"_s);
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
    QTRY_COMPARE(
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
    auto* hits = rig.find<QLabel>("logHits");
    QTRY_COMPARE(hits->text(), u"10 matches"_s);
    QCOMPARE(hits->accessibleName(), u"10 matches"_s); // announced
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(hits->text(), u"1 of 10"_s);
    QTest::keyClick(text, Qt::Key_F3);
    QCOMPARE(hits->text(), u"2 of 10"_s);
    QCOMPARE(hits->accessibleName(), u"2 of 10"_s);
    QTest::keyClick(text, Qt::Key_F3, Qt::ShiftModifier);
    QTest::keyClick(text, Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(hits->text(), u"10 of 10"_s);
    QVERIFY(page->log()->view()->textCursor().block().text().contains(
        u"running test"_s, Qt::CaseInsensitive));
    rig.find<QCheckBox>("logCase")->click();
    QTRY_COMPARE(hits->text(), u"0 matches"_s);
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(!text->isVisible());
    QVERIFY(rig.window().runsPage()->showsRun()); // Esc left the search, not the run
}

/// The view keeps the last 200,000 lines; what is before them is read from the file.
void TestRuns::log_ofManyLinesIsSearchedWhole()
{
    QByteArray log = QByteArray("x\n").repeated(300'000);
    log.replace(2 * 49'999, 1, "a rare word"); // line 50,000
    Rig rig;
    rig.addRun(Rig::sampleRun(u"many"_s, RunPhase::Done), log);
    rig.start();
    rig.window().openRun(u"many"_s);
    LogView* view = rig.window().runsPage()->page()->log()->view();
    QTRY_COMPARE_WITH_TIMEOUT(view->lastNumber(), qint64(300'000), 90'000);
    QCOMPARE(view->firstNumber(), qint64(100'001));
    const QLocale locale;
    const auto shown = [&](qint64 from, qint64 to) {
        return u"Lines %1 to %2 of %3 are shown."_s.arg(
            locale.toString(from), locale.toString(to), locale.toString(300'000));
    };
    auto* part = rig.find<QLabel>("logPart");
    QTRY_COMPARE(part->text(), shown(100'001, 300'000));
    QTest::keyClick(&rig.window(), Qt::Key_F, Qt::ControlModifier);
    auto* text = rig.find<QLineEdit>("logSearch");
    QTRY_VERIFY(text->hasFocus());
    QTest::keyClicks(text, u"a RARE"_s);
    QTRY_COMPARE(rig.find<QLabel>("logHits")->text(), u"1 match"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_COMPARE(view->textCursor().block().text(), u"a rare word"_s);
    QTRY_COMPARE(part->text(), shown(40'000, 60'000));
    QVERIFY(view->viewport()->rect().contains(view->cursorRect().center()));
    QVERIFY(!view->showsEnd() && !view->follows());
    QTest::mouseClick(rig.find<QPushButton>("logEarlier"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(part->text(), shown(1, 39'999), 30'000);
    QVERIFY(!rig.find<QPushButton>("logEarlier")->isVisible());
    QVERIFY(rig.find<QPushButton>("logLater")->isVisible());
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
    // Several pages: the log is about to get the room of the chart, which has nothing to show.
    for (int i = 0; i < 10; ++i)
        QTest::keyClick(view, Qt::Key_PageUp);
    QVERIFY(view->verticalScrollBar()->value() < end);
    QVERIFY(!view->follows());
    QVERIFY(!follow->isChecked());
    QTest::mouseClick(follow, Qt::LeftButton);
    QVERIFY(view->follows());
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

void TestRuns::commands_areCopiedOneByOne()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"live"_s, RunPhase::Running));
    rig.start();
    rig.window().openRun(u"live"_s);
    RunPage* page = rig.window().runsPage()->page();
    page->showTab(RunPage::CommandsTab);
    const QStringList commands = rig.engine().runs()->commands(u"live"_s);
    QVERIFY(commands.contains(u"sbatch --parsable job.sh"_s) && commands.contains(u"scancel 42"_s));
    const QList<QPushButton*> buttons = page->findChildren<QPushButton*>(u"copyCommand"_s);
    QCOMPARE(buttons.size(), commands.size());
    for (qsizetype i = 0; i < buttons.size(); ++i) {
        QCOMPARE(buttons[i]->accessibleName(), QString(u"Copy: "_s % commands[i]));
        QTest::mouseClick(buttons[i], Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), commands[i]);
        QCOMPARE(rig.find<QLabel>("copiedCommand")->text(), QString(u"Copied: "_s % commands[i]));
    }
}

void TestRuns::fetch_startsInAFolderThatExists()
{
    const QTemporaryDir folder;
    const QString missing = folder.filePath(u"Documents"_s);
    QCOMPARE(existingFolder({missing, folder.path(), u"/"_s}), folder.path());
    QCOMPARE(existingFolder({{}, missing}), QString());
}

void TestRuns::files_showResultsFirstWithAPreview()
{
    const QTemporaryDir folder;
    QDir(folder.path()).mkpath(u"results"_s);
    for (const QString& name : {u"job.sh"_s, u"events.ndjson"_s, u"results/curve.csv"_s}) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("size,flops\n256,1\n") > 0);
    }
    QImage picture(40, 30, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QVERIFY(picture.save(folder.filePath(u"results/plot.png"_s)));
    Rig rig;
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    rig.addRun(run);
    RunStore store(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(store.open().ok() && store.noteFetched(run.id, folder.path()).ok());
    rig.start();
    rig.window().openRun(run.id);
    rig.window().runsPage()->page()->showTab(RunPage::FilesTab);
    auto* files = rig.find<QTreeWidget>("runFiles");
    QTRY_COMPARE(files->topLevelItemCount(), 3);
    QCOMPARE(files->topLevelItem(0)->text(0), u"results/curve.csv"_s);
    const QTreeWidgetItem* own = files->topLevelItem(2);
    QCOMPARE(own->text(0), u"Slipway’s own files (2)"_s);
    QVERIFY(!own->isExpanded());
    QVERIFY(rig.find<QLabel>("filesWhere")->text().contains(u"Connect to list them."_s));
    files->setFocus();
    files->setCurrentItem(files->topLevelItem(0));
    auto* text = rig.find<QPlainTextEdit>("previewText");
    QTRY_VERIFY(text->isVisible());
    QCOMPARE(text->toPlainText(), u"size,flops\n256,1\n"_s);
    QTest::keyClick(files, Qt::Key_Down);
    auto* image = rig.find<QLabel>("previewImage");
    QTRY_VERIFY(image->isVisible());
    QCOMPARE(image->accessibleName(), u"results/plot.png, an image of 40 × 30 pixels"_s);
}

void TestRuns::files_areListedOnTheCluster()
{
    Rig rig;
    const auto shell = StubConnector::slurmShell();
    rig.connector().shell = shell;
    const auto list = [&shell](const QByteArrayList& rows) {
        shell->on("find -P .", CommandOutput{0, rows.join('\0') + '\0', {}});
    };
    list({"17 job.sh", "15 results/curve.csv"});
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run);
    rig.start();
    QVERIFY(
        awaited(shell->writeFile(run.folder % u"/results/curve.csv"_s, "size,flops\n1,2\n")).ok());
    rig.window().openRun(run.id);
    rig.window().runsPage()->page()->showTab(RunPage::FilesTab);
    auto* files = rig.find<QTreeWidget>("runFiles");
    auto* where = rig.find<QLabel>("filesWhere");
    auto* again = rig.find<QPushButton>("filesAgain");
    QTRY_VERIFY2(where->text().contains(u"Connect to list them."_s), qPrintable(where->text()));
    QVERIFY(!again->isVisible());
    QCOMPARE(files->topLevelItemCount(), 0);

    rig.connectTo(u"kestrel"_s);
    QTRY_COMPARE(files->topLevelItemCount(), 2);
    QCOMPARE(files->topLevelItem(0)->text(0), u"results/curve.csv"_s);
    QCOMPARE(files->topLevelItem(0)->text(2), QString()); // not on this computer
    QCOMPARE(files->topLevelItem(1)->text(0), u"Slipway’s own files (1)"_s);
    QTRY_VERIFY2(where->text().startsWith(u"On the cluster in "_s % run.folder % u", as of "_s),
        qPrintable(where->text()));
    files->setCurrentItem(files->topLevelItem(0)); // read from there
    auto* text = rig.find<QPlainTextEdit>("previewText");
    QTRY_VERIFY(text->isVisible());
    QCOMPARE(text->toPlainText(), u"size,flops\n1,2\n"_s);

    list({"17 job.sh", "15 results/curve.csv", "3 results/more.txt"});
    QTRY_VERIFY(again->isVisible() && again->isEnabled());
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_COMPARE(files->topLevelItemCount(), 3);
    shell->on("find -P .", CommandOutput{3, {}, {}}); // the folder is gone
    QTRY_VERIFY(again->isEnabled());
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY2(where->text().contains(u"no longer exists"_s), qPrintable(where->text()));
    QCOMPARE(files->topLevelItemCount(), 3); // as it was listed last

    rig.engine().sessions()->disconnectSite(u"kestrel"_s);
    QTRY_VERIFY2(where->text().contains(u"; not connected."_s), qPrintable(where->text()));
    QVERIFY(!again->isVisible());
    QTRY_COMPARE(files->topLevelItemCount(), 3);
}

void TestRuns::files_areReadWhenTheWindowGoes()
{
    Rig rig;
    const auto shell = StubConnector::slurmShell();
    rig.connector().shell = shell;
    shell->on("find -P .", CommandOutput{0, QByteArray("15 results/curve.csv\0", 21), {}});
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run);
    rig.start();
    rig.connectTo(u"kestrel"_s);
    rig.window().openRun(run.id);
    rig.window().runsPage()->page()->showTab(RunPage::FilesTab);
    auto* files = rig.find<QTreeWidget>("runFiles");
    QTRY_COMPARE(files->topLevelItemCount(), 1);
    files->setCurrentItem(files->topLevelItem(0));
    // What reads it is not lost: the check for leaks would report it at the end.
}

SLIPWAY_GUI_TEST(TestRuns, gui_runs)
#include "tst_runs.moc"
