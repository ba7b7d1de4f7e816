// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/windowactions.h"

#include "ui/images/imagespage.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/words.h"
#include "ui/runs/runpage.h"
#include "ui/secrets/secretsdialog.h"
#include "ui/sites/sitewords.h"
#include "ui/window/appearancemenu.h"
#include "ui/window/notifysettings.h"

#include <QShortcut>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

void addAction(std::vector<PaletteEntry>& entries, const QString& title, std::function<void()> run)
{
    entries.push_back({WindowActions::tr("Action"), title, {}, std::move(run), true});
}

} // namespace

WindowActions::WindowActions(PageStack* pages, AppearanceMenu* appearance, QWidget* window)
    : QObject(window)
    , m_pages(pages)
    , m_appearance(appearance)
    , m_window(window)
{
    makeShortcuts();
}

void WindowActions::makeShortcuts()
{
    const auto key = [this](const QKeySequence& keys, auto function) {
        auto* shortcut = new QShortcut(keys, m_window);
        connect(shortcut, &QShortcut::activated, this, function);
    };
    key(Qt::CTRL | Qt::Key_1, [this] { goTo(PageStack::SitesIndex); });
    key(Qt::CTRL | Qt::Key_2, [this] { goTo(PageStack::LaunchIndex); });
    key(Qt::CTRL | Qt::Key_3, [this] { goTo(PageStack::RunsIndex); });
    key(Qt::CTRL | Qt::Key_4, [this] { goTo(PageStack::CompareIndex); });
    key(Qt::CTRL | Qt::Key_5, [this] { goTo(PageStack::ImagesIndex); });
    key(Qt::CTRL | Qt::Key_L, [this] { m_pages->focusLaunchForm(); });
    key(Qt::CTRL | Qt::Key_F, [this] { searchLog(); });
    key(Qt::CTRL | Qt::Key_K, [this] { openPalette(); });
    key(Qt::Key_F11, [this] { presentOrFill(); });
    key(QKeySequence::ZoomIn, [this] { m_appearance->enlargeText(); });
    key(QKeySequence::ZoomOut, [this] { m_appearance->reduceText(); });
    key(QKeySequence::Quit, [this] { m_window->close(); });
}

void WindowActions::goTo(PageStack::Page page)
{
    m_pages->showPage(page);
    m_pages->focusPage();
}

void WindowActions::searchLog()
{
    if (RunPage* run = m_pages->shownRun()) {
        run->openLogSearch();
    }
}

void WindowActions::toggleFullScreen()
{
    m_window->isFullScreen() ? m_window->showNormal() : m_window->showFullScreen();
}

/// The comparison is presented; any other page fills the screen as it is.
void WindowActions::presentOrFill()
{
    if (m_pages->currentIndex() == PageStack::CompareIndex && m_pages->canPresent()) {
        m_pages->presentComparison();
    } else {
        toggleFullScreen();
    }
}

void WindowActions::openPalette()
{
    if (m_engine && !m_window->findChild<CommandPalette*>()) {
        (new CommandPalette(entries(), m_window))->open();
    }
}

std::vector<PaletteEntry> WindowActions::entries()
{
    std::vector<PaletteEntry> entries;
    addPages(entries);
    addRecipes(entries);
    addSites(entries);
    addRuns(entries);
    addCommands(entries);
    return entries;
}

void WindowActions::addPages(std::vector<PaletteEntry>& entries)
{
    addAction(entries, tr("Go to Sites"), [this] { goTo(PageStack::SitesIndex); });
    addAction(entries, tr("Go to Launch"), [this] { goTo(PageStack::LaunchIndex); });
    addAction(entries, tr("Go to Runs"), [this] { goTo(PageStack::RunsIndex); });
    addAction(entries, tr("Go to Compare"), [this] { goTo(PageStack::CompareIndex); });
    addAction(entries, tr("Go to Images"), [this] { goTo(PageStack::ImagesIndex); });
    if (m_pages->canPresent()) {
        addAction(entries, tr("Present the comparison"), [this] {
            m_pages->showPage(PageStack::CompareIndex);
            m_pages->presentComparison();
        });
    }
}

void WindowActions::addRecipes(std::vector<PaletteEntry>& entries)
{
    for (const Recipe& recipe : m_engine->catalogue()->recipes()) {
        entries.push_back({tr("Recipe"), recipe.title, recipe.summary,
            [this, id = recipe.id] { m_pages->showRecipe(id); }});
    }
}

void WindowActions::addSites(std::vector<PaletteEntry>& entries)
{
    std::vector<PaletteEntry> cleanups;
    for (const Site& site : m_engine->catalogue()->sites()) {
        if (!site.launchable()) {
            continue;
        }
        const bool up =
            m_engine->sessions()->connection(site.id).phase == ConnectionState::Phase::Connected;
        entries.push_back({tr("Site"),
            up ? tr("Launch on %1").arg(site.name) : tr("Connect to %1").arg(site.name),
            placeLine(site), [this, up, id = site.id] {
                up ? emit launchOnRequested(id) : emit connectRequested(id);
            }});
        cleanups.push_back({tr("Action"), tr("Files of Slipway on %1").arg(site.name),
            placeLine(site), [this, id = site.id] { emit cleanupRequested(id); }});
    }
    std::move(cleanups.begin(), cleanups.end(), std::back_inserter(entries));
}

void WindowActions::addRuns(std::vector<PaletteEntry>& entries)
{
    for (const Run& run : m_engine->runs()->all()) {
        entries.push_back({tr("Run"), runTitle(run),
            stateWord(run.phase).word % u" · "_s
                % agoText(run.created, QDateTime::currentDateTimeUtc()),
            [this, id = run.id] { m_pages->openRun(id); }});
    }
}

void WindowActions::addCommands(std::vector<PaletteEntry>& entries)
{
    addAction(entries, tr("Run a folder of yours…"), [this] {
        goTo(PageStack::LaunchIndex);
        m_pages->launch()->askForFolder();
    });
    addAction(entries, tr("Build an image…"), [this] {
        goTo(PageStack::ImagesIndex);
        m_pages->images()->openBuildEditor();
    });
    addAction(entries, tr("Start the demo cluster"), [this] { m_pages->startDemo(); });
    addAction(entries, tr("Secrets…"),
        [this] { (new SecretsDialog(m_engine->secrets(), m_window))->open(); });
    addAction(entries, tr("Add your own cluster…"), [this] { emit addClusterRequested(); });
    addAction(entries, tr("Switch to the light theme"), [this] { m_appearance->chooseLight(); });
    addAction(entries, tr("Switch to the dark theme"), [this] { m_appearance->chooseDark(); });
    addAction(entries, tr("Larger text"), [this] { m_appearance->enlargeText(); });
    addAction(entries, tr("Smaller text"), [this] { m_appearance->reduceText(); });
    addAction(entries,
        NotifySettings::stored().on ? tr("Turn notifications off") : tr("Turn notifications on"),
        [this] { m_appearance->switchNotifications(); });
    addAction(entries, tr("Full screen"), [this] { toggleFullScreen(); });
}

} // namespace slipway

#include "moc_windowactions.cpp"
