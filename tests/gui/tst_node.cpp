// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "nodeexamples.h"
#include "rig.h"
#include "support/heartbeat.h"
#include "tests/support/cputime.h"
#include "tests/support/svgtexts.h"
#include "tests/support/testmain.h"
#include "ui/node/checkmodel.h"
#include "ui/node/curvewords.h"
#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"
#include "ui/runs/runnode.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"

#include "plots/charts/metricchart.h"

#include <QAccessible>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The checks of a node and what its GPUs do: the widgets with values, then in a run's page.
class TestNode : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void rows_areGroupedAndSpoken();
    void attention_comesFirstAndSkippedChecksLast();
    void filter_leavesWhatNeedsAttention();
    void goodNode_needsNone();
    void report_isCopiedAndAnnounced();
    void noReport_saysWhy();
    void rowsThatArrive_keepThePlace();
    void severalNodes_haveGroupsOfTheirOwn();
    void hostileRows_arePlain();
    void words_linkToTheCheck();
    void runPage_opensTheNodeFromItsTimeline();
    void gpuCard_saysOneGpu();
    void gpuCard_choosesOfSeveral();
    void gpuCard_withoutGpuShowsTheCpu();
    void gpuCard_countsTimeInUnitsThatFit_data();
    void gpuCard_countsTimeInUnitsThatFit();
    void curveWords_areNeverCut();
    void gpuCard_saysWhyThereIsNothing();
    void gpuCard_saysOnlyWhatIsKnown();
    void tracks_areBounded();
    void liveSamples_neverHoldTheLoop();
    void keys_walkTheChecks();

private:
    static QStringList shown(const CheckModel& model);
};

QStringList TestNode::shown(const CheckModel& model)
{
    QStringList lines;
    for (int i = 0; i < model.rowCount(); ++i) {
        const CheckRow* row = model.check(model.index(i));
        lines << (row ? row->id : u"["_s % model.heading(model.index(i)) % u"]"_s);
    }
    return lines;
}

void TestNode::rows_areGroupedAndSpoken()
{
    CheckModel model;
    model.setReport(readNodeReport(missingNvRows()));
    const QStringList lines = shown(model);
    QCOMPARE(lines.mid(0, 3),
        (QStringList{
            u"[Host and container compared]"_s, u"container.gpu"_s, u"[On the host, gpu01]"_s}));
    QVERIFY(lines.indexOf(u"[In the container]"_s) > lines.indexOf(u"pcie"_s));
    QCOMPARE(model.headingCounts(model.index(0)), u"1 failed"_s);
    const QModelIndex pcie = model.find(u"pcie"_s, CheckState::Warn);
    QVERIFY(pcie.isValid());
    const QString heard = pcie.data(Qt::AccessibleTextRole).toString();
    QCOMPARE(heard,
        u"PCIe, warning. 8 lanes at 16 GT/s. expected 16 lanes at 32 GT/s, measured under load. "
        u"Copies between CPU and "
        "GPU 1 run at a quarter of their speed. What to do: Tell the site which node and GPU it "
        "is; a job that rarely "
        "copies will not feel it"_s);
    for (const CheckState state :
        {CheckState::Ok, CheckState::Warn, CheckState::Fail, CheckState::Skip}) {
        QVERIFY(stateWord(state).sign != Sign::None && !stateWord(state).word.isEmpty());
    }
}

void TestNode::attention_comesFirstAndSkippedChecksLast()
{
    NodePage page;
    page.resize(900, 500);
    page.show();
    // A node whose host has nothing to say, before one with a warning.
    page.setReport(readNodeReport(R"({"id":"mig","state":"skip","where":"host","node":"a"}
{"id":"cpu","state":"ok","where":"host","node":"a"}
{"id":"ecc","state":"skip","where":"host","node":"b"}
{"id":"cpu","state":"ok","where":"host","node":"b"}
{"id":"disk","state":"warn","where":"host","node":"b"}
{"id":"pcie","state":"fail","where":"host","node":"b"}
)"),
        {});
    auto* list = page.findChild<QListView*>(u"nodeChecks"_s);
    const auto& model = *static_cast<CheckModel*>(list->model());
    const QStringList folded{u"[On the host, b]"_s, u"pcie"_s, u"disk"_s, u"cpu"_s,
        u"[On the host, a]"_s, u"cpu"_s, u"[2 skipped checks]"_s};
    QCOMPARE(shown(model), folded);
    const QStringList unfolded =
        folded + QStringList{u"[On the host, b]"_s, u"ecc"_s, u"[On the host, a]"_s, u"mig"_s};
    list->setFocus();
    list->setCurrentIndex(model.index(0));
    QTest::keyClick(list, Qt::Key_End);
    const QString spoken = list->currentIndex().data(Qt::AccessibleTextRole).toString();
    QVERIFY2(spoken.startsWith(u"2 skipped checks, hidden."_s), qPrintable(spoken));
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(shown(model), unfolded);
    QVERIFY(model.isFold(list->currentIndex()));
    QTest::mouseClick(
        list->viewport(), Qt::LeftButton, {}, list->visualRect(list->currentIndex()).center());
    QCOMPARE(shown(model), folded);
    page.showCheck(u"mig"_s, CheckState::Skip);
    QCOMPARE(shown(model), unfolded);
    QCOMPARE(model.check(list->currentIndex())->id, u"mig"_s);
}

