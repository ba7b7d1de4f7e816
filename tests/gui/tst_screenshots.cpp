// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/keeprecipe.h"
#include "app/runs/runstore.h"
#include "nodeexamples.h"
#include "plots/metrics/seriesstore.h"
#include "rig.h"
#include "sampleimages.h"
#include "sampleraces.h"
#include "sampletrainings.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparepage.h"
#include "ui/compare/comparesheet.h"
#include "ui/compare/curvesmodel.h"
#include "ui/compare/curvespage.h"
#include "ui/compare/presenter.h"
#include "ui/connect/connectdialog.h"
#include "ui/images/buildeditor.h"
#include "ui/images/imagespage.h"
#include "ui/images/localbuilddialog.h"
#include "ui/images/storedimagescard.h"
#include "ui/launch/folderfiles.h"
#include "ui/launch/keepdialog.h"
#include "ui/launch/launchdraft.h"
#include "ui/launch/launchpage.h"
#include "ui/launch/sweepdialog.h"
#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"
#include "ui/parts/confirm.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/labeldialog.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runlistmodel.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/runs/teachdialog.h"
#include "ui/secrets/secretsdialog.h"
#include "ui/sites/aboutsite.h"
#include "ui/sites/cleanupdialog.h"
#include "ui/sites/cleanupview.h"
#include "ui/sites/siteeditor.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace slipway;
using namespace Qt::StringLiterals;

/// Pictures of every page and dialog, for a person to look at: <build>/screenshots. Its subclasses
/// say in which sizes and colours.
class ScreenshotPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void pages_data() { addLookColumns(); }
    void pages();
    void runs_data() { addLookColumns(); }
    void runs();
    void nodes_data() { addLookColumns(); }
    void nodes();
    void compare_data() { addLookColumns(); }
    void compare();
    void curves_data() { addLookColumns(); }
    void curves();
    void images_data() { addLookColumns(); }
    void images();
    void presenter_data();
    void presenter();
    void dialogs_data() { addLookColumns(); }
    void dialogs();

protected:
    virtual void addLooks() = 0;
    virtual void addPresenterLooks() = 0;
    static void addLook(const char* name, bool dark, QSize size, double scale = 1.0);
    static void addPresenterLook(const char* name, bool dark, QSize size);
    /// The colours and the text of this row.
    static void setLook(Rig& rig);
    void save(QWidget& widget, const QString& name);

private:
    void addLookColumns();
    void saveConnect(Rig& rig, const QString& look);
    void saveOwnWork(Rig& rig, const QString& look);
    void saveTeaching(Rig& rig, const QString& look);
    QDir m_folder{slipway::buildPath(QStringLiteral("/screenshots"))};
};

/// In one size and light, and a few pages dark: every run of the tests has time for that.
class TestScreenshots : public ScreenshotPages {
    Q_OBJECT

private slots:
    void darkPages();

protected:
    void addLooks() override { addLook("light-1280x800", false, {1280, 800}); }
    void addPresenterLooks() override { addPresenterLook("light-1080p", false, {1920, 1080}); }
};

/// In a smaller window, dark, and on projectors.
class TestMoreScreenshots : public ScreenshotPages {
    Q_OBJECT

protected:
    void addLooks() override;
    void addPresenterLooks() override;
};

/// On a screen of four times as many pixels, light and dark.
class TestLargeScreenshots : public ScreenshotPages {
    Q_OBJECT

protected:
    void addLooks() override;
    void addPresenterLooks() override { addPresenterLook("dark-4k", true, {3840, 2160}); }
};

/// With text of twice the size.
class TestLargeTextScreenshots : public ScreenshotPages {
    Q_OBJECT

protected:
    void addLooks() override;
    void addPresenterLooks() override { addPresenterLook("light-xga", false, {1024, 768}); }
};

void ScreenshotPages::initTestCase()
{
    requireFont();
    QVERIFY(m_folder.mkpath(u"."_s));
}

void ScreenshotPages::save(QWidget& widget, const QString& name)
{
    QTest::qWait(150);
    const QPixmap picture = widget.grab();
    QVERIFY(picture.width() > 100);
    constexpr int quickly = 80; // little compression: most of the time went into it
    QVERIFY(picture.save(m_folder.filePath(name % u".png"_s), "PNG", quickly));
}

