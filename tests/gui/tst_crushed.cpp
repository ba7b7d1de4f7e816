// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "crushed.h"
#include "rig.h"
#include "sampleimages.h"
#include "sampleraces.h"
#include "sampletrainings.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparepage.h"
#include "ui/images/imagespage.h"
#include "ui/images/storedimagescard.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// In a small window and with large text everything on a page can be read and reached. Its
/// subclasses say in which windows.
class CrushedPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void cleanup() { m_found.clear(); }
    void sitesAndLaunch_haveTheirRoom_data() { addSizes(); }
    void sitesAndLaunch_haveTheirRoom();
    void runs_haveTheirRoom_data() { addSizes(); }
    void runs_haveTheirRoom();
    void runPages_haveTheirRoom_data() { addSizes(); }
    void runPages_haveTheirRoom();
    void comparePages_haveTheirRoom_data() { addSizes(); }
    void comparePages_haveTheirRoom();
    void imagesPage_hasItsRoom_data() { addSizes(); }
    void imagesPage_hasItsRoom();

protected:
    virtual void addWindows() = 0;
    /// Adds to m_found what has no room on this page once it has settled.
    void look(Rig& rig, const QString& page);

    QStringList m_found;

private:
    void addSizes();
    void begin(Rig& rig);
};

/// In the smallest window: every run of the tests has time for that.
class TestCrushed : public CrushedPages {
    Q_OBJECT

private slots:
    void crushedCutAndOverlapping_areFound();
    void fold_putsPartsBelowWhereTheyDoNotFit();
    void longTitle_endsInAnEllipsis();
    void longParagraph_endsInAnEllipsis();

protected:
    void addWindows() override;
};

class TestMoreCrushed : public CrushedPages {
    Q_OBJECT

protected:
    void addWindows() override;
};

void CrushedPages::addSizes()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    addWindows();
}

void TestCrushed::addWindows()
{
    QTest::newRow("900x600") << QSize(900, 600) << 1.0;
    QTest::newRow("900x600, text at 200 %") << QSize(900, 600) << 2.0;
}

void TestMoreCrushed::addWindows()
{
    QTest::newRow("1280x800, text at 200 %") << QSize(1280, 800) << 2.0;
}

void CrushedPages::begin(Rig& rig)
{
    QFETCH(QSize, size);
    QFETCH(double, scale);
    rig.theme().setTextScale(scale);
    rig.start(size);
    QCOMPARE(rig.window().size(), size);
}

void CrushedPages::look(Rig& rig, const QString& page)
{
    QStringList found;
    QTest::qWait(50); // what it shows may be placed in several turns
    const auto isSettled = [&] {
        found = crushedParts(rig.window(), page);
        return found.isEmpty();
    };
    if (!QTest::qWaitFor(isSettled, 20'000)) {
        m_found << found;
    }
}

void TestCrushed::crushedCutAndOverlapping_areFound()
{
    QWidget page;
    page.resize(400, 300);
    const auto add = [](const QString& text, const QRect& place, QWidget* parent) {
        auto* button = makeButton(text, ButtonKind::Ordinary, parent);
        button->setGeometry(QRect(place.topLeft(), place.size().expandedTo(button->sizeHint())));
        return button;
    };
    add(u"whole"_s, QRect(10, 10, 100, 40), &page);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QCOMPARE(crushedParts(page, u"Page"_s), QStringList());

    QPushButton* crushed = add(u"a long enough text"_s, QRect(150, 10, 10, 40), &page);
    crushed->resize(30, crushed->height());
    crushed->show();
    QStringList found = crushedParts(page, u"Page"_s);
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.front().startsWith(u"Page: "_s)
            && found.front().contains(u"“a long enough text” has 30×"_s),
        qPrintable(found.front()));
    delete crushed;

    QPushButton* cut = add(u"beyond"_s, QRect(10, 290, 100, 40), &page);
    cut->show();
    found = crushedParts(page, u"Page"_s);
    QVERIFY2(
        found.size() == 1 && found.front().contains(u"is cut by"_s), qPrintable(found.join(u'\n')));
    delete cut;

    QPushButton* over = add(u"over it"_s, QRect(20, 20, 100, 40), &page);
    over->show();
    found = crushedParts(page, u"Page"_s);
    QVERIFY2(
        found.size() == 1 && found.front().contains(u"overlap"_s), qPrintable(found.join(u'\n')));
    delete over;

    // What can be scrolled to has its room.
    QScrollArea scroll(&page);
    auto* inside = new QWidget;
    inside->resize(1000, 1000);
    add(u"far away"_s, QRect(800, 800, 100, 40), inside);
    scroll.setWidget(inside);
    scroll.setGeometry(0, 100, 300, 150);
    scroll.setFocusPolicy(Qt::NoFocus);
    scroll.show();
    QTRY_COMPARE(crushedParts(page, u"Page"_s), QStringList());
    scroll.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QTRY_VERIFY(crushedParts(page, u"Page"_s).join(u' ').contains(u"“far away” is cut by"_s));
}