void TestNode::filter_leavesWhatNeedsAttention()
{
    NodePage page;
    page.resize(900, 600);
    page.show();
    page.setReport(readNodeReport(missingNvRows()), {});
    auto* list = page.findChild<QListView*>(u"nodeChecks"_s);
    const int all = list->model()->rowCount();
    auto* only = page.findChild<QCheckBox*>(u"nodeOnlyAttention"_s);
    QCOMPARE(only->text(), u"Only what needs attention (4)"_s);
    only->setFocus();
    QTest::keyClick(only, Qt::Key_Space);
    const QStringList lines = shown(*static_cast<CheckModel*>(list->model()));
    QCOMPARE(lines,
        (QStringList{u"[Host and container compared]"_s, u"container.gpu"_s,
            u"[On the host, gpu01]"_s, u"pcie"_s, u"disk"_s, u"[In the container]"_s,
            u"lib.libcuda"_s}));
    QTest::keyClick(only, Qt::Key_Space);
    QCOMPARE(list->model()->rowCount(), all);
    QVERIFY(page.findChild<QLabel*>(u"nodeSentence"_s)
                ->text()
                .startsWith(u"gpu01 has 2 × H100 80GB HBM3, driver 580.65.06"_s));
    QCOMPARE(page.findChild<QLabel*>(u"nodeCounts"_s)->text(),
        u"2 failed, 2 warnings, 11 ok, 4 skipped"_s);
}

void TestNode::goodNode_needsNone()
{
    NodePage page;
    page.setReport(readNodeReport(goodRows()), {});
    page.setOnlyAttention(true);
    page.show();
    QVERIFY(!page.findChild<QListView*>(u"nodeChecks"_s)->isVisible());
    QCOMPARE(page.findChild<QLabel*>(u"nodeNone"_s)->text(), u"Nothing needs attention."_s);
}

void TestNode::report_isCopiedAndAnnounced()
{
    NodePage page;
    page.show();
    const NodeReport report = readNodeReport(missingNvRows());
    page.setReport(report, {});
    QTest::mouseClick(page.findChild<QPushButton*>(u"nodeCopy"_s), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), nodeReportText(report));
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"pcie"_s));
    auto* note = page.findChild<QLabel*>(u"nodeNote"_s);
    QCOMPARE(note->text(), u"Copied: 19 checks."_s);
    QCOMPARE(note->accessibleName(), note->text()); // what an alert was sent for
    page.setReport(report, {}, false); // the same again takes the answer not away
    QCOMPARE(note->text(), u"Copied: 19 checks."_s);
}

