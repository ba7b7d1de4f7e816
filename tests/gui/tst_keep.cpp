// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"
#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/launch/gallery.h"
#include "ui/launch/launchpage.h"
#include "ui/launch/pathcompletion.h"
#include "ui/runs/chartcard.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// A launch that is kept as a recipe of one's own, and data folders that are completed from the
/// cluster.
class TestKeep : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void cleanup() { QTest::qWait(10); } // what a worker has read arrives here
    void draft_isKeptShownAndDeleted();
    void run_isKept();
    void number_isTaughtAndKept();
    void name_mayBeginWithThatOfAnother();
    void name_isThatOfACapture();
    void wordInTheLog_isNoNumber();
    void part_isTheOneOfTheCursor_data();
    void part_isTheOneOfTheCursor();
    void folders_areCompletedFromTheCluster();

private:
    static QDialog* dialog(Rig& rig) { return rig.window().findChild<QDialog*>(u"keepDialog"_s); }
    template <typename T> static T* in(QDialog* dialog, const char* name)
    {
        return dialog->findChild<T*>(QString::fromLatin1(name));
    }
    static QStringList gallery(Rig& rig);
    void isDrawnAtOnce(Rig& rig);
};

QStringList TestKeep::gallery(Rig& rig)
{
    const QAbstractItemModel* const model =
        rig.window().launchPage()->findChild<Gallery*>()->model();
    QStringList rows;
    for (int row = 0; row < model->rowCount(); ++row) {
        rows << model->index(row, 0).data().toString();
    }
    return rows;
}

void TestKeep::draft_isKeptShownAndDeleted()
{
    Rig rig;
    rig.start();
    LaunchPage* const page = rig.window().launchPage();
    LaunchSpec spec;
    spec.siteId = u"demo"_s;
    spec.recipeId = u"run-a-command"_s;
    spec.values = {{u"command"_s, u"echo kept"_s}, {u"time"_s, u"00:07:00"_s}};
    page->load(spec);
    rig.window().showPage(MainWindow::LaunchIndex);
    QTRY_VERIFY(rig.find<QPushButton>("keepDraft")->isVisible());
    QVERIFY(!rig.find<QPushButton>("removeRecipe")->isVisible());
    rig.find<QPushButton>("keepDraft")->click();
    QTRY_VERIFY(dialog(rig));
    QDialog* const keep = dialog(rig);
    QTRY_VERIFY(in<QLabel>(keep, "keepContent")->text().contains(u"the values of this launch"_s));
    auto* title = in<QLineEdit>(keep, "keepTitle");
    title->setFocus();
    title->selectAll();
    QTest::keyClicks(title, u"My echo"_s);
    QCOMPARE(in<QLineEdit>(keep, "keepId")->text(), u"my-echo"_s);
    // An id that is taken is said so, and nothing is written.
    auto* id = in<QLineEdit>(keep, "keepId");
    id->selectAll();
    QTest::keyClicks(id, u"run-a-command"_s);
    in<QPushButton>(keep, "keepSave")->click();
    QTRY_VERIFY(in<QLabel>(keep, "keepProblem")->isVisible());
    QVERIFY(in<QLabel>(keep, "keepProblem")->text().contains(u"is a recipe of Slipway"_s));
    id->selectAll();
    QTest::keyClicks(id, u"my-echo"_s);
    QTRY_VERIFY(in<QPushButton>(keep, "keepSave")->isEnabled());
    in<QPushButton>(keep, "keepSave")->click();
    QTRY_VERIFY(in<QLabel>(keep, "keepContent")->text().startsWith(u"Kept: "_s));
    QVERIFY(QFile::exists(rig.paths().config % u"/recipes/my-echo/recipe.json"_s));
    keep->reject();
    // The gallery has it, and its form the values.
    QVERIFY(gallery(rig).contains(u"Your own"_s) && gallery(rig).contains(u"My echo"_s));
    page->selectRecipe(u"my-echo"_s);
    page->planNow();
    QCOMPARE(page->plan().values.value(u"command"_s), u"echo kept"_s);
    QCOMPARE(page->plan().values.value(u"time"_s), u"00:07:00"_s);
    QVERIFY(page->spec().values.isEmpty());
    QTRY_VERIFY(rig.find<QPushButton>("removeRecipe")->isVisible());
    rig.find<QPushButton>("removeRecipe")->click();
    const auto question = [] { return qobject_cast<QDialog*>(QApplication::activeModalWidget()); };
    QTRY_VERIFY(question());
    question()->accept();
    QTRY_VERIFY(!gallery(rig).contains(u"My echo"_s));
    QVERIFY(!QFile::exists(rig.paths().config % u"/recipes/my-echo"_s));
    QTRY_VERIFY(page->spec().recipeId != u"my-echo"_s);
}