void ScreenshotPages::addLookColumns()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    addLooks();
}

void ScreenshotPages::addLook(const char* name, bool dark, QSize size, double scale)
{
    QTest::newRow(name) << dark << size << scale;
}

void ScreenshotPages::addPresenterLook(const char* name, bool dark, QSize size)
{
    QTest::newRow(name) << dark << size;
}

void ScreenshotPages::setLook(Rig& rig)
{
    QFETCH(bool, dark);
    QFETCH(double, scale);
    rig.theme().setTextScale(scale);
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
}

void TestMoreScreenshots::addLooks()
{
    addLook("light-900x600", false, {900, 600});
    addLook("dark-1280x800", true, {1280, 800});
}

void TestMoreScreenshots::addPresenterLooks()
{
    addPresenterLook("dark-1080p", true, {1920, 1080});
}

void TestLargeScreenshots::addLooks()
{
    addLook("light-4k-200", false, {3840, 2160}, 2.0);
    addLook("dark-4k-200", true, {3840, 2160}, 2.0);
}

void TestLargeTextScreenshots::addLooks()
{
    addLook("light-900x600-200", false, {900, 600}, 2.0);
    addLook("light-1280x800-200", false, {1280, 800}, 2.0);
}

void ScreenshotPages::pages()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    setLook(rig);
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.addRun(
        Rig::sampleRun(u"fail"_s, RunPhase::Failed), "srun: error: gpu01: task 0: Out Of Memory\n");
    rig.addRun(Rig::sampleRun(u"live"_s, RunPhase::Running), Rig::sampleLog());
    Run kept = Rig::sampleRun(u"kept"_s, RunPhase::Allocated);
    kept.spec.mode = LaunchMode::Interactive;
    kept.spec.siteId = u"kestrel"_s;
    kept.sentence = u"Done. The nodes are kept until they are released."_s;
    rig.addRun(kept, Rig::sampleLog());
    rig.setDemoOutput(u"up"_s,
        R"({"event":"plan","stages":[{"stage":"base","title":"Base system"},)"
        R"({"stage":"apptainer","title":"Apptainer"},{"stage":"image",)"
        R"("title":"PyTorch image"},{"stage":"start","title":"Start"}]}
{"event":"stage","stage":"base","title":"Base system","state":"done","seconds":18}
{"event":"stage","stage":"apptainer","title":"Apptainer","state":"done","seconds":5}
{"event":"stage","stage":"image","title":"PyTorch image","state":"running","percent":62})");
    rig.start(size);
    save(rig.window(), u"sites-follow-"_s % look); // runs were going when it was closed
    QTest::mouseClick(rig.find<QPushButton>("followDismiss-demo"), Qt::LeftButton);
    save(rig.window(), u"sites-"_s % look);
    const auto shell = StubConnector::slurmShell();
    rig.connector().shell = shell;
    const auto connecting = rig.engine().sessions()->connectSite(u"kestrel"_s, nullptr);
    QTRY_COMPARE(
        rig.engine().sessions()->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    save(rig.window(), u"sites-connected-"_s % look);
    rig.connector().shell = nullptr; // others from now on
    shell->loseLink();
    save(rig.window(), u"sites-reconnecting-"_s % look);
    QTRY_COMPARE(
        rig.engine().sessions()->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    rig.window().showPage(MainWindow::LaunchIndex);
    rig.window().launchPage()->selectSite(u"kestrel"_s);
    save(rig.window(), u"launch-"_s % look);
    rig.window().launchPage()->selectRecipe(u"nbody-run"_s);
    save(rig.window(), u"launch-exercises-"_s % look);
    rig.window().showPage(MainWindow::RunsIndex);
    rig.window().runsPage()->showList();
    save(rig.window(), u"runs-"_s % look);
    for (const QString& run : {u"kept"_s, u"done"_s, u"live"_s, u"fail"_s}) {
        rig.window().openRun(run);
        QTRY_VERIFY(rig.window().runsPage()->page()->log()->view()->isComplete());
        QTest::qWait(150);
        save(rig.window(), u"run-"_s % run % u'-' % look);
    }
    QTest::mouseClick(rig.find<QPushButton>("explanationAgain"), Qt::LeftButton);
    save(rig.window(), u"launch-again-"_s % look);
    rig.window().openRun(u"done"_s);
    rig.window().runsPage()->page()->showTab(RunPage::ScriptTab);
    save(rig.window(), u"run-script-"_s % look);
    rig.theme().setTextScale(1.0);
}

void ScreenshotPages::nodes()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    setLook(rig);
    for (const QString& id : {u"live"_s, u"none"_s}) {
        Run run = Rig::sampleRun(id, RunPhase::Running);
        run.stages.insert(run.stages.begin() + 3, run.stages.at(2));
        run.stages[3].id = u"check"_s;
        run.stages[3].title = u"GPU check"_s;
        rig.addRun(run, Rig::sampleLog());
    }
    rig.addNodeRows(u"live"_s, missingNvRows());
    rig.start(size);
    QTest::mouseClick(rig.find<QPushButton>("followDismiss-demo"), Qt::LeftButton);
    rig.window().openRun(u"live"_s);
    RunPage* page = rig.window().runsPage()->page();
    QTRY_VERIFY(page->log()->view()->isComplete());
    page->gpus()->setSamples(samplesOver(240, 1));
    save(rig.window(), u"node-live-"_s % look);
    page->gpus()->setSamples(samplesOver(240, 4));
    save(rig.window(), u"node-gpus-"_s % look);
    page->showTab(RunPage::NodeTab);
    save(rig.window(), u"node-checks-"_s % look);
    page->node()->setOnlyAttention(true);
    save(rig.window(), u"node-attention-"_s % look);
    rig.window().openRun(u"none"_s);
    save(rig.window(), u"node-waits-"_s % look);
    page->showTab(RunPage::NodeTab);
    save(rig.window(), u"node-none-"_s % look);
    const auto connecting = rig.engine().sessions()->connectSite(u"kestrel"_s, nullptr);
    QTRY_COMPARE(
        rig.engine().sessions()->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    rig.window().openCleanup(u"kestrel"_s);
    auto* cleanup = rig.window().findChild<CleanupDialog*>();
    // Its own look, which finds nothing here, would replace the example.
    QTRY_VERIFY(!cleanup->view()->findChild<QProgressBar*>()->isVisible());
    cleanup->view()->setList(exampleCleanupList());
    cleanup->view()->setResult(u"3 removed, 1 left: its job runs"_s, false);
    save(*cleanup, u"cleanup-"_s % look);
    QTest::mouseClick(cleanup->findChild<QPushButton*>(u"cleanupRemoveAll"_s), Qt::LeftButton);
    save(*cleanup->findChild<Confirm*>(), u"cleanup-sure-"_s % look);
    cleanup->findChild<Confirm*>()->reject();
    cleanup->view()->setBusy(u"Searching on Kestrel"_s);
    save(*cleanup, u"cleanup-busy-"_s % look);
    cleanup->view()->setNotConnected();
    save(*cleanup, u"cleanup-away-"_s % look);
    cleanup->view()->setList({});
    save(*cleanup, u"cleanup-empty-"_s % look);
    rig.theme().setTextScale(1.0);
}

void ScreenshotPages::compare()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    setLook(rig);
    rig.start(size);
    rig.window().showPage(MainWindow::CompareIndex);
    save(rig.window(), u"compare-empty-"_s % look);
    CompareModel* const model = rig.window().comparePage()->model();
    const std::vector<SampleLane> lanes{sampleGpu(), sampleCpu(), sampleCpu(1)};
    model->putRun(sampleRace(u"race"_s, lanes));
    save(rig.window(), u"compare-fair-"_s % look);
    model->putRun(sampleRace(u"othr"_s, {sampleCpu()}));
    save(rig.window(), u"compare-overlay-"_s % look);
    model->clear();
    model->putRun(sampleRace(u"race"_s, {sampleGpu(), sampleCpu(1)}));
    save(rig.window(), u"compare-refused-"_s % look);
    ComparedRun alone = sampleRace(u"race"_s, {sampleCpu()}, 4);
    alone.file.absent = {sampleAbsentGpu()};
    model->clear();
    model->putRun(alone);
    save(rig.window(), u"compare-alone-"_s % look);
    ComparedRun live = sampleRace(u"race"_s, lanes, 2);
    live.live = true;
    model->clear();
    model->putRun(live);
    save(rig.window(), u"compare-live-"_s % look);
    rig.theme().setTextScale(1.0);
}