void TestNode::noReport_saysWhy()
{
    Run run = Rig::sampleRun(u"x"_s, RunPhase::Running);
    QCOMPARE(whyNoReport(run, true, 0), u"This job has no GPU check."_s);
    RunStage check;
    check.id = u"check"_s;
    run.stages.push_back(check);
    QCOMPARE(whyNoReport(run, true, 0), u"The node is being checked."_s);
    QVERIFY(whyNoReport(run, false, 0).startsWith(u"Not connected"_s));
    QVERIFY(whyNoReport(run, true, 7).startsWith(u"The report could not be read"_s));
    run.phase = RunPhase::Queued;
    QCOMPARE(whyNoReport(run, true, 0), u"The job has not started yet."_s);
    run.phase = RunPhase::Done;
    QVERIFY(whyNoReport(run, true, 0).contains(u"not checked"_s));
    run.started = {};
    QCOMPARE(whyNoReport(run, true, 0), u"The job ended before a node was allocated."_s);
    NodePage page;
    page.show();
    page.setReport({}, u"This job has no GPU check."_s);
    auto* none = page.findChild<QLabel*>(u"nodeNone"_s);
    QVERIFY(none->isVisible());
    QCOMPARE(none->text(), u"This job has no GPU check."_s);
    QVERIFY(!page.findChild<QPushButton*>(u"nodeCopy"_s)->isVisible());
    page.setReport(readNodeReport("not json\nat all\n"), u"The report could not be read."_s);
    QVERIFY(none->isVisible());
    QCOMPARE(page.findChild<QLabel*>(u"nodeNote"_s)->text(),
        u"2 lines of the report could not be read."_s);
}

void TestNode::rowsThatArrive_keepThePlace()
{
    NodePage page;
    page.resize(900, 500);
    page.show();
    const QByteArray rows = missingNvRows();
    const QByteArray half = rows.left(rows.indexOf("{\"id\":\"container\""));
    page.setReport(readNodeReport(half.left(half.indexOf("{\"id\":\"end\""))), {}, true);
    QVERIFY(page.findChild<QLabel*>(u"nodeNote"_s)->text().contains(u"still running"_s));
    auto* list = page.findChild<QListView*>(u"nodeChecks"_s);
    list->setCurrentIndex(list->model()->index(3, 0));
    const QString id = list->currentIndex().data().toString();
    page.setReport(readNodeReport(rows), {}, true);
    QCOMPARE(list->currentIndex().data().toString(), id);
    QVERIFY(page.findChild<QLabel*>(u"nodeNote"_s)->text().isEmpty());
}

void TestNode::severalNodes_haveGroupsOfTheirOwn()
{
    CheckModel model;
    model.setReport(readNodeReport(goodRows() + goodRows().replace("gpu01", "gpu02")));
    const QStringList lines = shown(model);
    QCOMPARE(
        lines.filter(u"["_s), (QStringList{u"[On the host, gpu01]"_s, u"[On the host, gpu02]"_s}));
}

void TestNode::hostileRows_arePlain()
{
    const QByteArray hostile = "<img src='file:///etc/passwd'> & <b>bold</b>";
    NodePage page;
    page.resize(700, 500);
    page.show();
    page.setReport(readNodeReport("{\"id\":\"<b>x</b>\",\"state\":\"fail\",\"value\":\"" + hostile
                       + "\",\"why\":\"" + hostile + "\",\"fix\":\"" + hostile + "\",\"where\":\""
                       + hostile + "\",\"node\":\"" + hostile + "\"}\n"),
        {});
    for (QLabel* label : page.findChildren<QLabel*>()) {
        QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
    }
    auto* list = page.findChild<QListView*>(u"nodeChecks"_s);
    QVERIFY(list->isVisible() && list->model()->rowCount() == 2);
    for (int i = 0; i < 2; ++i) {
        QVERIFY(list->model()->index(i, 0).data(Qt::ToolTipRole).isNull());
    }
    QVERIFY(!page.grab().isNull());
}

void TestNode::words_linkToTheCheck()
{
    const NodeReport report = readNodeReport(missingNvRows());
    const std::vector<WordLine> lines =
        nodeLines(report, {{true, u"1 of 2 GPUs idle"_s}, {false, u"GPU memory 34 %"_s}});
    QCOMPARE(lines.size(), size_t(5));
    QCOMPARE(lines[0].sign, Sign::Cross);
    QVERIFY2(lines[0].text.startsWith(u"GPUs in the container: none. Start it with --nv"_s),
        qPrintable(lines[0].text));
    QCOMPARE(lines[0].target, u"container.gpu"_s);
    QCOMPARE(lines[1].target, u"lib.libcuda"_s);
    QCOMPARE(lines[1].text, u"libcuda: not found"_s);
    QCOMPARE(lines[2].text, u"2 warnings from the GPU check"_s);
    QCOMPARE(lines[3], (WordLine{Sign::Bang, Tint::Warning, u"1 of 2 GPUs idle"_s}));
    QCOMPARE(lines[4], (WordLine{Sign::Ring, Tint::Second, u"GPU memory 34 %"_s}));
    const std::vector<WordLine> good = nodeLines(readNodeReport(goodRows()), {});
    QCOMPARE(good.size(), size_t(1));
    QCOMPARE(good[0].sign, Sign::Check);
    QVERIFY(good[0].text.contains(u"driver 580.65.06"_s));

    SummaryCard card;
    card.show();
    card.setLines(lines);
    QSignalSpy asked(&card, &SummaryCard::linkRequested);
    QPushButton* link = card.findChildren<QPushButton*>().at(1);
    link->setFocus();
    QTest::keyClick(link, Qt::Key_Space);
    QTRY_COMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toString(), u"lib.libcuda"_s);
    // A warning whose count changes keeps the link, and the focus on it.
    card.setLines(
        nodeLines(report, {{true, u"2 of 2 GPUs idle"_s}, {false, u"GPU memory 35 %"_s}}));
    QVERIFY(link->isVisible());
    QCOMPARE(card.focusWidget(), link);
}

