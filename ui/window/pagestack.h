// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QStackedWidget>

namespace slipway {

class ComparePage;
class ImagesPage;
class LaunchPage;
class RunPage;
class RunsPage;
class SitesPage;

/// PageStack holds the pages of the window, creates all but the first when they are first needed,
/// and opens one page at the request of another. GUI thread; MainWindow owns it.
class PageStack : public QStackedWidget {
    Q_OBJECT

public:
    enum Page { SitesIndex, LaunchIndex, RunsIndex, CompareIndex, ImagesIndex, PageCount };

    explicit PageStack(QWidget* parent = nullptr);
    void setEngine(Engine* engine);

    void showPage(Page page);
    void openRun(const QString& runId);
    void compareRuns(const QStringList& runIds);
    /// The launch form with this recipe.
    void showRecipe(const QString& recipeId);
    /// Puts the keyboard focus on what the current page is for.
    void focusPage();
    /// The launch form, ready for the keyboard.
    void focusLaunchForm();
    void showLaunchError(const Error& error);
    void startDemo();
    bool hasRun(const QString& runId) const;
    /// The run that is on the screen; null: none.
    RunPage* shownRun() const;
    /// From a run back to the list of runs.
    void leaveRun();
    bool canPresent() const;
    void presentComparison();

    SitesPage* sites() const { return m_sites; }
    // Null until there is an engine.
    LaunchPage* launch();
    RunsPage* runs();
    ComparePage* compare();
    ImagesPage* images();

signals:
    void pageShown(int page);
    void connectRequested(const QString& siteId);
    void launchRequested(const slipway::LaunchSpec& spec);
    void sweepRequested(const std::vector<slipway::LaunchSpec>& specs);

private:
    void connectRunPage(RunPage* page);
    void inspectImage(const QString& siteId, const QString& reference);
    void makeCurrent(Page page);

    Engine* m_engine = nullptr;
    SitesPage* m_sites;
    LaunchPage* m_launch = nullptr;
    RunsPage* m_runs = nullptr;
    ComparePage* m_compare = nullptr;
    ImagesPage* m_images = nullptr;
};

} // namespace slipway