void ScreenshotPages::images()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    setLook(rig);
    rig.start(size);
    rig.window().showPage(MainWindow::ImagesIndex);
    save(rig.window(), u"images-empty-"_s % look);
    rig.connectTo(u"kestrel"_s);
    ImagesPage* page = rig.window().imagesPage();
    // Its own look, which finds nothing here, would replace the example.
    QTRY_VERIFY(!page->stored()->findChild<QProgressBar*>()->isVisible());
    page->stored()->setList(sampleImageList());
    rig.find<QLineEdit>("imageField")->setText(sampleInspection().image.reference.text());
    page->showBusy(u"Asking nvcr.io about nvidia/pytorch 25.09-py3"_s);
    save(rig.window(), u"images-busy-"_s % look);
    page->showInspection(sampleInspection());
    save(rig.window(), u"images-"_s % look);
    QTest::mouseClick(rig.find<QPushButton>("howKnown"), Qt::LeftButton);
    save(rig.window(), u"images-known-"_s % look);
    page->showError({ErrorKind::NotFound, u"nvcr.io has no image nvidia/pytorch:99-py3."_s,
        u"Check its name and its tag."_s, "MANIFEST_UNKNOWN"});
    save(rig.window(), u"images-error-"_s % look);
    rig.theme().setTextScale(1.0);
}