void TestCrushed::fold_putsPartsBelowWhereTheyDoNotFit()
{
    QWidget page;
    auto* words = TextLabel::paragraph(u"Some words that may take several lines"_s);
    auto* button = makeButton(u"A button"_s);
    auto* fold = new FoldLayout(8, 10, &page);
    fold->addWidget(words);
    fold->addWidget(button);
    const int needed = 10 * page.fontMetrics().averageCharWidth() + 8 + button->sizeHint().width();
    page.resize(needed + 40, 200);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QVERIFY(button->x() > words->geometry().right());
    QCOMPARE(button->geometry().right(), page.width() - 1);
    QVERIFY(fold->minimumSize().width() < needed); // so that it can be made narrower
    page.resize(needed - 2, 200);
    QTRY_VERIFY(button->y() > words->geometry().bottom());
    QCOMPARE(button->x(), 0);
    QCOMPARE(button->size(), button->sizeHint());
    QCOMPARE(fold->heightForWidth(page.width()), button->geometry().bottom() + 1);
    words->hide();
    QTRY_COMPARE(button->y(), 0);
}

void TestCrushed::longTitle_endsInAnEllipsis()
{
    Rig rig;
    Run run = Rig::sampleRun(u"long"_s, RunPhase::Done);
    run.labels.name = u"A baseline with a name "_s.repeated(8).trimmed();
    rig.addRun(run, Rig::sampleLog());
    rig.start(QSize(900, 600));
    rig.window().openRun(u"long"_s);
    auto* title = rig.find<ElidedText>("runTitle");
    QTRY_VERIFY(title->isVisible());
    QCOMPARE(title->text(), run.labels.name);
    QVERIFY(title->toolTip().contains(run.labels.name));
    auto* scroll = rig.find<QScrollArea>("runScroll");
    QTRY_VERIFY(title->mapTo(scroll, title->rect().bottomRight()).x() < scroll->width());
    QVERIFY(title->width() < title->sizeHint().width());
    look(rig, u"Run with a long name"_s);
    QVERIFY2(m_found.isEmpty(), qPrintable(m_found.join(u'\n')));
}

