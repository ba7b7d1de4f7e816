// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/makeplan.h"
#include "app/runs/localrun.h"
#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/launch/allocationdialog.h"
#include "ui/launch/fieldeditor.h"
#include "ui/launch/gallery.h"
#include "ui/launch/launchbar.h"
#include "ui/launch/launchdraft.h"
#include "ui/launch/launchform.h"
#include "ui/launch/launchpage.h"
#include "ui/launch/lintbox.h"
#include "ui/launch/previewpane.h"
#include "ui/launch/sweepdialog.h"
#include "ui/parts/scriptview.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The form, the exact script beside it, and lint between them.
class TestLaunchPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void cleanup();
    void cleanupTestCase();

    // In one window, whose form begins anew with each.
    void preview_isTheBytesOfThePlan();
    void typing_changesTheScript();
    void problem_isFixedAtItsField();
    void problem_namesItsFieldOnce();
    void memoryWithoutUnit_warnsAndMovesNothing();
    void otherProblems_areListedInBoundedHeight();
    void image_isNotSaidToBeThere();
    void account_saysWhatItHasLeft();
    void words_arePlain();
    void values_ofAnotherSiteCanBeReset();
    void key_launches();
    void sweep_countsAndChecksItsRuns();
    void lanes_areChips();
    void exercise_setsTheFormAndBack();
    void exercise_ofAnotherRecipe_opensIt();
    void exercise_ofYourOwn_goesToTheField();
    void edit_holdsUntilRevert();
    void notConnected_offersToConnect();
    void narrowWindow_foldsTheScriptToATab();
    void openedAdvice_isNoSunkenButton();
    void largeText_foldsTheGalleryToo();
    void splitter_isRemembered();
    void popUp_showsItsLastRow();

    // Each with a connection, or runs, of its own.
    void connected_offersToLaunch();
    void connected_keyLaunches();
    void sweep_isLaunchedFromTheForm();
    void keptNodes_areNamedWhileTheyAreKnown();

private:
    void writeRecipes(Rig& rig);
    /// The window that most functions share: starting one takes longer than what they do in it.
    Rig& shared();
    /// The form of a recipe at a site, with the values that both have by themselves.
    LaunchPage* open(Rig& rig, const QString& siteId, QSize size = QSize(1440, 900),
        const QString& recipeId = u"matmul-scaling"_s);
    static void closeConnectDialog(Rig& rig);
    QByteArray preview(Rig& rig) { return rig.find<ScriptView>("preview")->script(); }

    std::unique_ptr<Rig> m_shared;
};

Rig& TestLaunchPage::shared()
{
    if (!m_shared) {
        m_shared = std::make_unique<Rig>();
        writeRecipes(*m_shared);
    }
    return *m_shared;
}

void TestLaunchPage::cleanup()
{
    if (QTest::currentTestFailed()) {
        m_shared.reset(); // whatever it has left is not for the next one
    }
    QTest::qWait(10); // coroutines that waited for the far side end here
}

void TestLaunchPage::cleanupTestCase()
{
    m_shared.reset();
}

LaunchPage* TestLaunchPage::open(
    Rig& rig, const QString& siteId, QSize size, const QString& recipeId)
{
    if (!rig.isStarted()) {
        rig.start(size);
    }
    if (QWidget* last = QApplication::focusWidget()) {
        last->clearFocus(); // a field with the focus keeps what was typed
    }
    LaunchPage* page = rig.window().launchPage();
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = recipeId;
    page->load(spec);
    rig.window().showPage(MainWindow::LaunchIndex);
    // In a wide window all parts are side by side, so it cannot become narrow in one step.
    const auto hasSize = [&rig, size] {
        rig.window().resize(size);
        return rig.window().size() == size;
    };
    static_cast<void>(QTest::qWaitFor(hasSize, 5000));
    rig.window().activateWindow();
    if (!QTest::qWaitForWindowActive(&rig.window(), 20'000)) {
        QTest::qFail("The window is not active.", __FILE__, __LINE__);
    }
    return page;
}

void TestLaunchPage::closeConnectDialog(Rig& rig)
{
    const auto dialog = [&rig] { return rig.window().findChild<QDialog*>(u"connectDialog"_s); };
    QTRY_VERIFY(dialog());
    dialog()->reject();
    QTRY_VERIFY(!dialog());
}

namespace {

/// Where a control is on the page, once nothing moves it any more.
QRect settledPlace(const QWidget* control, const QWidget* page)
{
    QRect place;
    int same = 0;
    const auto rests = [&] {
        const QRect now(control->mapTo(page, QPoint()), control->size());
        same = now == place ? same + 1 : 0;
        place = now;
        return same >= 20;
    };
    if (!QTest::qWaitFor(rests, 20'000)) {
        QTest::qFail("The form does not come to rest.", __FILE__, __LINE__);
    }
    return place;
}

QString shownText(const QWidget& part)
{
    QStringList texts;
    for (const QLabel* label : part.findChildren<QLabel*>()) {
        if (label->isVisible()) {
            texts << label->text();
        }
    }
    return texts.join(u'\n');
}

} // namespace

void TestLaunchPage::preview_isTheBytesOfThePlan()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s);
    QVERIFY(!preview(rig).isEmpty());
    QCOMPARE(preview(rig), renderScript(page->plan()));
    QVERIFY(preview(rig).contains("#SBATCH --partition=gpu-h100"));
}

