// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/launch/fieldeditor.h"
#include "ui/launch/launchform.h"
#include "ui/launch/launchpage.h"
#include "ui/launch/lintbox.h"
#include "ui/launch/previewpane.h"
#include "ui/parts/scriptview.h"

#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The form, the exact script beside it, and lint between them.
class TestLaunchPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void preview_isTheBytesOfThePlan();
    void typing_changesTheScript();
    void lintLink_fixesTheField();
    void lanes_areChips();
    void exercise_setsTheFormAndBack();
    void exercise_ofAnotherRecipe_opensIt();
    void exercise_ofYourOwn_goesToTheField();
    void edit_holdsUntilRevert();
    void notConnected_offersToConnect();
    void connected_offersToLaunch();
    void narrowWindow_foldsTheScriptToATab();

private:
    void writeRecipes(Rig& rig);
    LaunchPage* open(Rig& rig, const QString& siteId, QSize size = QSize(1440, 900));
    QByteArray preview(Rig& rig) { return rig.find<ScriptView>("preview")->script(); }
};

LaunchPage* TestLaunchPage::open(Rig& rig, const QString& siteId, QSize size)
{
    rig.start(size);
    LaunchPage* page = rig.window().launchPage();
    page->selectRecipe(u"matmul-scaling"_s);
    page->selectSite(siteId);
    rig.window().showPage(MainWindow::LaunchIndex);
    return page;
}

void TestLaunchPage::preview_isTheBytesOfThePlan()
{
    Rig rig;
    LaunchPage* page = open(rig, u"kestrel"_s);
    QVERIFY(!preview(rig).isEmpty());
    QCOMPARE(preview(rig), renderScript(page->plan()));
    QVERIFY(preview(rig).contains("#SBATCH --partition=gpu-h100"));
}

void TestLaunchPage::typing_changesTheScript()
{
    Rig rig;
    open(rig, u"kestrel"_s);
    auto* time = rig.find<QLineEdit>("input-time");
    QVERIFY(time);
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"01:23:00"_s);
    QTRY_VERIFY(preview(rig).contains("#SBATCH --time=01:23:00"));
    QCOMPARE(time->text(), u"01:23:00"_s); // the plan does not type into the field
    auto* cpus = rig.find<QLineEdit>("input-cpus");
    cpus->setFocus();
    const int before = cpus->text().toInt();
    QTest::keyClick(cpus, Qt::Key_Up);
    QTRY_VERIFY(
        preview(rig).contains(QByteArray("--cpus-per-task=" + QByteArray::number(before + 1))));
}

void TestLaunchPage::lintLink_fixesTheField()
{
    Rig rig;
    LaunchPage* page = open(rig, u"kestrel"_s);
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"9-00:00:00"_s); // above the partition's limit
    auto* box = rig.find<LintBox>("lintBox");
    const auto timeFix = [box]() -> QPushButton* {
        for (QPushButton* link : box->findChildren<QPushButton*>()) {
            if (link->isVisible() && link->property("fix") == u"time"_s) {
                return link;
            }
        }
        return nullptr;
    };
    QTRY_VERIFY(timeFix());
    QVERIFY(rig.find<QLabel>("note-time")->text().contains(u"✕"_s)
        || rig.find<QLabel>("note-time")->text().contains(u"!"_s));
    std::optional<QString> mended;
    for (const Problem& problem : page->plan().problems) {
        if (problem.field == u"time"_s) {
            mended = problem.fixValue;
        }
    }
    QVERIFY(mended);
    QTest::mouseClick(timeFix(), Qt::LeftButton);
    QCOMPARE(page->plan().values.value(u"time"_s), *mended);
    QCOMPARE(time->text(), *mended);
    QTRY_VERIFY(!timeFix());
}

