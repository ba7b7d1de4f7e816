// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/mainwindow.h"

#include "app/runs/sweep.h"
#include "ui/compare/comparepage.h"
#include "ui/connect/connectflow.h"
#include "ui/launch/launchpage.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runlist.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/sites/aboutsite.h"
#include "ui/sites/addcluster.h"
#include "ui/sites/cleanupdialog.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitespage.h"
#include "ui/window/commandpalette.h"
#include "ui/window/connectioncard.h"
#include "ui/window/sidebar.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>
#include <QUuid>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

const QString raceRecipe = u"gpu-cpu-race"_s;

void fillPlace(QWidget* place, QWidget* page)
{
    auto* layout = new QVBoxLayout(place);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(page);
}

bool isUp(const ConnectionState& state)
{
    return state.phase == ConnectionState::Phase::Connected;
}

} // namespace

MainWindow::MainWindow(Theme* theme, QWidget* parent)
    : QMainWindow(parent)
    , m_theme(theme)
    , m_sidebar(new Sidebar)
    , m_stack(new QStackedWidget)
    , m_sites(new SitesPage)
    , m_launchPlace(new QWidget)
    , m_runsPlace(new QWidget)
    , m_comparePlace(new QWidget)
{
    setWindowTitle(u"Slipway"_s);
    setMinimumSize(820, 560);
    resize(1440, 900);
    restoreGeometry(QSettings().value(u"window/geometry"_s).toByteArray());
    m_sidebar->addPage(tr("Sites"));
    m_sidebar->addPage(tr("Launch"));
    m_runsButton = m_sidebar->addPage(tr("Runs"));
    m_sidebar->addPage(tr("Compare"));
    for (QWidget* page :
        {static_cast<QWidget*>(m_sites), m_launchPlace, m_runsPlace, m_comparePlace}) {
        m_stack->addWidget(page);
    }
    auto* middle = new QWidget;
    auto* layout = new QHBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_sidebar);
    layout->addWidget(m_stack, 1);
    setCentralWidget(middle);
    connect(m_sidebar, &Sidebar::pageRequested, this, [this](int page) { showPage(Page(page)); });
    connect(m_sidebar, &Sidebar::appearanceRequested, this, &MainWindow::showAppearance);
    makeActions();
    m_sidebar->setCurrent(SitesIndex);
}

void MainWindow::setEngine(Engine* engine, const EnginePaths& paths)
{
    m_engine = engine;
    m_paths = paths;
    reportAttention();
    m_connectFlow = new ConnectFlow(engine, this);
    m_sidebar->connectionCard()->setEngine(engine);
    m_sites->setEngine(engine);
    connectSites();
    const auto count = [this] {
        const std::vector<Run> runs = m_engine->runs()->all();
        m_runsButton->setCount(int(std::count_if(
            runs.begin(), runs.end(), [](const Run& run) { return !isTerminal(run.phase); })));
    };
    connect(engine->runs(), &Runs::runChanged, this, count);
    connect(engine->runs(), &Runs::runAdded, this, [this, count](const QString& runId) {
        count();
        if (m_launching) {
            m_launching = false;
            openRun(runId);
        }
    });
    connect(m_connectFlow, &ConnectFlow::connected, this, [this](const QString& siteId) {
        m_sidebar->connectionCard()->setSite(siteId);
        if (!m_demoRecipe.isEmpty() && siteId == m_sites->demoSiteId()) {
            continueDemo();
        } else if (m_stack->currentWidget() == m_sites) {
            launchOn(siteId);
        }
    });
    connect(m_connectFlow, &ConnectFlow::ended, this, [this] { m_demoRecipe.clear(); });
    count();
    refreshDemo();
    if (m_stack->currentIndex() != SitesIndex) {
        showPage(Page(m_stack->currentIndex())); // asked for before there was an engine
    }
}