void ScreenshotPages::presenter_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    addPresenterLooks();
}

void ScreenshotPages::presenter()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Theme theme;
    theme.setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
    CompareModel model;
    PresenterView view(&model);
    view.setAttribute(Qt::WA_DeleteOnClose, false);
    view.resize(size);
    model.putRun(sampleRace(u"race"_s, {sampleGpu(), sampleCpu(), sampleCpu(1)}));
    for (int step = 0; step < PresenterView::StepCount; ++step) {
        view.setStep(step);
        save(view, u"present-%1-"_s.arg(step + 1) % look);
    }
    QVERIFY(saveComparison(m_folder.filePath(u"comparison-sheet.png"_s), model).ok());
    model.putRun(sampleRace(u"race"_s, {sampleGpu(), sampleCpu(1)}));
    for (const int step : {0, 1}) {
        view.setStep(step);
        save(view, u"present-refused-%1-"_s.arg(step + 1) % look);
    }
    theme.setChoice(Theme::Choice::Light);
}

/// Two runs of a sweep and some others, in groups; a run that printed only text; a search in a log;
/// and the files of a run.
void ScreenshotPages::runs()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"results"_s));
    for (const QString& name : {u"job.sh"_s, u"results/curve.csv"_s}) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("size,flops\n256,1\n512,4\n") > 0);
    }
    Rig rig;
    setLook(rig);
    Run text = Rig::sampleRun(u"text"_s, RunPhase::Done);
    text.spec.recipeId = u"run-a-command"_s;
    text.title = u"Run a command"_s;
    rig.addRun(text, QByteArray("hello from gpu01\n").repeated(60));
    addTrainings(rig, {64, 32, 16}, u"sweep"_s);
    Run done = Rig::sampleRun(u"done"_s, RunPhase::Done);
    done.created = done.created.addDays(-1);
    done.labels = {u"Baseline"_s, {u"paper"_s}, {}};
    rig.addRun(done, Rig::sampleLog());
    {
        RunStore store(rig.paths().data % u"/runs.sqlite"_s);
        QVERIFY(store.open().ok() && store.noteFetched(u"done"_s, folder.path()).ok());
    }
    rig.start(size);
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    auto* grouping = rig.find<QComboBox>("runGrouping");
    QTRY_VERIFY(list->model()->rowCount() > 5);
    grouping->setFocus();
    QTest::keyClick(grouping, Qt::Key_Home);
    save(rig.window(), u"runs-by-day-"_s % look);
    QTest::keyClick(grouping, Qt::Key_Down);
    list->setFocus();
    for (int row = 0; row < list->model()->rowCount(); ++row) {
        const QModelIndex index = list->model()->index(row, 0);
        if (index.data(RunListModel::OpenRole).isValid()) {
            list->setCurrentIndex(index);
        }
    }
    QTest::keyClick(list, Qt::Key_Return); // unfolds the sweep
    QTest::keyClick(list, Qt::Key_Space);
    save(rig.window(), u"runs-by-sweep-"_s % look);

    rig.window().openRun(u"text"_s);
    RunPage* page = rig.window().runsPage()->page();
    QTRY_VERIFY(!page->charts()->isVisible());
    QTRY_VERIFY(page->log()->view()->isComplete());
    save(rig.window(), u"run-text-"_s % look);
    rig.window().openRun(u"done"_s);
    QTRY_VERIFY(page->log()->view()->isComplete() && page->log()->view()->blockCount() > 20);
    page->openLogSearch();
    auto* search = rig.find<QLineEdit>("logSearch");
    search->setFocus();
    QTest::keyClicks(search, u"running TEST"_s);
    QTRY_COMPARE(rig.find<QLabel>("logHits")->text(), u"10 matches"_s);
    QTest::keyClick(search, Qt::Key_Return);
    save(rig.window(), u"run-search-"_s % look);
    page->showTab(RunPage::FilesTab);
    auto* files = rig.find<QTreeWidget>("runFiles");
    QTRY_VERIFY(files->topLevelItemCount() > 0);
    files->setCurrentItem(files->topLevelItem(0));
    QTRY_VERIFY(rig.find<QPlainTextEdit>("previewText")->isVisible());
    save(rig.window(), u"run-files-"_s % look);
    rig.theme().setTextScale(1.0);
}

