// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "nodeexamples.h"
#include "rig.h"
#include "sampleraces.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparepage.h"
#include "ui/compare/comparesheet.h"
#include "ui/compare/presenter.h"
#include "ui/connect/connectdialog.h"
#include "ui/launch/launchpage.h"
#include "ui/node/gpucard.h"
#include "ui/node/nodepage.h"
#include "ui/parts/confirm.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/sites/aboutsite.h"
#include "ui/sites/cleanupdialog.h"
#include "ui/sites/cleanupview.h"

#include <QDir>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// Pictures of every page, light and dark, for a person to look at: <build>/screenshots. Those of
/// other sizes take longer: TestMoreScreenshots has them.
class TestScreenshots : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void pages_data();
    void pages();
    void nodes_data() { pages_data(); }
    void nodes();
    void compare_data();
    void compare();
    void presenter_data();
    void presenter();
    void dialogs_data();
    void dialogs();

protected:
    virtual void addLooks();
    static void addLook(const char* name, bool dark, QSize size, double scale);

private:
    void save(QWidget& widget, const QString& name);
    QDir m_folder{slipway::buildPath(QStringLiteral("/screenshots"))};
};

/// The same at the other sizes.
class TestMoreScreenshots : public TestScreenshots {
    Q_OBJECT

protected:
    void addLooks() override;
};

void TestScreenshots::initTestCase()
{
    requireFont();
    QVERIFY(m_folder.mkpath(u"."_s));
}

void TestScreenshots::save(QWidget& widget, const QString& name)
{
    QTest::qWait(150);
    const QPixmap picture = widget.grab();
    QVERIFY(picture.width() > 100);
    QVERIFY(picture.save(m_folder.filePath(name % u".png"_s)));
}

void TestScreenshots::pages_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    addLooks();
}

void TestScreenshots::addLook(const char* name, bool dark, QSize size, double scale)
{
    QTest::newRow(name) << dark << size << scale;
}

void TestScreenshots::addLooks()
{
    addLook("light-1440x900", false, {1440, 900}, 1.0);
    addLook("dark-1280x800", true, {1280, 800}, 1.0);
}

void TestMoreScreenshots::addLooks()
{
    addLook("dark-1440x900", true, {1440, 900}, 1.0);
    addLook("light-1280x800", false, {1280, 800}, 1.0);
    addLook("light-4k-200", false, {3840, 2160}, 2.0);
}

void TestScreenshots::pages()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    rig.theme().setTextScale(scale);
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
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
    save(rig.window(), u"sites-"_s % look);
    const auto connecting = rig.engine().sessions()->connectSite(u"kestrel"_s, nullptr);
    QTRY_COMPARE(
        rig.engine().sessions()->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    save(rig.window(), u"sites-connected-"_s % look);
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

void TestScreenshots::nodes()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    rig.theme().setTextScale(scale);
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
    for (const QString& id : {u"live"_s, u"none"_s}) {
        Run run = Rig::sampleRun(id, RunPhase::Running);
        run.stages.insert(run.stages.begin() + 3, run.stages.at(2));
        run.stages[3].id = u"check"_s;
        run.stages[3].title = u"GPU check"_s;
        rig.addRun(run, Rig::sampleLog());
    }
    rig.addNodeRows(u"live"_s, missingNvRows());
    rig.start(size);
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
    auto* guests = rig.window().findChild<CleanupDialog*>();
    // Its own look, which finds nothing here, would replace the example.
    QTRY_VERIFY(!guests->view()->findChild<QProgressBar*>()->isVisible());
    guests->view()->setList(exampleCleanupList());
    guests->view()->setResult(u"3 removed, 1 left: its job runs"_s, false);
    save(*guests, u"guests-"_s % look);
    QTest::mouseClick(guests->findChild<QPushButton*>(u"cleanupRemoveAll"_s), Qt::LeftButton);
    save(*guests->findChild<Confirm*>(), u"guests-sure-"_s % look);
    guests->findChild<Confirm*>()->reject();
    guests->view()->setBusy(u"Searching on Kestrel"_s);
    save(*guests, u"guests-busy-"_s % look);
    guests->view()->setNotConnected();
    save(*guests, u"guests-away-"_s % look);
    guests->view()->setList({});
    save(*guests, u"guests-empty-"_s % look);
    rig.theme().setTextScale(1.0);
}

void TestScreenshots::compare_data()
{
    pages_data();
}

void TestScreenshots::compare()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    rig.theme().setTextScale(scale);
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
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

void TestScreenshots::presenter_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light-1080p") << false << QSize(1920, 1080);
    QTest::newRow("dark-1080p") << true << QSize(1920, 1080);
    QTest::newRow("light-xga") << false << QSize(1024, 768);
    QTest::newRow("dark-4k") << true << QSize(3840, 2160);
}

void TestScreenshots::presenter()
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

void TestScreenshots::dialogs_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestScreenshots::dialogs()
{
    QFETCH(bool, dark);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
    rig.start();
    const Site& site = *rig.engine().catalogue()->site(u"kestrel"_s);
    ConnectDialog dialog(site, {});
    dialog.show();
    save(dialog, u"connect-login-"_s % look);
    dialog.showProgress(u"Waiting for the server…"_s);
    save(dialog, u"connect-progress-"_s % look);
    dialog.askHostKey({u"kestrel-gpu.hpc.nrel.gov"_s, 22, u"ssh-ed25519"_s,
        u"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"_s});
    save(dialog, u"connect-hostkey-"_s % look);
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
#include "tst_screenshots.moc"
