// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/mainwindow.h"

#include "ui/connect/connectflow.h"
#include "ui/launch/launchpage.h"
#include "ui/sites/aboutsite.h"
#include "ui/sites/addcluster.h"
#include "ui/sites/cleanupdialog.h"
#include "ui/sites/sitespage.h"
#include "ui/window/appearancemenu.h"
#include "ui/window/connectioncard.h"
#include "ui/window/demolaunch.h"
#include "ui/window/focuskeeper.h"
#include "ui/window/folderdrop.h"
#include "ui/window/follownotice.h"
#include "ui/window/runlauncher.h"
#include "ui/window/runwatch.h"
#include "ui/window/sidebar.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowplace.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QTimer>

namespace slipway {

using namespace Qt::StringLiterals;

MainWindow::MainWindow(Theme* theme, QWidget* parent)
    : QMainWindow(parent)
    , m_sidebar(new Sidebar)
    , m_pages(new PageStack)
    , m_follow(new FollowNotice)
    , m_appearance(new AppearanceMenu(theme, this))
    , m_actions(new WindowActions(m_pages, m_appearance, this))
    , m_demo(new DemoLaunch(m_pages->sites(), this))
{
    setWindowTitle(u"Slipway"_s);
    placeWindow(*this);
    m_sidebar->addPage(tr("Sites"));
    m_sidebar->addPage(tr("Launch"));
    m_runsButton = m_sidebar->addPage(tr("Runs"));
    m_sidebar->addPage(tr("Compare"));
    m_sidebar->addPage(tr("Images"));
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(m_follow);
    column->addWidget(m_pages, 1);
    auto* middle = new QWidget;
    auto* layout = new QHBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_sidebar);
    layout->addLayout(column, 1);
    setCentralWidget(middle);
    new FocusKeeper(m_pages, m_sidebar, this);
    connect(m_sidebar, &Sidebar::pageRequested, this, [this](int page) { showPage(Page(page)); });
    connect(m_sidebar, &Sidebar::appearanceRequested, this,
        [this] { m_appearance->popUp(m_sidebar->appearanceButton()); });
    connect(m_pages, &PageStack::pageShown, m_sidebar, &Sidebar::setCurrent);
    connect(m_actions, &WindowActions::launchOnRequested, this, &MainWindow::launchOn);
    connect(m_actions, &WindowActions::connectRequested, this, &MainWindow::connectTo);
    connect(m_actions, &WindowActions::cleanupRequested, this, &MainWindow::openCleanup);
    connect(m_actions, &WindowActions::addClusterRequested, this, &MainWindow::addCluster);
    m_sidebar->setCurrent(SitesIndex);
    auto* drop = new FolderDrop(this);
    connect(drop, &FolderDrop::dropped, this, &MainWindow::openFolder);
    connect(drop, &FolderDrop::refused, this, [this](const Error& error) {
        if (m_engine) {
            m_pages->showLaunchError(error);
        }
    });
}

void MainWindow::setEngine(Engine* engine)
{
    m_engine = engine;
    updateAttention();
    m_connectFlow = new ConnectFlow(engine, this);
    m_launcher = new RunLauncher(engine, this);
    m_watch = new RunWatch(engine, m_pages, this);
    m_actions->setEngine(engine);
    m_sidebar->connectionCard()->setEngine(engine);
    m_pages->setEngine(engine);
    m_follow->setEngine(engine);
    connectSites();
    connectLaunches();
    connect(m_connectFlow, &ConnectFlow::connected, this, &MainWindow::onConnected);
    connect(m_connectFlow, &ConnectFlow::ended, m_demo, &DemoLaunch::cancel);
    connect(engine->runs(), &Runs::runChanged, this, &MainWindow::countRuns);
    connect(engine->runs(), &Runs::runAdded, this, &MainWindow::countRuns);
    countRuns();
    m_demo->setEngine(engine);
    if (m_pages->currentIndex() != SitesIndex) {
        showPage(Page(m_pages->currentIndex())); // requested before there was an engine
    }
}

