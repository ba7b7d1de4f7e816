// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "ui/window/commandpalette.h"
#include "ui/window/pagestack.h"

namespace slipway {

class AppearanceMenu;

/// WindowActions holds the keyboard shortcuts of the window and fills its command palette. What
/// needs more than the pages is requested from the window by a signal. GUI thread; MainWindow owns
/// it.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(PageStack* pages, AppearanceMenu* appearance, QWidget* window);
    void setEngine(Engine* engine) { m_engine = engine; }
    void openPalette();

signals:
    void launchOnRequested(const QString& siteId);
    void connectRequested(const QString& siteId);
    void cleanupRequested(const QString& siteId);
    void addClusterRequested();

private:
    void makeShortcuts();
    void goTo(PageStack::Page page);
    void presentOrFill();
    void toggleFullScreen();
    void searchLog();
    std::vector<PaletteEntry> entries();
    void addPages(std::vector<PaletteEntry>& entries);
    void addRecipes(std::vector<PaletteEntry>& entries);
    void addSites(std::vector<PaletteEntry>& entries);
    void addRuns(std::vector<PaletteEntry>& entries);
    void addCommands(std::vector<PaletteEntry>& entries);

    PageStack* m_pages;
    AppearanceMenu* m_appearance;
    QWidget* m_window;
    Engine* m_engine = nullptr;
};

} // namespace slipway