void TestCrushed::longParagraph_endsInAnEllipsis()
{
    ElidedParagraph paragraph(2);
    paragraph.resize(200, paragraph.height());
    const QStringList before = elidedLines(u"Short."_s, paragraph.font(), 200, 2);
    QCOMPARE(before, QStringList{u"Short."_s});
    const QString text = u"loss 0.4 at step 3, lowest 0.2 "_s.repeated(20).trimmed();
    const QStringList lines = elidedLines(text, paragraph.font(), 200, 2);
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines.last().endsWith(u'…'), qPrintable(lines.last()));
    const QFontMetrics metrics(paragraph.font());
    for (const QString& line : lines) {
        QVERIFY2(metrics.horizontalAdvance(line) <= 200, qPrintable(line));
    }
    QVERIFY(text.startsWith(lines.first()));
    paragraph.setText(text);
    QVERIFY(paragraph.toolTip().contains(text));
    // What is painted is what these lines are, not the whole text cut off at the bottom edge.
    TextLabel cut(text);
    cut.setWordWrap(true);
    cut.setAlignment(paragraph.alignment());
    cut.setFixedSize(paragraph.size());
    QVERIFY(paragraph.grab().toImage() != cut.grab().toImage());
    paragraph.setText(u"Short."_s);
    cut.setText(u"Short."_s);
    QVERIFY(paragraph.grab().toImage() == cut.grab().toImage());
}

void CrushedPages::sitesAndLaunch_haveTheirRoom()
{
    Rig rig;
    Run run = Rig::sampleRun(u"live"_s, RunPhase::Running);
    rig.addRun(run); // so that there is a note about it
    begin(rig);
    look(rig, u"Sites"_s);
    QTest::mouseClick(rig.find<QPushButton>("followDismiss-demo"), Qt::LeftButton);
    rig.window().showPage(MainWindow::LaunchIndex);
    rig.window().launchPage()->selectSite(u"kestrel"_s);
    rig.window().launchPage()->selectRecipe(u"matmul-scaling"_s);
    look(rig, u"Launch"_s);
    auto* time = rig.find<QLineEdit>("input-time");
    QVERIFY(time);
    auto* tabs = rig.find<QTabBar>("launchTabs");
    for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        look(rig, u"Launch, "_s % tabs->tabText(tab));
        if (time->isVisible()) {
            break;
        }
    }
    QTRY_VERIFY(time->isVisible());
    time->setFocus();
    time->selectAll();
    QTest::keyClicks(time, u"9-00:00:00"_s); // above the partition's limit
    auto* fix = rig.find<QPushButton>("fix-time");
    QTRY_VERIFY(fix->isVisible());
    look(rig, u"Launch with a problem"_s);
    rig.window().launchPage()->selectRecipe(u"own-code"_s);
    look(rig, u"Launch, no folder yet"_s);
    rig.window().openFolder(sourcePath(u"/tests/data/projects/several"_s));
    QTRY_VERIFY(rig.find<QLabel>("folderQuestion"));
    look(rig, u"Launch of an own folder"_s);
    rig.theme().setTextScale(1.0);
    QVERIFY2(m_found.isEmpty(), qPrintable(m_found.join(u'\n')));
}

void CrushedPages::runs_haveTheirRoom()
{
    {
        Rig none;
        begin(none);
        none.window().showPage(MainWindow::RunsIndex);
        look(none, u"Runs, none yet"_s);
    }
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done));
    rig.addRun(Rig::sampleRun(u"fail"_s, RunPhase::Failed));
    begin(rig);
    rig.window().showPage(MainWindow::RunsIndex);
    look(rig, u"Runs"_s);
    rig.theme().setTextScale(1.0);
    QVERIFY2(m_found.isEmpty(), qPrintable(m_found.join(u'\n')));
}