void TestKeep::run_isKept()
{
    Rig rig;
    Run run = Rig::sampleRun(u"k3f9"_s, RunPhase::Done);
    run.spec.siteId = u"demo"_s;
    run.spec.recipeId = u"run-a-command"_s;
    run.spec.values = {{u"command"_s, u"echo run"_s}};
    rig.addRun(run);
    rig.start();
    rig.window().openRun(u"k3f9"_s);
    QTRY_VERIFY(rig.find<QPushButton>("keepRun")->isVisible());
    rig.find<QPushButton>("keepRun")->click();
    QTRY_VERIFY(dialog(rig));
    QDialog* const keep = dialog(rig);
    in<QLineEdit>(keep, "keepId")->setText(u"again"_s);
    QTRY_VERIFY(in<QLabel>(keep, "keepContent")->text().contains(u"the values of this launch"_s));
    in<QPushButton>(keep, "keepSave")->click();
    QTRY_VERIFY(rig.engine().catalogue()->recipe(u"again"_s));
    QVERIFY(rig.engine().catalogue()->recipe(u"again"_s)->own);
}

namespace {

/// A finished run whose program prints a number that no reader knows.
void addUnknownNumbers(Rig& rig)
{
    Run run = Rig::sampleRun(u"k3f9"_s, RunPhase::Done);
    run.spec.siteId = u"demo"_s;
    run.spec.recipeId = u"run-a-command"_s;
    run.spec.values = {{u"command"_s, u"./simulate"_s}};
    QByteArray log("starting up\n");
    for (int i = 1; i <= 40; ++i) {
        log += "cycle @" + QByteArray::number(i) + " leak rate " + QByteArray::number(0.5 + i)
            + " uL\n";
    }
    rig.addRun(run, log);
    rig.start();
    rig.window().openRun(u"k3f9"_s);
    QTRY_VERIFY(rig.find<QPlainTextEdit>("log")->toPlainText().contains(u"rate 40.5"_s));
}

/// Marks a text of the log and asks for its number.
void markAndDraw(Rig& rig, const QString& text)
{
    auto* const log = rig.find<QPlainTextEdit>("log");
    QTextCursor cursor = log->document()->find(text);
    QVERIFY(cursor.hasSelection());
    log->setTextCursor(cursor);
    rig.find<QAction>("drawNumber")->trigger();
}

} // namespace

/// A number of the log that no reader knows: marked, seen over the whole log, kept with the recipe.
void TestKeep::number_isTaughtAndKept()
{
    Rig rig;
    addUnknownNumbers(rig);
    markAndDraw(rig, u"12.5"_s);
    const auto found = [&rig] { return rig.find<QDialog>("teachDialog"); };
    QTRY_VERIFY(found());
    QDialog* const teach = found();
    const auto said = [this, teach] { return in<QLabel>(teach, "teachFound")->text(); };
    QTRY_COMPARE(said(), u"40 values in 41 lines of the log"_s);
    QVERIFY(in<QLabel>(teach, "teachLine")->text().contains(u"leak rate 12.5"_s));
    QTRY_VERIFY(teach->findChild<MetricChart*>()->isVisible());
    QCOMPARE(teach->findChild<MetricChart*>()->dataTable().rows.size(), 40);
    // Its name may be another; the expression follows.
    auto* const name = in<QLineEdit>(teach, "teachName");
    name->selectAll();
    QTest::keyClicks(name, u"leakage"_s);
    QTRY_COMPARE(said(), u"40 values in 41 lines of the log"_s);
    auto* const expression = in<QLineEdit>(teach, "teachExpression");
    QVERIFY2(expression->text().contains(u"(?<leakage>"_s), qPrintable(expression->text()));
    QTRY_VERIFY(in<QLabel>(teach, "teachCommand")
                    ->text()
                    .contains(u"slipway-cli metrics k3f9 --pattern"_s));
    // What it is counted by is a capture that is there.
    auto* const x = in<QLineEdit>(teach, "teachX");
    QTest::keyClicks(x, u"cycle"_s);
    QTRY_VERIFY(in<QLabel>(teach, "teachProblem")->text().contains(u"no capture “cycle”"_s));
    const QString right = uR"(cycle @(?<cycle>\d+) leak rate (?<leakage>\S+))"_s;
    expression->selectAll();
    QTest::keyClicks(expression, right);
    QTRY_COMPARE(said(), u"40 values in 41 lines of the log"_s);
    QCOMPARE(teach->findChild<MetricChart*>()->dataTable().header.value(0), u"cycle"_s);
    expression->selectAll();
    QTest::keyClicks(expression, u"("_s);
    QTRY_VERIFY(in<QLabel>(teach, "teachProblem")->isVisible());
    QVERIFY(!in<QPushButton>(teach, "teachKeep")->isEnabled());
    expression->selectAll();
    QTest::keyClicks(expression, u"(?<cycle>nowhere) (?<leakage>.)"_s);
    QTRY_VERIFY(said().contains(u"No line of the log matches"_s));
    expression->selectAll();
    QTest::keyClicks(expression, right);
    QTRY_COMPARE(said(), u"40 values in 41 lines of the log"_s);
    in<QPushButton>(teach, "teachKeep")->click();
    QTRY_VERIFY(dialog(rig));
    in<QLineEdit>(dialog(rig), "keepId")->setText(u"leaks"_s);
    QTRY_VERIFY(in<QPushButton>(dialog(rig), "keepSave")->isEnabled());
    in<QPushButton>(dialog(rig), "keepSave")->click();
    QTRY_VERIFY(rig.engine().catalogue()->recipe(u"leaks"_s));
    const Recipe* const kept = rig.engine().catalogue()->recipe(u"leaks"_s);
    QCOMPARE(kept->patterns.size(), size_t(1));
    QCOMPARE(kept->patterns[0].match, right);
    QCOMPARE(kept->patterns[0].x, u"cycle"_s);
    isDrawnAtOnce(rig);
}

