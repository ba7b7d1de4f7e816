// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/theme.h"
#include "ui/window/pagestack.h"

#include <QMainWindow>

namespace slipway {

class AppearanceMenu;
class ConnectFlow;
class FollowNotice;
class DemoLaunch;
class NavButton;
class RunLauncher;
class RunWatch;
class Sidebar;
class WindowActions;

/// MainWindow puts the sidebar and the pages together and passes what they request on to the parts
/// that do it: ConnectFlow, RunLauncher, DemoLaunch. It is created before the engine, so that
/// the first frame waits for nothing; setEngine() enables the rest. GUI thread; main() owns it.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    using Page = PageStack::Page;
    using enum PageStack::Page;

    explicit MainWindow(Theme* theme, QWidget* parent = nullptr);
    void setEngine(Engine* engine);

    void showPage(Page page);
    /// The page or the run that was shown when the window was last closed.
    void showLastPage();
    /// Starts the demo cluster if it is not running, connects, launches the recipe, shows the run.
    void runDemo(const QString& recipeId);
    /// A program or a folder of this computer: the launch form with what was read from it.
    void openFolder(const QString& path);
    void openRun(const QString& runId);
    void compareRuns(const QStringList& runIds);
    void openPalette();
    /// What Slipway has left on a site, to be reviewed and removed.
    void openCleanup(const QString& siteId);

    SitesPage* sitesPage() const { return m_pages->sites(); }
    LaunchPage* launchPage() { return m_pages->launch(); }
    RunsPage* runsPage() { return m_pages->runs(); }
    ComparePage* comparePage() { return m_pages->compare(); }
    ImagesPage* imagesPage() { return m_pages->images(); }
    ConnectFlow* connectFlow() const { return m_connectFlow; }
    /// Null until there is an engine.
    RunWatch* runWatch() const { return m_watch; }

signals:
    void firstFrame();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void connectSites();
    void connectLaunches();
    void updateAttention();
    void countRuns();
    void addCluster();
    void openAbout(const QString& siteId);
    void launchOn(const QString& siteId);
    void connectTo(const QString& siteId);
    void onConnected(const QString& siteId);

    Engine* m_engine = nullptr;
    Sidebar* m_sidebar;
    PageStack* m_pages;
    FollowNotice* m_follow;
    NavButton* m_runsButton = nullptr;
    AppearanceMenu* m_appearance;
    WindowActions* m_actions;
    DemoLaunch* m_demo;
    RunLauncher* m_launcher = nullptr;
    ConnectFlow* m_connectFlow = nullptr;
    RunWatch* m_watch = nullptr;
    bool m_painted = false;
};

} // namespace slipway