void MainWindow::connectSites()
{
    connect(m_sites, &SitesPage::connectRequested, this, &MainWindow::connectTo);
    connect(m_sites, &SitesPage::launchRequested, this, &MainWindow::launchOn);
    connect(
        m_sites, &SitesPage::disconnectRequested, m_engine->sessions(), &Sessions::disconnectSite);
    connect(m_sites, &SitesPage::aboutRequested, this, [this](const QString& siteId) {
        if (const Site* site = m_engine->catalogue()->site(siteId)) {
            auto* about = new AboutSite(*site, this);
            about->setAttribute(Qt::WA_DeleteOnClose);
            about->open();
        }
    });
    connect(m_sites, &SitesPage::cleanupRequested, this, &MainWindow::openCleanup);
    connect(m_sidebar->connectionCard(), &ConnectionCard::cleanupRequested, this,
        &MainWindow::openCleanup);
    connect(m_sites, &SitesPage::addRequested, this, &MainWindow::addCluster);
    connect(m_sites->demoCard(), &DemoCard::started, this, &MainWindow::continueDemo);
    connect(m_sites->demoCard(), &DemoCard::startFailed, this, [this] { m_demoRecipe.clear(); });
}

void MainWindow::openCleanup(const QString& siteId)
{
    if (const Site* site = m_engine->catalogue()->site(siteId)) {
        auto* guests = new CleanupDialog(m_engine, *site, this);
        guests->setAttribute(Qt::WA_DeleteOnClose);
        connect(guests, &CleanupDialog::connectRequested, this, &MainWindow::connectTo);
        guests->open();
    }
}

void MainWindow::addCluster()
{
    showPage(SitesIndex);
    auto* dialog = new AddCluster(m_engine, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AddCluster::saved, m_sites, &SitesPage::showSite);
    dialog->open();
}

LaunchPage* MainWindow::launchPage()
{
    if (!m_launch && m_engine) {
        m_launch = new LaunchPage(m_engine);
        fillPlace(m_launchPlace, m_launch);
        connect(m_launch, &LaunchPage::connectRequested, this, &MainWindow::connectTo);
        connect(m_launch, &LaunchPage::launchRequested, this, &MainWindow::launch);
        connect(m_launch, &LaunchPage::sweepRequested, this, &MainWindow::launchSweep);
    }
    return m_launch;
}

RunsPage* MainWindow::runsPage()
{
    if (!m_runs && m_engine) {
        m_runs = new RunsPage(m_engine, m_paths.data % u"/runs"_s);
        fillPlace(m_runsPlace, m_runs);
        connect(m_runs->list(), &RunList::launchRequested, this, [this] { showPage(LaunchIndex); });
        connect(m_runs->list(), &RunList::demoRequested, this, [this] {
            showPage(SitesIndex);
            m_sites->demoCard()->start();
        });
        connect(m_runs, &RunsPage::pageMade, this, &MainWindow::connectRunPage);
        connect(m_runs->list(), &RunList::compareRequested, this, &MainWindow::compareRuns);
    }
    return m_runs;
}

void MainWindow::connectRunPage(RunPage* page)
{
    connect(page, &RunPage::connectRequested, this, &MainWindow::connectTo);
    connect(page, &RunPage::againRequested, this, [this](const LaunchSpec& spec) {
        launchPage()->load(spec);
        showPage(LaunchIndex);
    });
    connect(page, &RunPage::changeRequested, this,
        [this](const QString& runId, const RelaunchOffer& offer) {
            showPage(LaunchIndex);
            launchPage()->loadAgain(runId, offer);
        });
    connect(page, &RunPage::compareRequested, this,
        [this](const QString& runId) { compareRuns({runId}); });
}

ComparePage* MainWindow::comparePage()
{
    if (!m_compare && m_engine) {
        m_compare = new ComparePage(m_engine);
        fillPlace(m_comparePlace, m_compare);
        connect(m_compare, &ComparePage::launchRequested, this, &MainWindow::launchRace);
    }
    return m_compare;
}

void MainWindow::showPage(Page page)
{
    if (page == LaunchIndex) {
        launchPage();
    } else if (page == RunsIndex && runsPage()) {
        if (m_stack->currentIndex() == RunsIndex) {
            m_runs->showList(); // pressed again: out of the run, back to all of them
        }
    } else if (page == CompareIndex && comparePage()) {
        m_compare->showNewest();
    }
    m_stack->setCurrentIndex(page);
    m_sidebar->setCurrent(page);
}