/// The run at hand is read with the recipe that was kept: chart, list and what is kept of it.
void TestKeep::isDrawnAtOnce(Rig& rig)
{
    const auto points = [&rig] {
        const MetricSeries* const curve =
            rig.engine().runs()->feed(u"k3f9"_s)->series().find(u"leakage"_s);
        return curve ? int(curve->size()) : 0;
    };
    QTRY_COMPARE(points(), 40);
    QTRY_VERIFY(rig.find<ChartCard>("chartCard"));
    auto* const chart = rig.find<ChartCard>("chartCard")->chart();
    QTRY_VERIFY(chart->isVisible());
    QTRY_COMPARE(chart->dataTable().rows.size(), 40);
    QCOMPARE(chart->dataTable().header.value(0), u"cycle"_s);
    QCOMPARE(rig.find<QPlainTextEdit>("log")->toPlainText().count(u"leak rate"_s), 40);
    const auto last = [&rig] { return rig.engine().runs()->run(u"k3f9"_s)->digest.last; };
    QTRY_COMPARE(last().size(), size_t(1));
    QCOMPARE(last().front().series, u"leakage"_s);
    QCOMPARE(last().front().value, 40.5);
    QCOMPARE(rig.engine().runs()->run(u"k3f9"_s)->labels.readWith, u"leaks"_s);
}

/// On the way to “cycle_leak” a name is for a moment that of another capture.
void TestKeep::name_mayBeginWithThatOfAnother()
{
    Rig rig;
    addUnknownNumbers(rig);
    markAndDraw(rig, u"12.5"_s);
    QTRY_VERIFY(rig.find<QDialog>("teachDialog"));
    QDialog* const teach = rig.find<QDialog>("teachDialog");
    auto* const name = in<QLineEdit>(teach, "teachName");
    auto* const expression = in<QLineEdit>(teach, "teachExpression");
    const QString before = u"@(?<cycle>\\d+) leak rate (?<%1>\\S+)"_s;
    expression->setText(before.arg(name->text()));
    name->selectAll();
    QTest::keyClicks(name, u"cycle_leak"_s);
    QCOMPARE(expression->text(), before.arg(u"cycle_leak"_s));
}

