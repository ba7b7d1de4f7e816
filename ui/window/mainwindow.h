// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/look/theme.h"

#include <QMainWindow>
#include <QPointer>

class QStackedWidget;

namespace slipway {

class ComparePage;
class ConnectFlow;
class LaunchPage;
class NavButton;
class RunPage;
class RunsPage;
class Sidebar;
class SitesPage;
struct PaletteEntry;

/// MainWindow joins sidebar and pages and carries requests between them: connect, launch, open a
/// run. It stands before the engine does, so that the first frame waits for nothing; setEngine()
/// brings it to life. Main owns it.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    enum Page { SitesIndex, LaunchIndex, RunsIndex, CompareIndex };

    explicit MainWindow(Theme* theme, QWidget* parent = nullptr);
    void setEngine(Engine* engine, const EnginePaths& paths);

    void showPage(Page page);
    /// Starts the demo cluster if it must, connects, launches the recipe, shows the run.
    void runDemo(const QString& recipeId);
    void openRun(const QString& runId);
    /// These runs on the Compare page.
    void compareRuns(const QStringList& runIds);
    void openPalette();
    /// What Slipway has on a site, to look at and take away.
    void openCleanup(const QString& siteId);

    SitesPage* sitesPage() const { return m_sites; }
    LaunchPage* launchPage(); ///< made at first use
    RunsPage* runsPage();
    ComparePage* comparePage();
    ConnectFlow* connectFlow() const { return m_connectFlow; }

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
    void reportAttention();
    void makeActions();
    void connectSites();
    void connectRunPage(RunPage* page);
    void addCluster();
    void launchOn(const QString& siteId);
    void connectTo(const QString& siteId);
    void showAppearance();
    void chooseTheme(Theme::Choice choice);
    void scaleText(double scale);
    void continueDemo();
    void toggleFullScreen();
    void presentOrFill();
    void launchRace();
    std::vector<PaletteEntry> paletteEntries();
    QCoro::Task<void> refreshDemo();
    QCoro::Task<Result<QString>> launch(LaunchSpec spec);
    /// One launch after the other; the first that is refused ends the rest.
    QCoro::Task<void> launchSweep(LaunchSpec spec, QString key, QStringList values);

    Theme* m_theme;
    Engine* m_engine = nullptr;
    EnginePaths m_paths;
    Sidebar* m_sidebar;
    QStackedWidget* m_stack;
    SitesPage* m_sites;
    QWidget* m_launchPlace;
    QWidget* m_runsPlace;
    QWidget* m_comparePlace;
    LaunchPage* m_launch = nullptr;
    RunsPage* m_runs = nullptr;
    ComparePage* m_compare = nullptr;
    NavButton* m_runsButton = nullptr;
    ConnectFlow* m_connectFlow = nullptr;
    QString m_demoRecipe; ///< a recipe that waits for the demo cluster
    bool m_painted = false;
    bool m_launching = false;
    bool m_refreshing = false;
};

} // namespace slipway