void TestLaunchPage::typing_changesTheScript()
{
    Rig& rig = shared();
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

void TestLaunchPage::problem_isFixedAtItsField()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s);
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    const QPoint before = settledPlace(time, page).topLeft();
    time->selectAll();
    QTest::keyClicks(time, u"9-00:00:00"_s); // above the partition's limit
    auto* fix = rig.find<QPushButton>("fix-time");
    QTRY_VERIFY(fix->isVisible());
    QTRY_COMPARE(time->mapTo(page, QPoint()), before); // what appears below moves nothing
    QCOMPARE(settledPlace(time, page).topLeft(), before);
    const QString note = rig.find<QLabel>("note-time")->text();
    QVERIFY2(note.startsWith(u"✕"_s), qPrintable(note));
    // The box below does not repeat the sentence; it has the way to the field.
    auto* box = rig.find<LintBox>("lintBox");
    for (QLabel* label : box->findChildren<QLabel*>()) {
        QVERIFY2(!label->isVisible() || !note.contains(label->text()) || label->text().isEmpty(),
            qPrintable(label->text()));
    }
    QPushButton* way = nullptr;
    for (QPushButton* link : box->findChildren<QPushButton*>()) {
        if (link->isVisible() && link->property("go") == u"time"_s) {
            way = link;
        }
    }
    QVERIFY(way);
    rig.find<QLineEdit>("input-memory")->setFocus();
    QTest::mouseClick(way, Qt::LeftButton);
    QTRY_VERIFY(time->hasFocus());
    std::optional<QString> fixed;
    for (const Problem& problem : page->plan().problems) {
        if (problem.field == u"time"_s) {
            fixed = problem.fixValue;
        }
    }
    QVERIFY(fixed);
    QTest::mouseClick(fix, Qt::LeftButton);
    QCOMPARE(page->plan().values.value(u"time"_s), *fixed);
    QCOMPARE(time->text(), *fixed);
    QTRY_VERIFY(!fix->isVisible());
}

/// The name of the field stands before its problem in the list; the problem does not repeat it.
void TestLaunchPage::problem_namesItsFieldOnce()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s);
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"soon"_s);
    auto* note = rig.find<QLabel>("note-time");
    QTRY_VERIFY2(note->text().startsWith(u"✕ "_s), qPrintable(note->text()));
    QVERIFY2(!note->text().contains(u"Time limit:"_s, Qt::CaseInsensitive),
        qPrintable(note->text())); // it stands above the input
    std::vector<Problem> problems;
    for (const Problem& problem : page->plan().problems) {
        if (problem.field == u"time"_s) {
            problems.push_back(problem);
        }
    }
    QVERIFY(!problems.empty());
    LintBox box; // as for a field that is folded away
    box.setProblems(problems, problems, {{u"time"_s, u"Time limit"_s}});
    qsizetype rows = 0;
    for (QLabel* label : box.findChildren<QLabel*>()) {
        if (label->text().startsWith(u"Time limit: "_s)) {
            ++rows;
            QVERIFY2(label->text().count(u"Time limit:"_s, Qt::CaseInsensitive) == 1,
                qPrintable(label->text()));
        }
    }
    QCOMPARE(rows, qsizetype(problems.size()));
}