/// The name and the expression agree, whichever of them was changed.
void TestKeep::name_isThatOfACapture()
{
    Rig rig;
    addUnknownNumbers(rig);
    markAndDraw(rig, u"12.5"_s);
    QTRY_VERIFY(rig.find<QDialog>("teachDialog"));
    QDialog* const teach = rig.find<QDialog>("teachDialog");
    auto* const name = in<QLineEdit>(teach, "teachName");
    auto* const expression = in<QLineEdit>(teach, "teachExpression");
    const auto problem = [this, teach] { return in<QLabel>(teach, "teachProblem")->text(); };
    expression->selectAll();
    QTest::keyClicks(expression, u"@(?<cycle>\\d+) leak rate (?<leak>\\S+)"_s);
    QTRY_VERIFY2(problem().contains(u"no number named “leak_rate”"_s), qPrintable(problem()));
    QVERIFY(!in<QPushButton>(teach, "teachKeep")->isEnabled());
    name->selectAll();
    QTest::keyClicks(name, u"leak"_s);
    QTRY_VERIFY(in<QPushButton>(teach, "teachKeep")->isEnabled());
    QTest::keyClicks(name, u"age"_s); // it renames its capture again
    QVERIFY2(expression->text().contains(u"(?<leakage>"_s), qPrintable(expression->text()));
    QTest::keyClicks(in<QLineEdit>(teach, "teachX"), u"leakage"_s);
    QTRY_VERIFY2(in<QLabel>(teach, "teachProblem")->isVisible(), qPrintable(problem()));
    QVERIFY(!in<QPushButton>(teach, "teachKeep")->isEnabled());
}

void TestKeep::wordInTheLog_isNoNumber()
{
    Rig rig;
    addUnknownNumbers(rig);
    markAndDraw(rig, u"starting"_s);
    QTest::qWait(50);
    QVERIFY(!rig.find<QDialog>("teachDialog"));
}

void TestKeep::part_isTheOneOfTheCursor_data()
{
    QTest::addColumn<QString>("text"); // the cursor is at the bar
    QTest::addColumn<QString>("part");
    QTest::newRow("one") << u"/da|"_s << u"/da"_s;
    QTest::newRow("second") << u"/a, /b|"_s << u"/b"_s;
    QTest::newRow("first") << u"/a|b, /c"_s << u"/ab"_s;
    QTest::newRow("after a comma") << u"/a,|"_s << u""_s;
    QTest::newRow("after a blank") << u"/a, |"_s << u""_s;
    QTest::newRow("empty") << u"|"_s << u""_s;
    QTest::newRow("at the begin") << u"|/a,/b"_s << u"/a"_s;
}

void TestKeep::part_isTheOneOfTheCursor()
{
    QFETCH(QString, text);
    QFETCH(QString, part);
    const qsizetype cursor = text.indexOf(u'|');
    text.remove(cursor, 1);
    const auto found = PathCompletion::partAt(text, cursor);
    QCOMPARE(text.mid(found.begin, found.end - found.begin), part);
}

void TestKeep::folders_areCompletedFromTheCluster()
{
    Rig rig;
    const auto shell = StubConnector::slurmShell();
    shell->on("find -L .", [](const QByteArray&) {
        return CommandOutput{0,
            QByteArray("motd\0\0./mnist\0./mnist-c\0"
                       "./imagenet\0./.old\0",
                42),
            {}};
    });
    rig.connector().shell = shell;
    rig.setDemoRunning();
    rig.start();
    LaunchPage* const page = rig.window().launchPage();
    LaunchSpec spec;
    spec.siteId = u"demo"_s;
    spec.recipeId = u"run-a-command"_s;
    page->load(spec);
    rig.window().showPage(MainWindow::LaunchIndex);
    rig.connectTo(u"demo"_s);
    page->planNow();
    rig.find<QPushButton>("moreFields")->click();
    auto* const line = rig.find<QLineEdit>("input-data");
    QVERIFY(line);
    QTRY_VERIFY(line->isVisible());
    line->setFocus();
    QTest::keyClicks(line, u"/projects/x, /datasets/mn"_s);
    const auto popup = [] {
        return qobject_cast<QAbstractItemView*>(QApplication::activePopupWidget());
    };
    QTRY_VERIFY(popup() && popup()->isVisible());
    QCOMPARE(popup()->model()->rowCount(), 2);
    QCOMPARE(popup()->model()->index(0, 0).data().toString(), u"/datasets/mnist"_s);
    QCOMPARE(popup()->model()->index(1, 0).data().toString(), u"/datasets/mnist-c"_s);
    const qsizetype asked = shell->count("find -L .");
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Down);
    QTest::keyClick(popup(), Qt::Key_Return);
    QTRY_COMPARE(line->text(), u"/projects/x, /datasets/mnist-c"_s);
    QTRY_COMPARE(page->plan().data.size(), std::size_t(2));
    // The same folder is not asked for again.
    line->setFocus();
    QTest::keyClick(line, Qt::Key_Backspace);
    QTest::keyClick(line, Qt::Key_Backspace);
    QTRY_VERIFY(popup() && popup()->isVisible());
    QCOMPARE(shell->count("find -L ."), asked);
    popup()->hide();
}

SLIPWAY_GUI_TEST(TestKeep, gui_keep)
#include "tst_keep.moc"