void MainWindow::connectSites()
{
    SitesPage* const sites = m_pages->sites();
    connect(sites, &SitesPage::launchRequested, this, &MainWindow::launchOn);
    connect(
        sites, &SitesPage::disconnectRequested, m_engine->sessions(), &Sessions::disconnectSite);
    connect(sites, &SitesPage::aboutRequested, this, &MainWindow::openAbout);
    connect(sites, &SitesPage::cleanupRequested, this, &MainWindow::openCleanup);
    connect(sites, &SitesPage::addRequested, this, &MainWindow::addCluster);
    connect(m_sidebar->connectionCard(), &ConnectionCard::cleanupRequested, this,
        &MainWindow::openCleanup);
    connect(m_sidebar->connectionCard(), &ConnectionCard::connectRequested, this,
        &MainWindow::connectTo);
    connect(m_pages, &PageStack::connectRequested, this, &MainWindow::connectTo);
    connect(m_follow, &FollowNotice::connectRequested, this, &MainWindow::connectTo);
}

void MainWindow::connectLaunches()
{
    connect(m_pages, &PageStack::launchRequested, m_launcher, &RunLauncher::launch);
    connect(m_pages, &PageStack::sweepRequested, m_launcher, &RunLauncher::launchSweep);
    connect(m_launcher, &RunLauncher::busyChanged, this,
        [this](bool busy) { m_pages->launch()->setBusy(busy); });
    connect(m_launcher, &RunLauncher::started, m_pages, &PageStack::openRun);
    connect(m_launcher, &RunLauncher::refused, m_pages, &PageStack::showLaunchError);
    connect(m_demo, &DemoLaunch::connectRequested, this, &MainWindow::connectTo);
    connect(m_demo, &DemoLaunch::launchRequested, this, [this](const LaunchSpec& spec) {
        m_pages->launch()->selectSite(spec.siteId);
        m_pages->launch()->selectRecipe(spec.recipeId);
        m_launcher->launch(spec);
    });
}

void MainWindow::countRuns()
{
    m_runsButton->setCount(m_engine->runs()->activeCount());
}

void MainWindow::openAbout(const QString& siteId)
{
    if (const Site* site = m_engine->catalogue()->site(siteId)) {
        auto* about = new AboutSite(*site, this);
        about->setAttribute(Qt::WA_DeleteOnClose);
        about->open();
    }
}

void MainWindow::openCleanup(const QString& siteId)
{
    if (const Site* site = m_engine->catalogue()->site(siteId)) {
        auto* cleanup = new CleanupDialog(m_engine, *site, this);
        cleanup->setAttribute(Qt::WA_DeleteOnClose);
        connect(cleanup, &CleanupDialog::connectRequested, this, &MainWindow::connectTo);
        cleanup->open();
    }
}

void MainWindow::addCluster()
{
    showPage(SitesIndex);
    auto* dialog = new AddCluster(m_engine, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AddCluster::saved, m_pages->sites(), &SitesPage::showSite);
    dialog->open();
}

void MainWindow::showPage(Page page)
{
    m_pages->showPage(page);
}

void MainWindow::showLastPage()
{
    slipway::showLastPage(*m_pages);
}

void MainWindow::openRun(const QString& runId)
{
    m_pages->openRun(runId);
}

void MainWindow::compareRuns(const QStringList& runIds)
{
    m_pages->compareRuns(runIds);
}

void MainWindow::openPalette()
{
    m_actions->openPalette();
}

void MainWindow::runDemo(const QString& recipeId)
{
    m_demo->run(recipeId);
}

void MainWindow::openFolder(const QString& path)
{
    if (m_engine) {
        m_pages->launch()->openFolder(path);
        showPage(LaunchIndex);
    }
}

void MainWindow::launchOn(const QString& siteId)
{
    m_pages->launch()->selectSite(siteId);
    m_sidebar->connectionCard()->setSite(siteId);
    m_pages->focusLaunchForm();
}

void MainWindow::connectTo(const QString& siteId)
{
    m_sidebar->connectionCard()->setSite(siteId);
    m_connectFlow->connectTo(siteId);
}

void MainWindow::onConnected(const QString& siteId)
{
    m_sidebar->connectionCard()->setSite(siteId);
    if (m_demo->waitsFor(siteId)) {
        m_demo->advance();
    } else if (m_pages->currentIndex() == SitesIndex) {
        launchOn(siteId);
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) {
        QMainWindow::keyPressEvent(event);
    } else if (isFullScreen()) {
        showNormal();
    } else {
        m_pages->leaveRun();
    }
}

/// While the window cannot be seen, the clusters are queried rarely.
void MainWindow::updateAttention()
{
    if (m_engine) {
        m_engine->runs()->setHidden(isMinimized() || !isVisible());
    }
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) {
        updateAttention();
    }
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    updateAttention();
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    updateAttention();
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
    rememberPlace(*this, *m_pages);
    event->accept();
}

} // namespace slipway

#include "moc_mainwindow.cpp"