/// Slurm takes "9" as 9 MB. The message has its place: no field goes elsewhere for it.
void TestLaunchPage::memoryWithoutUnit_warnsAndMovesNothing()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s, QSize(1280, 640), u"run-a-command"_s);
    auto* memory = rig.find<QLineEdit>("input-memory");
    QTRY_VERIFY(memory->isVisible());
    memory->setFocus();
    const QRect before = settledPlace(memory, page);
    QHash<QWidget*, QRect> places; // of the fields above and beside it
    for (QWidget* input : page->findChildren<QWidget*>(QRegularExpression(u"^input-"_s))) {
        const QRect place(input->mapTo(page, QPoint()), input->size());
        if (input->isVisible() && place.top() <= before.top()) {
            places.insert(input, place);
        }
    }
    QVERIFY2(places.size() >= 4, qPrintable(QString::number(places.size())));
    memory->selectAll();
    QTest::keyClicks(memory, u"9"_s);
    auto* note = rig.find<QLabel>("note-memory");
    QTRY_VERIFY2(
        note->text().startsWith(u"! “9” without a unit means 9 MB"_s), qPrintable(note->text()));
    auto* fix = rig.find<QPushButton>("fix-memory");
    QTRY_VERIFY(fix->isVisible());
    QCOMPARE(fix->text(), u"Use 9G"_s);
    QTRY_COMPARE(QRect(memory->mapTo(page, QPoint()), memory->size()), before);
    QCOMPARE(settledPlace(memory, page), before);
    for (auto place = places.cbegin(); place != places.cend(); ++place) {
        QWidget* input = place.key();
        QVERIFY2(QRect(input->mapTo(page, QPoint()), input->size()) == place.value(),
            qPrintable(input->objectName()));
    }
    QTest::mouseClick(fix, Qt::LeftButton);
    QCOMPARE(page->plan().values.value(u"memory"_s), u"9G"_s);
    QCOMPARE(memory->text(), u"9G"_s);
    QTRY_VERIFY(!fix->isVisible());
    QVERIFY2(!note->text().startsWith(u'!'), qPrintable(note->text()));
}

/// Problems without a field, or of a field that is folded away, are listed; however many there are,
/// the form stays.
void TestLaunchPage::otherProblems_areListedInBoundedHeight()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s, QSize(900, 600));
    LaunchSpec spec = page->spec();
    for (const char* key : {"sices", "colour", "gpuz", "tyme", "memori", "nodez", "cpuz"}) {
        spec.values.insert(QString::fromLatin1(key), u"1"_s);
    }
    page->load(spec);
    auto* box = rig.find<LintBox>("lintBox");
    QTRY_VERIFY(box->isVisible());
    QStringList texts;
    for (QLabel* label : box->findChildren<QLabel*>()) {
        texts << label->text();
    }
    QVERIFY2(
        texts.join(u'\n').contains(u"There is no field “sices”"_s), qPrintable(texts.join(u'\n')));
    QTRY_VERIFY(box->height() > page->height() / 3); // more than it may have: it scrolls
    QTRY_VERIFY(box->visibleRegion().boundingRect().height() <= page->height() / 3);
    QVERIFY(rig.find<QPushButton>("launch")->isVisible());
    QVERIFY(page->rect().contains(rig.find<QPushButton>("launch")->mapTo(page, QPoint(0, 0))));
}

/// Nothing has asked a registry, and nothing says that somebody has.
void TestLaunchPage::image_isNotSaidToBeThere()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s);
    auto* image = rig.find<QLineEdit>("input-image");
    image->setFocus();
    image->selectAll();
    QTest::keyClicks(image, u"docker://nvcr.io/demo/nothere:1"_s);
    auto* note = rig.find<QLabel>("note-image");
    QTRY_VERIFY2(
        note->text().contains(u"demo/nothere from nvcr.io, tag 1"_s), qPrintable(note->text()));
    QVERIFY(note->text().contains(u"not checked"_s));
    QVERIFY(!note->text().contains(u"✓"_s));
}

void TestLaunchPage::account_saysWhatItHasLeft()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s);
    const Catalogue* const catalogue = rig.engine().catalogue();
    ClusterInfo info;
    info.accounts = {u"optics"_s, u"soil"_s};
    info.shares = {{u"optics"_s, {}, 0.431,
        {{u"gres/gpu"_s, std::chrono::hours(5000), std::chrono::hours(3760)}}}};
    LaunchSpec spec;
    spec.siteId = u"kestrel"_s;
    spec.recipeId = u"run-a-command"_s;
    LaunchForm form;
    const auto noteFor = [&](const QString& account) {
        spec.values.insert(u"account"_s, account);
        form.setPlan(
            makePlan(spec, *catalogue->recipe(spec.recipeId), *catalogue->site(spec.siteId), info),
            info);
        return form.findChild<QLabel*>(u"note-account"_s);
    };
    QLabel* note = noteFor(u"optics"_s);
    QCOMPARE(note->text(), u"fair-share 0.43; 1,240 of 5,000 GPU hours left in this account"_s);
    // Where it comes from, for those who ask and for those who listen.
    QVERIFY(note->toolTip().contains(QString::fromUtf8(sshareCommand())));
    QCOMPARE(note->accessibleDescription(), note->toolTip());
    // What is unknown is not said: the field has its help again.
    note = noteFor(u"soil"_s);
    QCOMPARE(note->text(), u"The project that is charged for the time."_s);
    QVERIFY(note->toolTip().isEmpty());
}