void ScreenshotPages::curves()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    setLook(rig);
    addTrainings(rig, {64, 32, 16}, u"sweep"_s);
    // Two fields differ: then they are drawn beside each other as well.
    rig.setFacts(u"batch16"_s,
        R"({"site":"Demo cluster","image":"docker://login:5000/demo/pytorch:2.6",)"
        R"("values":{"epochs":"8","batch":"16"}})");
    rig.start(size);
    rig.window().compareRuns({u"batch64"_s, u"batch32"_s, u"batch16"_s});
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->showsCurves());
    CurvesPage* curves = page->curves();
    QTRY_VERIFY(curves->model()->isComplete() && curves->model()->store().all().size() == 3);
    save(rig.window(), u"curves-"_s % look);
    auto* scroll = curves->findChild<QScrollArea*>();
    auto* parallel = curves->findChild<QWidget*>(u"parallelView"_s);
    QTRY_VERIFY(parallel->isVisible());
    scroll->ensureWidgetVisible(parallel, 0, 40);
    save(rig.window(), u"curves-parallel-"_s % look);
    scroll->ensureWidgetVisible(curves->findChild<QTableWidget*>(u"curvesTable"_s), 0, 40);
    save(rig.window(), u"curves-table-"_s % look);
    scroll->ensureVisible(0, 0);
    const auto byField = [&] { return curves->findChild<QPushButton*>(u"axis-field:batch"_s); };
    QTRY_VERIFY(byField() && byField()->isEnabled());
    byField()->click();
    save(rig.window(), u"curves-by-field-"_s % look);
    rig.theme().setTextScale(1.0);
}

/// What most people see, dark.
void TestScreenshots::darkPages()
{
    Rig rig;
    rig.theme().setChoice(Theme::Choice::Dark);
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    addTrainings(rig);
    rig.start(QSize(1280, 800));
    save(rig.window(), u"sites-dark"_s);
    rig.window().showPage(MainWindow::LaunchIndex);
    save(rig.window(), u"launch-dark"_s);
    rig.window().showPage(MainWindow::RunsIndex);
    save(rig.window(), u"runs-dark"_s);
    rig.window().openRun(u"done"_s);
    QTRY_VERIFY(rig.window().runsPage()->page()->log()->view()->isComplete());
    save(rig.window(), u"run-done-dark"_s);
    rig.window().compareRuns({u"batch64"_s, u"batch32"_s});
    QTRY_VERIFY(rig.window().comparePage()->showsCurves());
    QTRY_COMPARE(rig.window().comparePage()->curves()->model()->store().all().size(), size_t(2));
    save(rig.window(), u"curves-dark"_s);
    rig.window().showPage(MainWindow::ImagesIndex);
    rig.window().imagesPage()->showInspection(sampleInspection());
    save(rig.window(), u"images-dark"_s);
}