void TestNode::runPage_opensTheNodeFromItsTimeline()
{
    Rig rig;
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    RunStage check;
    check.id = u"check"_s;
    check.title = u"GPU check"_s;
    check.state = StageState::Failed;
    run.stages.insert(run.stages.begin() + 2, check);
    rig.addRun(run, Rig::sampleLog());
    rig.addNodeRows(u"done"_s, missingNvRows());
    rig.start();
    rig.window().openRun(u"done"_s);
    RunPage* page = rig.window().runsPage()->page();
    auto* tabs = page->findChild<QTabBar*>(u"runTabs"_s);
    QTRY_COMPARE(tabs->tabText(RunPage::NodeTab), u"Node (4)"_s);
    auto* timeline = page->findChild<Timeline*>();
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_Return);
    QCOMPARE(tabs->currentIndex(), int(RunPage::NodeTab));
    QVERIFY(page->node()->isVisible());
    page->showTab(RunPage::LiveTab);
    QPushButton* link = nullptr;
    for (QPushButton* button : page->findChild<SummaryCard*>()->findChildren<QPushButton*>()) {
        link = !link && button->text() == u"Show"_s ? button : link;
    }
    QVERIFY(link);
    QTest::mouseClick(link, Qt::LeftButton);
    QTRY_VERIFY(page->node()->isVisible());
    auto* list = page->findChild<QListView*>(u"nodeChecks"_s);
    QCOMPARE(list->currentIndex().data().toString(), checkTitle(u"container.gpu"_s));
    QVERIFY(list->hasFocus());
}

void TestNode::gpuCard_saysOneGpu()
{
    GpuCard card;
    card.resize(420, 240);
    card.show();
    card.setSamples(samplesOver(120, 1));
    auto* values = card.findChild<CurveWords*>(u"gpuValues"_s);
    QCOMPARE(values->words().size(), 2);
    QVERIFY2(values->words().first().endsWith(u" % busy"_s), qPrintable(values->words().first()));
    QCOMPARE(values->words().last(), u"73\u00A0GB of 80"_s);
    const QString facts = card.findChild<ElidedLabel*>(u"gpuFacts"_s)->text();
    QVERIFY2(facts.contains(u" W · 64 °C · 1.98\u00A0GHz"_s), qPrintable(facts));
    QVERIFY(card.summary().startsWith(u"GPU 0, NVIDIA H100 80GB HBM3, 9"_s));
    QCOMPARE(card.accessibleDescription(), card.summary());
    QTRY_VERIFY(card.chart()->framesDrawn() > 0);
    QTRY_VERIFY(
        card.chart()->yRange().high >= 100); // per cent from 0 to 100, whatever the values are
    QCOMPARE(card.chart()->yRange().low, 0.0);
    QVERIFY(card.chart()->dataTable().rows.size() > 100);
    NodeSample held = sampleAt(double(QDateTime::currentSecsSinceEpoch()), 121, 1);
    held.gpus[0].throttle = {u"power limit"_s};
    card.add(held);
    QTRY_VERIFY(
        card.findChild<ElidedLabel*>(u"gpuFacts"_s)->text().contains(u"throttled: power limit"_s));
}