void TestLaunchPage::words_arePlain()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s);
    QCOMPARE(rig.find<QLabel>("note-qos")->text(), u"Leave empty for your account's default."_s);
    QCOMPARE(rig.find<QCheckBox>("input-requeue")->text(), u"Requeue if the node fails"_s);
    QVERIFY(preview(rig).contains("\"Check the node\""));
    const QAbstractItemModel* recipes = rig.window().findChild<Gallery*>()->model();
    QStringList titles;
    for (int row = 0; row < recipes->rowCount(); ++row) {
        titles << recipes->index(row, 0).data().toString();
    }
    QVERIFY2(titles.contains(u"What Slurm allocated"_s), qPrintable(titles.join(u'\n')));
}

/// Values that were entered for the demo cluster do not follow silently.
void TestLaunchPage::values_ofAnotherSiteCanBeReset()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"demo"_s);
    auto* image = rig.find<QLineEdit>("input-image");
    image->setFocus();
    image->selectAll();
    QTest::keyClicks(image, u"docker://login:5000/demo/mine:1"_s);
    QTRY_COMPARE(page->plan().values.value(u"image"_s), u"docker://login:5000/demo/mine:1"_s);
    auto* carried = rig.find<QWidget>("carried");
    QVERIFY(!carried->isVisible());
    page->selectSite(u"kestrel"_s);
    QTRY_VERIFY(carried->isVisible());
    const QString note = rig.find<QLabel>("note-image")->text();
    QVERIFY2(note.startsWith(u"! "_s) || note.startsWith(u"✕ "_s), qPrintable(note));
    const auto& problems = page->plan().problems;
    QVERIFY(std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.field == u"image"_s
            && problem.text.contains(u"login:5000 has no domain name"_s);
    }));
    QString said;
    for (QLabel* label : carried->findChildren<QLabel*>()) {
        said += label->text();
    }
    QCOMPARE(said, u"Entered for Demo cluster and kept: Image."_s);
    QTest::mouseClick(rig.find<QPushButton>("resetCarried"), Qt::LeftButton);
    QVERIFY(!page->plan().values.value(u"image"_s).contains(u"login:5000"_s));
    QTRY_VERIFY(!carried->isVisible());
    page->selectSite(u"demo"_s);
    QVERIFY(!carried->isVisible());
}

void TestLaunchPage::key_launches()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s);
    QVERIFY(rig.find<QPushButton>("launch")->toolTip().contains(u"Ctrl+Enter"_s));
    QSignalSpy wanted(page, &LaunchPage::connectRequested);
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    QTest::keyClick(time, Qt::Key_Return, Qt::ControlModifier);
    QTRY_COMPARE(wanted.count(), 1); // the site is not connected: that comes first
    closeConnectDialog(rig);
}

