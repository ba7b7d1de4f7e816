// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTextBlock>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The stages of a build, folded in the log of its run.
class TestLogFolds : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void stages_areFoldedWhenTheyWentWell();
    void fold_isOpenedByKeyboard();
    void search_opensTheFoldOfAHit();
    void runWithoutAnImage_hasNoStages();
    void longStage_isFoldedFast();
};

namespace {

constexpr int pulledLines = 300;

Run builtRun(const QString& id, StageState build = StageState::Failed)
{
    Run run = Rig::sampleRun(id, build == StageState::Failed ? RunPhase::Failed : RunPhase::Done);
    run.stages.clear();
    const QDateTime begin = QDateTime::currentDateTimeUtc().addSecs(-600);
    for (const auto& [stage, title, state] :
        {std::tuple(u"queued"_s, u"Queued"_s, StageState::Done),
            std::tuple(u"image"_s, u"Pull the base image"_s, StageState::Done),
            std::tuple(u"build"_s, u"Build the image"_s, build)}) {
        RunStage one;
        one.id = stage;
        one.title = title;
        one.state = state;
        one.begin = begin;
        one.end = begin.addSecs(65);
        run.stages.push_back(one);
    }
    return run;
}

QByteArray builtLog(int pulled = pulledLines)
{
    QByteArray log = "first\n\n== Pull the base image\n";
    for (int i = 0; i < pulled; ++i) {
        log += i == pulled / 2 ? "a rare layer\n" : "layer\n";
    }
    return log + "\n== Build the image\ngcc: error: no input files\nlast\n";
}

struct OpenLog {
    LogView* view;
    QPushButton* pull;
    QPushButton* build;
};

OpenLog openLog(Rig& rig, const Run& run, const QByteArray& log)
{
    rig.addRun(run, log);
    rig.start();
    rig.window().openRun(run.id);
    LogView* const view = rig.window().runsPage()->page()->log()->view();
    [&] { QTRY_VERIFY(view->toPlainText().endsWith(u"last"_s) && view->isComplete()); }();
    return {view, rig.find<QPushButton>("logStage0"), rig.find<QPushButton>("logStage1")};
}

} // namespace

void TestLogFolds::stages_areFoldedWhenTheyWentWell()
{
    Rig rig;
    const OpenLog log = openLog(rig, builtRun(u"built"_s), builtLog());
    QVERIFY(log.pull && log.pull->isVisible() && log.build && log.build->isVisible());
    QCOMPARE(
        log.pull->accessibleName(), u"Pull the base image: done, 1:05. Its lines are folded."_s);
    QCOMPARE(log.build->accessibleName(), u"Build the image: failed, 1:05. Its lines are shown."_s);
    QVERIFY2(log.pull->text().contains(u"✓ Pull the base image · done, 1:05"_s),
        qPrintable(log.pull->text()));
    QVERIFY2(
        log.build->text().contains(u"✗ Build the image · failed"_s), qPrintable(log.build->text()));
    QCOMPARE(log.view->toPlainText(),
        u"first\n\n== Pull the base image  [301 lines folded]\n"
        "== Build the image\ngcc: error: no input files\nlast"_s);
}

void TestLogFolds::fold_isOpenedByKeyboard()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"other"_s, RunPhase::Done), Rig::sampleLog());
    const OpenLog log = openLog(rig, builtRun(u"built"_s), builtLog());
    log.pull->setFocus();
    QTest::keyClick(log.pull, Qt::Key_Space);
    QTRY_VERIFY(log.view->blockCount() > pulledLines && log.view->isComplete());
    QVERIFY(log.pull->accessibleName().endsWith(u"Its lines are shown."_s));
    QTRY_VERIFY(log.view->textCursor().block().text() == u"== Pull the base image"_s);
    QVERIFY(log.pull->isChecked());
    log.pull->setFocus();
    QTest::keyClick(log.pull, Qt::Key_Space);
    QTRY_VERIFY(log.view->blockCount() < 10 && log.view->isComplete());
    QTest::keyClick(log.build, Qt::Key_Space); // one that failed can be folded, too
    QTRY_VERIFY(log.view->toPlainText().endsWith(u"== Build the image  [its lines folded]"_s));
    // Another run has its own folds.
    rig.window().openRun(u"other"_s);
    QTRY_VERIFY(log.view->toPlainText().contains(u"Running test"_s) && log.view->isComplete());
    rig.window().openRun(u"built"_s);
    const auto isShown = [&rig] {
        auto* build = rig.find<QPushButton>("logStage1");
        return build && build->accessibleName().endsWith(u"Its lines are shown."_s);
    };
    QTRY_VERIFY(isShown());
}

void TestLogFolds::search_opensTheFoldOfAHit()
{
    Rig rig;
    const OpenLog log = openLog(rig, builtRun(u"built"_s), builtLog());
    QTest::keyClick(&rig.window(), Qt::Key_F, Qt::ControlModifier);
    auto* text = rig.find<QLineEdit>("logSearch");
    QTRY_VERIFY(text->hasFocus());
    QTest::keyClicks(text, u"a rare"_s);
    QTRY_COMPARE(rig.find<QLabel>("logHits")->text(), u"1 match"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_COMPARE(log.view->textCursor().block().text(), u"a rare layer"_s);
    QVERIFY(log.pull->accessibleName().endsWith(u"Its lines are shown."_s));
    QVERIFY(log.view->viewport()->rect().contains(log.view->cursorRect().center()));
}

void TestLogFolds::runWithoutAnImage_hasNoStages()
{
    Rig rig;
    Run run = builtRun(u"plain"_s);
    for (RunStage& stage : run.stages) {
        stage.id = stage.id == u"queued"_s ? stage.id : u"step-"_s + stage.id;
    }
    const OpenLog log = openLog(rig, run, builtLog());
    QVERIFY(!log.pull);
    QVERIFY(log.view->blockCount() > pulledLines);
}

/// What is folded is not in the document.
void TestLogFolds::longStage_isFoldedFast()
{
    Rig rig;
    const OpenLog log = openLog(rig, builtRun(u"long"_s), builtLog(20'000));
    QVERIFY(log.pull && log.view->blockCount() < 10);
    log.pull->click();
    QTRY_VERIFY_WITH_TIMEOUT(log.view->blockCount() > 20'000 && log.view->isComplete(), 60'000);
    log.pull->click();
    QTRY_VERIFY_WITH_TIMEOUT(log.view->blockCount() < 10 && log.view->isComplete(), 60'000);
}

SLIPWAY_GUI_TEST(TestLogFolds, gui_logstages)
#include "tst_logstages.moc"