void TestNode::gpuCard_choosesOfSeveral()
{
    GpuCard card;
    card.resize(520, 300);
    card.show();
    card.setSamples(samplesOver(60, 3));
    auto* chooser = card.findChild<QComboBox*>(u"gpuChooser"_s);
    QCOMPARE(chooser->count(), 5); // all, three, and the CPU
    QCOMPARE(chooser->currentText(), u"All 3 GPUs"_s);
    QCOMPARE(card.findChild<ElidedLabel*>(u"gpuTogether"_s)->text(),
        u"2 of 3 busy · memory up to 91 %"_s);
    QCOMPARE(card.chart()->dataTable().header,
        (QStringList{u"time, s"_s, u"GPU 0"_s, u"GPU 1"_s, u"GPU 2"_s}));
    auto* views = card.findChild<QTabBar*>(u"gpuViews"_s);
    QCOMPARE(views->count(), 4);
    views->setCurrentIndex(2);
    QCOMPARE(card.chart()->spec().y.unit, u"W"_s);
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Down);
    QCOMPARE(chooser->currentText(), u"GPU 0"_s);
    QTest::keyClick(chooser, Qt::Key_Down);
    views->setCurrentIndex(0);
    QCOMPARE(card.findChild<CurveWords*>(u"gpuValues"_s)->words().first(), u"0 % busy"_s);
    // Samples that go on leave the choice alone.
    card.add(sampleAt(double(QDateTime::currentSecsSinceEpoch()), 61, 3));
    QTRY_COMPARE(chooser->currentText(), u"GPU 1"_s);
    QTest::keyClick(chooser, Qt::Key_End);
    QCOMPARE(chooser->currentText(), u"CPU"_s);
    QVERIFY(
        card.findChild<CurveWords*>(u"gpuValues"_s)->words().first().endsWith(u"% of 16 CPUs"_s));
}

void TestNode::gpuCard_withoutGpuShowsTheCpu()
{
    GpuCard card;
    card.resize(420, 240);
    card.show();
    card.setSamples(samplesOver(30, 0));
    QVERIFY(!card.findChild<QComboBox*>(u"gpuChooser"_s)->isVisible());
    const QStringList words = card.findChild<CurveWords*>(u"gpuValues"_s)->words();
    QVERIFY2(words.first().endsWith(u"% of 16 CPUs"_s), qPrintable(words.join(u'|')));
    QCOMPARE(words.last(), u"21.6\u00A0GB of 128"_s);
    QVERIFY(card.summary().startsWith(u"CPU, "_s));
}

void TestNode::gpuCard_countsTimeInUnitsThatFit_data()
{
    QTest::addColumn<int>("seconds");
    QTest::newRow("s") << 90;
    QTest::newRow("min") << 600;
    QTest::newRow("h") << 9000;
}

/// "0.005 min" is no time that a person knows.
void TestNode::gpuCard_countsTimeInUnitsThatFit()
{
    QFETCH(int, seconds);
    GpuCard card;
    card.resize(420, 240);
    card.show();
    card.setSamples(samplesOver(seconds, 1));
    const QStringList texts = svgTexts(card.chart()->picture().svg(QSize(720, 400)));
    QVERIFY2(
        texts.contains(QString::fromLatin1(QTest::currentDataTag())), qPrintable(texts.join(u'|')));
    for (const QString& text : texts) {
        QVERIFY2(!text.startsWith(u"0.0"_s), qPrintable(text));
    }
}

/// "1.9…" could be 1.9 or 1.9 million.
void TestNode::curveWords_areNeverCut()
{
    CurveWords words;
    const QStringList whole{u"63 % of 2 CPUs"_s, u"1.9\u00A0GB of 4"_s};
    const QStringList brief{u"63 %"_s, u"1.9\u00A0GB"_s};
    words.setWords(whole, brief);
    const int enough = words.sizeHint().width();
    words.resize(enough, 20);
    QCOMPARE(words.paintedWords(), whole);
    words.resize(enough * 4 / 5, 20);
    QCOMPARE(words.paintedWords(), brief);
    for (int width = enough; width >= 0; --width) {
        words.resize(width, 20);
        for (const QString& word : words.paintedWords()) {
            QVERIFY(word.isEmpty() || whole.contains(word) || brief.contains(word));
        }
    }
    words.resize(0, 20);
    QCOMPARE(words.paintedWords(), (QStringList{QString(), QString()}));
    QCOMPARE(words.accessibleName(), whole.join(u", "_s));
}