void ScreenshotPages::dialogs()
{
    QFETCH(QSize, size);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    setLook(rig);
    QVERIFY(QDir().mkpath(rig.paths().config % u"/sites"_s));
    QFile own(rig.paths().config % u"/sites/zebra.json"_s);
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.write("{\n  \"id\": \"zebra\",\n  \"name\": \"Zebra\",\n"
              "  \"logins\": [{\"host\": \"zebra.example.org\"}]\n}\n");
    own.close();
    rig.start(size);
    saveConnect(rig, look);
    saveOwnWork(rig, look);
    saveTeaching(rig, look);
    LaunchDraft draft(&rig.engine());
    draft.setSite(u"demo"_s);
    draft.setRecipe(u"pi-nodes"_s);
    draft.planNow();
    auto* sweep = new SweepDialog(&draft, &rig.window());
    sweep->open();
    auto* field = sweep->findChild<QComboBox*>(u"sweepField0"_s);
    field->setCurrentIndex(field->findData(u"nodes"_s));
    auto* values = sweep->findChild<QLineEdit*>(u"sweepValues0"_s);
    values->clear();
    QTest::keyClicks(values, u"1, 2, 99"_s);
    QTRY_VERIFY(sweep->findChild<QLabel*>(u"sweepCount"_s)->text().startsWith(u"3 runs"_s));
    save(*sweep, u"sweep-"_s % look);
    sweep->reject();
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    run.labels = {u"Baseline"_s, {u"paper"_s, u"long"_s}, u"For the talk in March."_s};
    auto* labels = new LabelDialog(
        run, [](const RunLabels&) { return Result<void>(); }, &rig.window());
    labels->open();
    save(*labels, u"labels-"_s % look);
    labels->reject();
    const Site* const zebra = rig.engine().catalogue()->site(u"zebra"_s);
    QVERIFY(zebra);
    auto* editor = new SiteEditor(&rig.engine(), *zebra, &rig.window());
    editor->open();
    save(*editor, u"site-editor-"_s % look);
    editor->reject();
    rig.theme().setTextScale(1.0);
}

/// A person's own program, its secrets, its recipe and its images.
void ScreenshotPages::saveOwnWork(Rig& rig, const QString& look)
{
    QWidget* const window = &rig.window();
    const QString project = sourcePath(u"/tests/data/projects/digits"_s);
    rig.window().openFolder(project);
    auto* folder = rig.find<QLabel>("folderChanges");
    QTRY_VERIFY(folder->text().contains(u"No run here"_s));
    save(*window, u"own-work-"_s % look);
    rig.find<QPushButton>("folderFilesButton")->click();
    auto* files = rig.window().findChild<FolderFilesDialog*>();
    save(*files, u"own-files-"_s % look);
    files->reject();
    auto* keep =
        new KeepDialog(&rig.engine(), keepRequest(rig.window().launchPage()->plan()), window);
    keep->open();
    save(*keep, u"own-keep-"_s % look);
    keep->reject();
    for (const char* name : {"HF_TOKEN", "WANDB_API_KEY"}) {
        const auto kept = rig.engine().secrets()->keep(QString::fromLatin1(name), "a secret");
        QTRY_VERIFY(rig.engine().secrets()->names().contains(QLatin1String(name)));
    }
    auto* secrets = new SecretsDialog(rig.engine().secrets(), window);
    secrets->open();
    save(*secrets, u"own-secrets-"_s % look);
    secrets->reject();
    auto* editor = new BuildEditor(rig.engine().definitionsFolder(), window);
    editor->setSites({{u"demo"_s, u"Demo cluster"_s}}, u"demo"_s);
    editor->open();
    save(*editor, u"build-template-"_s % look);
    editor->openDockerfile(sourcePath(u"/resources/recipes/bert-image/Dockerfile"_s));
    save(*editor, u"build-dockerfile-"_s % look);
    editor->reject();
    auto* here = new LocalBuildDialog(&rig.engine(), u"demo"_s, window);
    here->open();
    save(*here, u"build-here-"_s % look);
    here->reject();
}