void CrushedPages::runPages_haveTheirRoom()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    Run live = Rig::sampleRun(u"live"_s, RunPhase::Running);
    live.spec.siteId = u"kestrel"_s;
    rig.addRun(live, Rig::sampleLog());
    Run kept = Rig::sampleRun(u"kept"_s, RunPhase::Allocated);
    kept.spec.mode = LaunchMode::Interactive;
    kept.spec.siteId = u"kestrel"_s;
    rig.addRun(kept, Rig::sampleLog());
    Run failed = Rig::sampleRun(u"fail"_s, RunPhase::Failed);
    for (const QString& title : {u"The job ran out of memory"_s, u"The port is already in use"_s,
             u"Python cannot find “torch”"_s, u"The disk quota is used up"_s}) {
        failed.explanations.push_back({title, 3, u"slurmstepd: error: Detected 1 oom_kill event"_s,
            title, u"It used more main memory than it had requested."_s, u"Request more memory."_s,
            Explanation::Severity::Fault,
            FieldChange{u"memory"_s, FieldChange::Kind::Double, u"8G"_s}});
    }
    rig.addRun(failed, Rig::sampleLog());
    begin(rig);
    RunPage* page = nullptr;
    for (const QString& id : {u"live"_s, u"kept"_s, u"fail"_s, u"done"_s}) {
        rig.window().openRun(id);
        page = rig.window().runsPage()->page();
        QTRY_VERIFY(page->log()->view()->isComplete());
        look(rig, u"Run "_s % id);
    }
    const QStringList names{u"Live"_s, u"Node"_s, u"Script"_s, u"Files"_s, u"Commands"_s};
    for (int tab = RunPage::NodeTab; tab <= RunPage::CommandsTab; ++tab) {
        page->showTab(tab);
        look(rig, u"Run done, "_s % names.value(tab));
    }
    rig.window().openRun(u"fail"_s);
    rig.window().openRun(u"done"_s);
    page->openLogSearch();
    look(rig, u"Run done, search in the log"_s);
    rig.theme().setTextScale(1.0);
    QVERIFY2(m_found.isEmpty(), qPrintable(m_found.join(u'\n')));
}

void CrushedPages::comparePages_haveTheirRoom()
{
    Rig rig;
    addTrainings(rig, {64, 32, 16});
    begin(rig);
    rig.window().showPage(MainWindow::CompareIndex);
    look(rig, u"Compare, nothing yet"_s);
    ComparePage* page = rig.window().comparePage();
    page->model()->putRun(sampleRace(u"race"_s, {sampleGpu(), sampleCpu(), sampleCpu(1)}));
    look(rig, u"Compare"_s);
    page->model()->putRun(sampleRace(u"othr"_s, {sampleCpu()}));
    look(rig, u"Compare, two runs"_s);
    rig.window().compareRuns({u"batch64"_s, u"batch32"_s, u"batch16"_s});
    QTRY_VERIFY(page->showsCurves());
    look(rig, u"Curves"_s);
    rig.theme().setTextScale(1.0);
    QVERIFY2(m_found.isEmpty(), qPrintable(m_found.join(u'\n')));
}

void CrushedPages::imagesPage_hasItsRoom()
{
    Rig rig;
    begin(rig);
    rig.window().showPage(MainWindow::ImagesIndex);
    look(rig, u"Images, nothing asked"_s);
    ImagesPage* page = rig.window().imagesPage();
    page->showBusy(u"Asking nvcr.io about nvidia/pytorch 25.09-py3"_s);
    look(rig, u"Images, busy"_s);
    page->showError({ErrorKind::NotFound, u"nvcr.io has no image nvidia/pytorch:99-py3."_s,
        u"Check its name and its tag."_s, "MANIFEST_UNKNOWN"});
    look(rig, u"Images, error"_s);
    page->showInspection(sampleInspection());
    page->stored()->setList(sampleImageList());
    look(rig, u"Images"_s);
    QTest::mouseClick(rig.find<QPushButton>("howKnown"), Qt::LeftButton);
    look(rig, u"Images, how it is known"_s);
    page->stored()->setError(
        {ErrorKind::LinkLost, u"The connection ended."_s, u"Connect again."_s});
    look(rig, u"Images, an error of the list"_s);
    rig.theme().setTextScale(1.0);
    QVERIFY2(m_found.isEmpty(), qPrintable(m_found.join(u'\n')));
}

SLIPWAY_GUI_TEST(TestCrushed, gui_crushed)
SLIPWAY_GUI_TEST(TestMoreCrushed, gui_morecrushed)
#include "tst_crushed.moc"