void TestNode::gpuCard_saysWhyThereIsNothing()
{
    Run run = Rig::sampleRun(u"x"_s, RunPhase::Queued);
    QVERIFY(whyNoSamples(run, true).startsWith(u"Starts with the job"_s));
    run.phase = RunPhase::Running;
    QVERIFY(whyNoSamples(run, false).startsWith(u"Not connected"_s));
    QCOMPARE(whyNoSamples(run, true, u"The agent ended."_s), u"The agent ended."_s);
    GpuCard card;
    card.resize(420, 240);
    card.show();
    card.setWhyNone(whyNoSamples(run, true));
    auto* none = card.findChild<QLabel*>(u"gpuNone"_s);
    QVERIFY(none->isVisible());
    QVERIFY(none->text().startsWith(u"No samples yet"_s));
    QVERIFY(card.summary().contains(none->text()));
    card.add(sampleAt(1000, 0, 1));
    QVERIFY(!none->isVisible());
    card.setSamples({});
    QVERIFY(none->isVisible());
}

void TestNode::gpuCard_saysOnlyWhatIsKnown()
{
    NodeSample sample;
    sample.t = 1000;
    sample.node = u"c1"_s;
    GpuSample gpu;
    gpu.memoryUsed = 3.2e9;
    sample.gpus = {gpu};
    GpuCard card;
    card.resize(420, 240);
    card.show();
    card.setSamples({sample});
    auto* values = card.findChild<CurveWords*>(u"gpuValues"_s);
    QCOMPARE(values->words(), (QStringList{QString(), u"3.2\u00A0GB"_s}));
    QCOMPARE(values->accessibleName(), u"3.2\u00A0GB"_s);
    QCOMPARE(card.findChild<QTabBar*>(u"gpuViews"_s)->count(), 1);
    QVERIFY(card.findChild<ElidedLabel*>(u"gpuFacts"_s)->text().isEmpty());
    QVERIFY(card.chart()->dataTable().rows.empty());
}

void TestNode::tracks_areBounded()
{
    NodeTracks tracks;
    for (int second = 0; second < 100'000; ++second) {
        tracks.add(sampleAt(0, second, 1));
    }
    QCOMPARE(tracks.gpus(), size_t(1));
    for (const NodeTrack& track : tracks.all()) {
        QVERIFY(track.points.size() <= NodeTracks::mostPoints + 1);
        QVERIFY(track.points.size() > NodeTracks::mostPoints / 3);
        QCOMPARE(track.points.front().t, 0.0); // the whole course
        QVERIFY(track.points.back().t > 99'000);
    }
}

void TestNode::liveSamples_neverHoldTheLoop()
{
    GpuCard card;
    card.resize(520, 300);
    card.show();
    card.setSamples(samplesOver(3600, 8));
    QTRY_VERIFY(card.chart()->framesDrawn() > 0);
    const qint64 before = card.chart()->framesDrawn();
    Heartbeat heartbeat;
    const double now = double(QDateTime::currentSecsSinceEpoch());
    for (int i = 0; i < 300; ++i) { // a hundred times as fast as they come
        card.add(sampleAt(now, i, 8));
        QTest::qWait(5);
    }
    QVERIFY2(heartbeat.worst() < 250 * sanitizersTake,
        qPrintable(u"held up for %1 ms"_s.arg(heartbeat.worst())));
    const qint64 frames = card.chart()->framesDrawn() - before;
    QVERIFY2(frames > 0 && frames < 150, qPrintable(QString::number(frames)));
}

void TestNode::keys_walkTheChecks()
{
    NodePage page;
    page.resize(900, 500);
    page.show();
    page.setReport(readNodeReport(missingNvRows()), {});
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto* list = page.findChild<QListView*>(u"nodeChecks"_s);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Down);
    QVERIFY(list->currentIndex().isValid());
    QTest::keyClick(list, Qt::Key_End);
    QCOMPARE(list->currentIndex().row(), list->model()->rowCount() - 1);
    QVERIFY(list->viewport()->rect().intersects(list->visualRect(list->currentIndex())));
    const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(list);
    QVERIFY(heard && heard->childCount() == list->model()->rowCount());
    // Every row has the width of the view: text wraps, nothing is cut off.
    for (const int width : {420, 900, 1800}) {
        page.resize(width, 500);
        QTest::qWait(20);
        QVERIFY(list->visualRect(list->model()->index(1, 0)).width() <= list->viewport()->width());
    }
}

SLIPWAY_GUI_TEST(TestNode, gui_node)
#include "tst_node.moc"