void TestLaunchPage::lanes_areChips()
{
    Rig rig;
    LaunchPage* page = open(rig, u"kestrel"_s);
    QWidget* lanes = rig.window().findChild<QWidget*>(u"field-lanes"_s);
    QVERIFY(lanes);
    QPushButton* gpu = nullptr;
    for (QPushButton* chip : lanes->findChildren<QPushButton*>()) {
        if (chip->property("choice") == u"gpu"_s) {
            gpu = chip;
        }
    }
    QVERIFY(gpu && gpu->isChecked());
    QVERIFY(preview(rig).contains("--nv"));
    QTest::mouseClick(gpu, Qt::LeftButton);
    QTRY_VERIFY(!preview(rig).contains("--device cuda"));
    QTRY_VERIFY(!page->plan().values.value(u"lanes"_s).contains(u"gpu"_s));
}

/// Two recipes of the person's own, one with an exercise of each kind.
void TestLaunchPage::writeRecipes(Rig& rig)
{
    const auto write = [&rig](const QByteArray& id, const QByteArray& more) {
        const QString folder = rig.paths().config % u"/recipes/"_s % QString::fromUtf8(id);
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder % u"/recipe.json"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"id\": \"" + id + "\", \"title\": \"" + id
            + "\", \"group\": \"G\", \"summary\": \"S\","
              R"("parameters": [{"key": "word", "label": "Word", "value": "a"},
            {"key": "rare", "label": "Rare", "advanced": true, "example": "an example"}],
            "steps": [{"id": "go", "title": "Go", "kind": "host", "command": "say )"
            + id + R"( {word} {rare}"}])" + more + "}");
    };
    write("first", R"(, "teaching": {"purpose": "To learn.", "next": ["Read more.",
        {"text": "Another word", "values": {"word": "b"}},
        {"text": "Elsewhere", "recipe": "second", "values": {"word": "c"}},
        {"text": "Your own", "field": "rare"}]})");
    write("second", {});
}

void TestLaunchPage::exercise_setsTheFormAndBack()
{
    Rig rig;
    writeRecipes(rig);
    LaunchPage* page = open(rig, u"kestrel"_s);
    page->selectRecipe(u"first"_s);
    auto* word = rig.find<QLineEdit>("input-word");
    word->setFocus();
    word->selectAll();
    QTest::keyClicks(word, u"mine"_s);
    QTRY_VERIFY(preview(rig).contains("say first mine"));
    auto* tryIt = rig.find<QPushButton>("exercise-1");
    QVERIFY(tryIt && tryIt->isVisible());
    QCOMPARE(tryIt->accessibleName(), u"Try it: Another word"_s);
    QVERIFY(tryIt->focusPolicy() & Qt::TabFocus);
    tryIt->setFocus();
    QTest::keyClick(tryIt, Qt::Key_Space);
    QVERIFY(preview(rig).contains("say first b"));
    QCOMPARE(word->text(), u"b"_s);
    QCOMPARE(tryIt->accessibleName(), u"✓ Set. Undo: Another word"_s);
    QVERIFY(tryIt->hasFocus()); // the row is the same
    QTest::mouseClick(tryIt, Qt::LeftButton);
    QVERIFY(preview(rig).contains("say first mine"));
    QCOMPARE(word->text(), u"mine"_s);
    // What the person types afterwards is theirs.
    QTest::mouseClick(tryIt, Qt::LeftButton);
    word->setFocus();
    word->selectAll();
    QTest::keyClicks(word, u"other"_s);
    QTRY_COMPARE(tryIt->text(), u"Try it"_s);
}

void TestLaunchPage::exercise_ofAnotherRecipe_opensIt()
{
    Rig rig;
    writeRecipes(rig);
    LaunchPage* page = open(rig, u"kestrel"_s);
    page->selectRecipe(u"first"_s);
    QTest::mouseClick(rig.find<QPushButton>("exercise-2"), Qt::LeftButton);
    QCOMPARE(page->spec().recipeId, u"second"_s);
    QVERIFY(preview(rig).contains("say second c"));
    QVERIFY(!rig.find<QWidget>("exercises")->isVisible());
    page->selectRecipe(u"first"_s);
    QVERIFY(preview(rig).contains("say first a"));
}