/// Every combination of the values, checked before any of them is launched.
void TestLaunchPage::sweep_countsAndChecksItsRuns()
{
    Rig& rig = shared();
    open(rig, u"demo"_s);
    LaunchDraft draft(&rig.engine());
    draft.setSite(u"demo"_s);
    draft.setRecipe(u"pi-nodes"_s);
    draft.planNow();
    QPointer<SweepDialog> dialog = new SweepDialog(&draft, &rig.window());
    QSignalSpy wanted(dialog, &SweepDialog::sweepRequested);
    dialog->open();
    const auto edit = [&](const char* name) {
        return dialog->findChild<QLineEdit*>(QString::fromLatin1(name));
    };
    auto* field = dialog->findChild<QComboBox*>(u"sweepField0"_s);
    auto* count = dialog->findChild<QLabel*>(u"sweepCount"_s);
    auto* launch = dialog->findChild<QPushButton*>(u"launchSweep"_s);
    field->setCurrentIndex(field->findData(u"nodes"_s));
    edit("sweepValues0")->clear();
    QTest::keyClicks(edit("sweepValues0"), u"1, 2"_s);
    QTRY_COMPARE(count->text(), u"2 runs, as many at once as Slurm allows."_s);
    QTest::mouseClick(dialog->findChild<QPushButton*>(u"addSweepField"_s), Qt::LeftButton);
    auto* second = dialog->findChild<QComboBox*>(u"sweepField1"_s);
    second->setCurrentIndex(second->findData(u"samples"_s));
    QTest::keyClicks(edit("sweepValues1"), u"100000,200000,300000"_s);
    QTest::keyClicks(edit("sweepAtOnce"), u"2"_s);
    QTRY_COMPARE(count->text(), u"6 runs, at most 2 at once."_s);
    const auto said = [&] {
        QString text;
        for (QLabel* label : dialog->findChildren<QLabel*>()) {
            text += label->isVisible() ? label->text() % u'\n' : QString();
        }
        return text;
    };
    QVERIFY2(said().contains(u"Not connected to Demo cluster"_s), qPrintable(said()));
    QVERIFY(!launch->isEnabled());
    // Whether there are arrays is not known, so each run would be a job; the reason is said.
    auto* submission = dialog->findChild<QComboBox*>(u"sweepSubmission"_s);
    QVERIFY(submission && !submission->isEnabled());
    QVERIFY2(said().contains(u"One job each. Whether the cluster takes job arrays"_s),
        qPrintable(said()));
    QVERIFY(!dialog->findChild<QWidget*>(u"sweepScript"_s)->isVisible());
    QTest::keyClicks(edit("sweepValues0"), u", 99"_s);
    QTRY_COMPARE(count->text(), u"9 runs, at most 2 at once."_s);
    QVERIFY2(said().contains(u"nodes 99"_s), qPrintable(said())); // which of them is wrong
    QTest::keyClicks(edit("sweepValues1"), u",1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19"_s);
    QTRY_COMPARE(count->text(), u"A sweep has at most 64 runs."_s);
    QCOMPARE(wanted.count(), 0);
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
}

void TestLaunchPage::lanes_areChips()
{
    Rig& rig = shared();
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
    const QString help = rig.find<QLabel>("note-lanes")->text();
    QVERIFY2(help.startsWith(u"What to compare."_s), qPrintable(help));
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
    Rig& rig = shared();
    open(rig, u"kestrel"_s, QSize(1440, 900), u"first"_s);
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
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s, QSize(1440, 900), u"first"_s);
    QTest::mouseClick(rig.find<QPushButton>("exercise-2"), Qt::LeftButton);
    QCOMPARE(page->spec().recipeId, u"second"_s);
    QVERIFY(preview(rig).contains("say second c"));
    QVERIFY(!rig.find<QWidget>("exercises")->isVisible());
    page->selectRecipe(u"first"_s);
    QVERIFY(preview(rig).contains("say first a"));
}

void TestLaunchPage::exercise_ofYourOwn_goesToTheField()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s, QSize(1280, 800), u"first"_s);
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
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s);
    const QByteArray own = preview(rig);
    auto* edit = rig.find<QPushButton>("editScript");
    QTRY_VERIFY(edit->isVisible() && edit->visibleRegion().boundingRect() == edit->rect());
    QTest::mouseClick(edit, Qt::LeftButton);
    QTRY_VERIFY(!rig.find<ScriptView>("preview")->isReadOnly());
    auto* view = rig.find<ScriptView>("preview");
    view->moveCursor(QTextCursor::End);
    QTest::keyClicks(view, u"# mine"_s);
    QTRY_VERIFY(page->spec().editedScript.endsWith("# mine"));
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"00:05:00"_s);
    QTRY_COMPARE(page->plan().values.value(u"time"_s), u"00:05:00"_s);
    QVERIFY(preview(rig).endsWith("# mine")); // the form does not overwrite it
    QTest::mouseClick(rig.find<QPushButton>("revertScript"), Qt::LeftButton);
    QTRY_VERIFY(page->spec().editedScript.isEmpty());
    QVERIFY(preview(rig).contains("--time=00:05:00"));
    QVERIFY(preview(rig) != own);
}

void TestLaunchPage::notConnected_offersToConnect()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s);
    auto* launch = rig.find<QPushButton>("launch");
    QCOMPARE(launch->text(), u"Connect to launch"_s);
    QVERIFY(launch->isEnabled());
    QVERIFY(!rig.find<QPushButton>("allocate")->isEnabled());
    QCOMPARE(rig.find<QLabel>("launchSentence")->text(), u"Not connected to Kestrel."_s);
    QSignalSpy wanted(page, &LaunchPage::connectRequested);
    QTest::mouseClick(launch, Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    closeConnectDialog(rig);
}

void TestLaunchPage::narrowWindow_foldsTheScriptToATab()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s, QSize(1440, 900));
    QTRY_VERIFY(rig.find<ScriptView>("preview")->isVisible());
    rig.window().resize(1280, 800);
    QTRY_VERIFY(!rig.find<ScriptView>("preview")->isVisible());
    QVERIFY(rig.find<QPushButton>("launch")->isVisible());
}