void MainWindow::openRun(const QString& runId)
{
    runsPage()->openRun(runId);
    m_stack->setCurrentIndex(RunsIndex);
    m_sidebar->setCurrent(RunsIndex);
}

void MainWindow::compareRuns(const QStringList& runIds)
{
    comparePage()->setRuns(runIds);
    showPage(CompareIndex);
}

void MainWindow::launchRace()
{
    showPage(LaunchIndex);
    m_launch->selectRecipe(raceRecipe);
    m_launch->focusForm();
}

void MainWindow::launchOn(const QString& siteId)
{
    launchPage()->selectSite(siteId);
    m_sidebar->connectionCard()->setSite(siteId);
    showPage(LaunchIndex);
    m_launch->focusForm();
}

void MainWindow::connectTo(const QString& siteId)
{
    m_sidebar->connectionCard()->setSite(siteId);
    m_connectFlow->connectTo(siteId);
}

QCoro::Task<Result<QString>> MainWindow::launch(LaunchSpec spec)
{
    const QPointer<MainWindow> self(this);
    m_launching = true;
    m_launch->setBusy(true);
    const Result<QString> result = co_await m_engine->runs()->launch(spec);
    if (!self) {
        co_return result;
    }
    const bool shown = !m_launching; // the run is there, and tells of its own failure
    m_launching = false;
    m_launch->setBusy(false);
    if (!result.ok() && !shown) {
        m_launch->showError(result.error());
        showPage(LaunchIndex);
    }
    co_return result;
}

QCoro::Task<void> MainWindow::launchSweep(LaunchSpec spec, QString key, QStringList values)
{
    const QPointer<MainWindow> self(this);
    const QString sweepId = QUuid::createUuid().toString(QUuid::Id128).left(8);
    const std::vector<LaunchSpec> specs = sweepSpecs(spec, key, values, sweepId);
    for (size_t i = 0; i < specs.size(); ++i) {
        const Result<QString> launched = co_await launch(specs[i]);
        if (!self) {
            co_return;
        }
        if (!launched.ok()) {
            // What was submitted goes on. A run that was refused tells of it on its own page, but
            // not that others were to follow it.
            Error error = launched.error();
            error.summary = tr("%1 was not launched: %2").arg(specs[i].sweepLabel, error.summary);
            if (i + 1 < specs.size()) {
                QStringList rest;
                for (size_t left = i + 1; left < specs.size(); ++left) {
                    rest << specs[left].sweepLabel;
                }
                error.summary += u' ' % tr("Left out after it: %1.").arg(rest.join(u", "_s));
            }
            m_launch->showError(error);
            showPage(LaunchIndex);
            co_return;
        }
    }
}

QCoro::Task<void> MainWindow::refreshDemo()
{
    const QPointer<MainWindow> self(this);
    m_refreshing = true;
    const Result<DemoState> state = co_await m_engine->sessions()->demoCluster()->refresh();
    if (!self) {
        co_return;
    }
    m_refreshing = false;
    if (m_demoRecipe.isEmpty()) {
        co_return;
    }
    if (state.ok() && *state == DemoState::Running) {
        continueDemo();
    } else {
        m_sites->demoCard()->start();
    }
}

void MainWindow::runDemo(const QString& recipeId)
{
    m_demoRecipe = recipeId;
    if (m_engine && !m_refreshing) {
        refreshDemo();
    }
}

void MainWindow::continueDemo()
{
    const QString siteId = m_sites->demoSiteId();
    if (siteId.isEmpty() || m_demoRecipe.isEmpty()) {
        return;
    }
    if (!isUp(m_engine->sessions()->connection(siteId))) {
        connectTo(siteId);
        return;
    }
    const QString recipeId = std::exchange(m_demoRecipe, {});
    launchPage()->selectSite(siteId);
    m_launch->selectRecipe(recipeId);
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = recipeId;
    launch(spec);
}

void MainWindow::paintEvent(QPaintEvent* event)
{
    QMainWindow::paintEvent(event);
    if (!m_painted) {
        m_painted = true;
        QTimer::singleShot(0, this, &MainWindow::firstFrame);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    QSettings().setValue(u"window/geometry"_s, saveGeometry());
    event->accept();
}

} // namespace slipway

#include "moc_mainwindow.cpp"