void TestLaunchPage::exercise_ofYourOwn_goesToTheField()
{
    Rig rig;
    writeRecipes(rig);
    LaunchPage* page = open(rig, u"kestrel"_s, QSize(1280, 800));
    page->selectRecipe(u"first"_s);
    auto* rare = rig.find<QLineEdit>("input-rare");
    QTRY_VERIFY(
        rig.find<QLineEdit>("input-word")->isVisible()); // a new form is shown a little later
    QVERIFY(rare && !rare->isVisible());
    QCOMPARE(rare->placeholderText(), u"an example"_s);
    QTest::mouseClick(rig.find<QPushButton>("exercise-3"), Qt::LeftButton);
    QTRY_VERIFY(rare->isVisible());
    QTRY_VERIFY(rare->hasFocus());
    QTRY_VERIFY(!rare->visibleRegion().isEmpty()); // scrolled to
}

void TestLaunchPage::edit_holdsUntilRevert()
{
    Rig rig;
    LaunchPage* page = open(rig, u"kestrel"_s);
    const QByteArray own = preview(rig);
    QTest::mouseClick(rig.find<QPushButton>("editScript"), Qt::LeftButton);
    auto* view = rig.find<ScriptView>("preview");
    view->moveCursor(QTextCursor::End);
    QTest::keyClicks(view, u"# mine"_s);
    QTRY_VERIFY(page->spec().editedScript.endsWith("# mine"));
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"00:05:00"_s);
    QTest::qWait(100);
    QVERIFY(preview(rig).endsWith("# mine")); // the form does not overwrite it
    QTest::mouseClick(rig.find<QPushButton>("revertScript"), Qt::LeftButton);
    QTRY_VERIFY(page->spec().editedScript.isEmpty());
    QVERIFY(preview(rig).contains("--time=00:05:00"));
    QVERIFY(preview(rig) != own);
}

void TestLaunchPage::notConnected_offersToConnect()
{
    Rig rig;
    LaunchPage* page = open(rig, u"kestrel"_s);
    auto* launch = rig.find<QPushButton>("launch");
    QCOMPARE(launch->text(), u"Connect to launch"_s);
    QVERIFY(launch->isEnabled());
    QVERIFY(!rig.find<QPushButton>("allocate")->isEnabled());
    QCOMPARE(rig.find<QLabel>("launchSentence")->text(), u"Not connected to Kestrel."_s);
    QSignalSpy wanted(page, &LaunchPage::connectRequested);
    QTest::mouseClick(launch, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    QTRY_VERIFY(rig.window().findChild<QDialog*>(u"connectDialog"_s));
}

void TestLaunchPage::connected_offersToLaunch()
{
    Rig rig;
    LaunchPage* page = open(rig, u"kestrel"_s);
    const auto connecting = rig.engine().sessions()->connectSite(u"kestrel"_s, nullptr);
    QTRY_COMPARE(
        rig.engine().sessions()->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    auto* launch = rig.find<QPushButton>("launch");
    QTRY_COMPARE(launch->text(), u"Launch"_s);
    // The error is shown, and the button is disabled until it is fixed.
    QTRY_COMPARE(launch->isEnabled(), !page->plan().hasErrors());
    if (page->plan().hasErrors()) {
        QVERIFY(rig.find<QLabel>("launchSentence")->text().contains(u"errors"_s));
    }
    QVERIFY(rig.find<QComboBox>("input-partition"));
}

void TestLaunchPage::narrowWindow_foldsTheScriptToATab()
{
    Rig rig;
    open(rig, u"kestrel"_s, QSize(1440, 900));
    QVERIFY(rig.find<ScriptView>("preview")->isVisible());
    rig.window().resize(1280, 800);
    QTRY_VERIFY(!rig.find<ScriptView>("preview")->isVisible());
    QVERIFY(rig.find<QPushButton>("launch")->isVisible());
}

SLIPWAY_GUI_TEST(TestLaunchPage, gui_launchpage)
#include "tst_launchpage.moc"