/// What to expect, opened, has the ground of the page and not that of a pressed button.
void TestLaunchPage::openedAdvice_isNoSunkenButton()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s);
    auto* more = rig.find<QToolButton>("teachingMore");
    QTRY_VERIFY(more->isVisible() && !more->isChecked());
    const auto ground = [more] {
        const QImage picture = more->grab().toImage();
        return picture.pixelColor(picture.width() - 5, picture.height() / 2);
    };
    const QColor before = ground();
    more->click();
    QVERIFY(more->isChecked());
    QCOMPARE(ground(), before);
    QVERIFY(rig.find<QLabel>("teachingRest")->isVisible());
    more->click(); // as it was
}

/// At 1280 pixels with text of twice the size, one part at a time fits.
void TestLaunchPage::largeText_foldsTheGalleryToo()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s, QSize(1280, 800));
    rig.theme().setTextScale(2.0);
    QTRY_VERIFY(!rig.window().findChild<Gallery*>()->isVisible());
    QVERIFY(rig.window().width() <= 1280);
    auto* launch = rig.find<QPushButton>("launch");
    QTRY_VERIFY(launch->isVisible());
    QTRY_VERIFY(launch->width() >= launch->fontMetrics().horizontalAdvance(launch->text()));
    QVERIFY(page->rect().contains(launch->mapTo(page, launch->rect().bottomRight())));
    auto* tabs = rig.find<QTabBar>("launchTabs");
    tabs->setCurrentIndex(0);
    QTRY_VERIFY(rig.window().findChild<Gallery*>()->isVisible());
    QVERIFY(!launch->isVisible());
    page->selectRecipe(u"run-a-command"_s);
    QTRY_VERIFY(launch->isVisible());
    rig.theme().setTextScale(1.0);
}

void TestLaunchPage::splitter_isRemembered()
{
    Rig& rig = shared();
    LaunchPage* page = open(rig, u"kestrel"_s, QSize(1800, 900));
    auto* split = rig.find<QSplitter>("launchSplitter");
    QTRY_VERIFY(split->sizes().at(0) > 0 && split->sizes().at(1) > 0);
    auto* handle = split->handle(1);
    const QPoint grip = handle->rect().center();
    const auto send = [handle](QEvent::Type type, const QPoint& at, Qt::MouseButton button) {
        QMouseEvent event(type, at, handle->mapToGlobal(at), button, Qt::LeftButton, {});
        QApplication::sendEvent(handle, &event);
    };
    send(QEvent::MouseButtonPress, grip, Qt::LeftButton);
    send(QEvent::MouseMove, grip + QPoint(120, 0), Qt::NoButton);
    send(QEvent::MouseButtonRelease, grip, Qt::LeftButton);
    const QList<int> moved = split->sizes();
    LaunchPage again(&rig.engine());
    again.resize(page->size());
    again.show();
    auto* other = again.findChild<QSplitter*>(u"launchSplitter"_s);
    QTRY_VERIFY(std::abs(other->sizes().at(0) - moved.at(0)) <= 4);
}

void TestLaunchPage::popUp_showsItsLastRow()
{
    Rig& rig = shared();
    open(rig, u"kestrel"_s);
    auto* sites = rig.find<QComboBox>("siteChoice");
    QVERIFY(sites->count() > 10 && sites->count() <= sites->maxVisibleItems());
    sites->showPopup();
    QTRY_VERIFY(sites->view()->isVisible());
    const QModelIndex last = sites->model()->index(sites->count() - 1, 0);
    QTRY_VERIFY2(sites->view()->viewport()->rect().contains(sites->view()->visualRect(last)),
        qPrintable(u"%1 high, the last row ends at %2"_s.arg(sites->view()->viewport()->height())
                       .arg(sites->view()->visualRect(last).bottom())));
    sites->hidePopup();
}