/// A number of a log with what it draws, and an expression that finds nothing.
void ScreenshotPages::saveTeaching(Rig& rig, const QString& look)
{
    const QTemporaryDir folder;
    QFile log(folder.filePath(u"log.bin"_s));
    QVERIFY(log.open(QIODevice::WriteOnly));
    for (int i = 1; i <= 60; ++i) {
        log.write("step " + QByteArray::number(10 * i) + " | pressure drop "
            + QByteArray::number(40.0 / (3 + i) + i % 3, 'f', 3) + " mbar\n");
    }
    log.close();
    const QString line = u"step 120 | pressure drop 2.667 mbar"_s;
    const auto taught = taughtNumber(line, line.indexOf(u"2.667"_s), 5);
    QVERIFY(taught.ok());
    auto* dialog =
        new TeachDialog({u"k3f9"_s, line, {log.fileName(), {}, true}}, *taught, &rig.window());
    dialog->open();
    const auto said = [dialog] { return dialog->findChild<QLabel*>(u"teachFound"_s)->text(); };
    QTRY_VERIFY2(said().startsWith(u"60 values"_s), qPrintable(said()));
    save(*dialog, u"teach-"_s % look);
    auto* const expression = dialog->findChild<QLineEdit*>(u"teachExpression"_s);
    expression->selectAll();
    QTest::keyClicks(expression, u"(?<step>[a-z]+) = (?<pressure_drop>"_s);
    QTRY_VERIFY(dialog->findChild<QLabel*>(u"teachProblem"_s)->isVisible());
    save(*dialog, u"teach-problem-"_s % look);
    QTest::keyClicks(expression, u".)"_s);
    QTRY_VERIFY2(said().startsWith(u"No line"_s), qPrintable(said()));
    save(*dialog, u"teach-none-"_s % look);
    dialog->reject();
}

void ScreenshotPages::saveConnect(Rig& rig, const QString& look)
{
    const Site& site = *rig.engine().catalogue()->site(u"kestrel"_s);
    ConnectDialog dialog(site, {});
    dialog.show();
    save(dialog, u"connect-login-"_s % look);
    dialog.showProgress(u"Waiting for the server…"_s);
    save(dialog, u"connect-progress-"_s % look);
    dialog.askHostKey({u"kestrel-gpu.hpc.nrel.gov"_s, 22, u"ssh-ed25519"_s,
        u"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"_s});
    save(dialog, u"connect-hostkey-"_s % look);
    dialog.askCommand({site.name, u"ProxyCommand"_s,
        u"/usr/bin/ssh -W kestrel-gpu.hpc.nrel.gov:22 ada@gate.example.org"_s});
    save(dialog, u"connect-command-"_s % look);
    dialog.showBanner(u"NOTICE TO USERS\nThis system is for authorised use only."_s);
    dialog.ask({PromptRound::Kind::KeyboardInteractive, u"kestrel-gpu.hpc.nrel.gov"_s, u"ada"_s, {},
        {}, {}, {{u"Password:"_s, false}, {u"Token code:"_s, true}}, 2});
    save(dialog, u"connect-prompt-"_s % look);
    dialog.showHardStop({ErrorKind::HostKey,
        u"The host key of kestrel-gpu.hpc.nrel.gov is not the one that this computer knows."_s,
        u"When the staff confirm the new key, forget the old one and connect again: "
        u"ssh-keygen -R kestrel-gpu.hpc.nrel.gov"_s,
        "it shows SHA256:9mPqT0oXw3Jc8Zb1LkYv7sRq2Df4Gh6Ij8Kl0Mn2Op4"});
    save(dialog, u"connect-changed-"_s % look);
    dialog.showError({ErrorKind::Network, u"kestrel-gpu.hpc.nrel.gov does not answer on port 22."_s,
        u"Is the VPN on? The site may also be in maintenance."_s,
        "connect: Connection timed out (110)"});
    save(dialog, u"connect-error-"_s % look);
    dialog.accept();
    AboutSite about(site);
    about.show();
    save(about, u"about-"_s % look);
}

SLIPWAY_GUI_TEST(TestScreenshots, gui_screenshots)
SLIPWAY_GUI_TEST(TestMoreScreenshots, gui_morescreenshots)
SLIPWAY_GUI_TEST(TestLargeScreenshots, gui_largescreenshots)
SLIPWAY_GUI_TEST(TestLargeTextScreenshots, gui_largetextscreenshots)
#include "tst_screenshots.moc"