void TestLaunchPage::connected_offersToLaunch()
{
    m_shared.reset(); // one window at a time has the focus
    Rig rig;
    rig.setDemoRunning();
    LaunchPage* page = open(rig, u"demo"_s, QSize(1440, 900), u"pi-nodes"_s);
    rig.connectTo(u"demo"_s);
    page->planNow(); // with what the cluster said, which makes the fields anew
    QVERIFY(!page->plan().hasErrors());
    QVERIFY(rig.find<QComboBox>("input-partition"));
    auto* launch = rig.find<QPushButton>("launch");
    auto* sentence = rig.find<QLabel>("launchSentence");
    QTRY_COMPARE(launch->text(), u"Launch"_s);
    QTRY_VERIFY(launch->isEnabled());
    QTRY_VERIFY(rig.find<QPushButton>("allocate")->isEnabled());
    // An error is shown, and the button is disabled until it is fixed.
    auto* time = rig.find<QLineEdit>("input-time");
    const QString good = time->text();
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"soon"_s);
    QTRY_VERIFY(!launch->isEnabled());
    QVERIFY(page->plan().hasErrors());
    QCOMPARE(sentence->text(), u"Fix the errors above first."_s);
    QVERIFY(sentence->isVisible());
    QVERIFY(!rig.find<QPushButton>("allocate")->isEnabled());
    time->selectAll();
    QTest::keyClicks(time, good);
    QTRY_VERIFY(launch->isEnabled());
    QVERIFY(!sentence->text().contains(u"errors"_s));
}

void TestLaunchPage::connected_keyLaunches()
{
    m_shared.reset();
    Rig rig;
    rig.setDemoRunning();
    const auto shell = StubConnector::launchingShell();
    rig.connector().shell = shell;
    LaunchPage* page = open(rig, u"demo"_s, QSize(1440, 900), u"pi-nodes"_s);
    rig.connectTo(u"demo"_s);
    page->planNow();
    QTRY_VERIFY(rig.find<QPushButton>("launch")->isEnabled());
    auto* time = rig.find<QLineEdit>("input-time");
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"00:07:00"_s);
    QTest::keyClick(time, Qt::Key_Return, Qt::ControlModifier); // and the last keystroke counts
    const auto runs = [&rig] { return rig.engine().runs()->all(); };
    QTRY_COMPARE(runs().size(), size_t(1));
    QTRY_VERIFY_WITH_TIMEOUT(runs().front().job.isValid(), 20'000);
    const Run run = runs().front();
    QCOMPARE(run.job.text, u"77"_s);
    const QByteArray script = shell->file(run.folder % u"/job.sh"_s);
    QVERIFY2(script.contains("#SBATCH --time=00:07:00"), script.constData());
    QTRY_VERIFY(rig.window().runsPage()->showsRun());
    QCOMPARE(rig.window().runsPage()->page()->runId(), run.id);
}

/// From the form, with values that are typed, to jobs that the scheduler has accepted.
void TestLaunchPage::sweep_isLaunchedFromTheForm()
{
    m_shared.reset();
    Rig rig;
    rig.setDemoRunning();
    const auto shell = StubConnector::launchingShell();
    rig.connector().shell = shell;
    LaunchPage* page = open(rig, u"demo"_s, QSize(1440, 900), u"pi-nodes"_s);
    rig.connectTo(u"demo"_s);
    page->planNow();
    QTRY_VERIFY(rig.find<QPushButton>("sweep")->isEnabled());
    QTest::mouseClick(rig.find<QPushButton>("sweep"), Qt::LeftButton);
    QPointer<SweepDialog> dialog = rig.window().findChild<SweepDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY(dialog->isVisible());
    auto* values = dialog->findChild<QLineEdit*>(u"sweepValues0"_s);
    auto* count = dialog->findChild<QLabel*>(u"sweepCount"_s);
    auto* launch = dialog->findChild<QPushButton*>(u"launchSweep"_s);
    // What the recipe sweeps by itself.
    QCOMPARE(dialog->findChild<QComboBox*>(u"sweepField0"_s)->currentData().toString(), u"nodes"_s);
    QCOMPARE(values->text(), u"1,2"_s);
    QTRY_VERIFY(launch->isEnabled());
    values->selectAll();
    QTest::keyClick(values, Qt::Key_Delete);
    QTRY_VERIFY2(count->text().startsWith(u"Enter the values"_s), qPrintable(count->text()));
    QVERIFY(!launch->isEnabled());
    QTest::keyClicks(values, u"1, two"_s);
    QTRY_VERIFY2(shownText(*dialog).contains(u"nodes two: "_s), qPrintable(shownText(*dialog)));
    QVERIFY(!launch->isEnabled());
    QTest::keyClick(launch, Qt::Key_Space); // nor by its key
    QVERIFY(rig.engine().runs()->all().empty());
    values->selectAll();
    QTest::keyClicks(values, u"2, 1"_s);
    QTRY_COMPARE(count->text(), u"2 runs, as many at once as Slurm allows."_s);
    QTRY_VERIFY2(launch->isEnabled(), qPrintable(shownText(*dialog)));
    QVERIFY2(!shownText(*dialog).contains(u"nodes two"_s), qPrintable(shownText(*dialog)));
    QCOMPARE(launch->text(), u"Launch 2 runs"_s);
    launch->setFocus();
    QTest::keyClick(launch, Qt::Key_Space);
    QTRY_VERIFY(!dialog);
    const auto labelled = [&rig](const QString& label) {
        for (const Run& run : rig.engine().runs()->all()) {
            if (run.spec.sweepLabel == label) {
                return run;
            }
        }
        return Run();
    };
    QTRY_VERIFY_WITH_TIMEOUT(labelled(u"nodes 1"_s).job.isValid(), 20'000); // the last
    const Run first = labelled(u"nodes 2"_s);
    const Run second = labelled(u"nodes 1"_s);
    QCOMPARE(rig.engine().runs()->all().size(), size_t(2));
    QCOMPARE(first.job.text, u"77"_s);
    QCOMPARE(second.job.text, u"78"_s);
    QVERIFY(!first.spec.sweep.isEmpty());
    QCOMPARE(first.spec.sweep, second.spec.sweep);
    const auto script = [&shell](const Run& run) { return shell->file(run.folder % u"/job.sh"_s); };
    QVERIFY2(script(first).contains("#SBATCH --nodes=2\n"), script(first).constData());
    QVERIFY2(script(second).contains("#SBATCH --nodes=1\n"), script(second).constData());
    QVERIFY(!page->hasError());
    QTRY_VERIFY(rig.window().runsPage()->showsRun()); // the first one is shown
    QCOMPARE(rig.window().runsPage()->page()->runId(), first.id);
}

/// Nodes that somebody keeps are charged: Launch says so, but only what is true now.
void TestLaunchPage::keptNodes_areNamedWhileTheyAreKnown()
{
    m_shared.reset();
    Rig rig;
    Run kept = Rig::sampleRun(u"kept"_s, RunPhase::Allocated);
    kept.spec.mode = LaunchMode::Interactive;
    kept.spec.siteId = u"kestrel"_s;
    rig.addRun(kept, Rig::sampleLog());
    // Another program drives it, so that nothing here ends what the scheduler does not know.
    LocalRun driver(rig.paths().data % u"/runs/kept"_s);
    QVERIFY(driver.lock());
    LaunchPage* page = open(rig, u"kestrel"_s);
    LaunchDraft draft(&rig.engine());
    draft.setSite(u"kestrel"_s);
    QVERIFY(draft.keptRuns().empty()); // without a connection nobody knows
    QVERIFY(!rig.find<QWidget>("keptNodes")->isVisible());
    const auto until = draft.keptUntil(kept);
    QVERIFY(until && *until == kept.started.addSecs(1800)); // of its facts
    const QString text = LaunchBar::keptText({kept, kept}, until);
    QVERIFY2(text.contains(u"at the latest"_s), qPrintable(text));
    QVERIFY2(text.startsWith(u"You keep gpu01 for “Matmul scaling”"_s), qPrintable(text));
    QVERIFY2(text.endsWith(u"1 more allocation is kept."_s), qPrintable(text));
    const AllocationDialog dialog(page->plan(), 1);
    QString words;
    for (QLabel* label : dialog.findChildren<QLabel*>()) {
        words += label->text();
    }
    QVERIFY2(words.contains(u"You keep an allocation there already"_s), qPrintable(words));
    // Connected: what is kept is named, and one press away.
    rig.connectTo(u"kestrel"_s);
    auto* notice = rig.find<QWidget>("keptNodes");
    QTRY_VERIFY(notice->isVisible());
    const QString shown = shownText(*notice);
    QVERIFY2(shown.contains(u"You keep gpu01 for “Matmul scaling”"_s), qPrintable(shown));
    auto* openIt = rig.find<QPushButton>("openKept");
    QCOMPARE(openIt->text(), u"Open it"_s);
    QCOMPARE(openIt->accessibleName(), u"Open the run that keeps gpu01"_s);
    openIt->setFocus();
    QTest::keyClick(openIt, Qt::Key_Space);
    QTRY_VERIFY(rig.window().runsPage()->showsRun());
    QCOMPARE(rig.window().runsPage()->page()->runId(), kept.id);
    auto* release = rig.find<QPushButton>("releaseRun");
    QTRY_VERIFY(release->isVisible() && release->isEnabled());
    // At another site it is no news.
    rig.window().showPage(MainWindow::LaunchIndex);
    QTRY_VERIFY(notice->isVisible());
    page->selectSite(u"swift"_s);
    QTRY_VERIFY(!notice->isVisible());
}

SLIPWAY_GUI_TEST(TestLaunchPage, gui_launchpage)
#include "tst_launchpage.moc"
