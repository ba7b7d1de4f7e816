// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparepage.h"
#include "ui/connect/connectflow.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/words.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitespage.h"
#include "ui/sites/sitewords.h"
#include "ui/window/commandpalette.h"
#include "ui/window/mainwindow.h"
#include "ui/window/sidebar.h"

#include <QActionGroup>
#include <QKeyEvent>
#include <QMenu>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>

namespace slipway {

using namespace Qt::StringLiterals;

// The keys, the appearance menu and the palette of MainWindow, and whether anyone sees it.

void MainWindow::makeActions()
{
    const auto key = [this](const QKeySequence& keys, auto function) {
        auto* shortcut = new QShortcut(keys, this);
        connect(shortcut, &QShortcut::activated, this, function);
    };
    key(Qt::CTRL | Qt::Key_1, [this] { showPage(SitesIndex); });
    key(Qt::CTRL | Qt::Key_2, [this] { showPage(LaunchIndex); });
    key(Qt::CTRL | Qt::Key_3, [this] { showPage(RunsIndex); });
    key(Qt::CTRL | Qt::Key_4, [this] { showPage(CompareIndex); });
    key(Qt::CTRL | Qt::Key_L, [this] {
        showPage(LaunchIndex);
        if (m_launch) {
            m_launch->focusForm();
        }
    });
    key(Qt::CTRL | Qt::Key_F, [this] {
        if (m_runs && m_stack->currentIndex() == RunsIndex && m_runs->showsRun()) {
            m_runs->page()->openLogSearch();
        }
    });
    key(Qt::CTRL | Qt::Key_K, [this] { openPalette(); });
    key(Qt::Key_F11, [this] { presentOrFill(); });
    key(QKeySequence::ZoomIn, [this] { scaleText(m_theme->textScale() + 0.25); });
    key(QKeySequence::ZoomOut, [this] { scaleText(m_theme->textScale() - 0.25); });
    key(QKeySequence::Quit, [this] { close(); });
}

void MainWindow::toggleFullScreen()
{
    isFullScreen() ? showNormal() : showFullScreen();
}

/// The comparison is presented; any other page fills the screen as it is.
void MainWindow::presentOrFill()
{
    if (m_compare && m_stack->currentIndex() == CompareIndex && m_compare->canPresent()) {
        m_compare->present();
    } else {
        toggleFullScreen();
    }
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        if (isFullScreen()) {
            showNormal();
        } else if (m_runs && m_stack->currentIndex() == RunsIndex && m_runs->showsRun()) {
            m_runs->showList();
        }
        return;
    }
    QMainWindow::keyPressEvent(event);
}

void MainWindow::chooseTheme(Theme::Choice choice)
{
    m_theme->setChoice(choice);
    QSettings().setValue(u"theme"_s, int(choice));
}

void MainWindow::scaleText(double scale)
{
    m_theme->setTextScale(scale);
    QSettings().setValue(u"textScale"_s, m_theme->textScale());
}

void MainWindow::showAppearance()
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto* themes = new QActionGroup(menu);
    const std::pair<QString, Theme::Choice> choices[] = {
        {tr("Follow the system"), Theme::Choice::System}, {tr("Light"), Theme::Choice::Light},
        {tr("Dark"), Theme::Choice::Dark}};
    for (const auto& [text, choice] : choices) {
        QAction* action = themes->addAction(text);
        action->setCheckable(true);
        action->setChecked(m_theme->choice() == choice);
        connect(action, &QAction::triggered, this, [this, one = choice] { chooseTheme(one); });
    }
    auto* sizes = new QActionGroup(menu);
    for (const int percent : {100, 125, 150, 175, 200}) {
        QAction* action = sizes->addAction(tr("Text at %1 %").arg(percent));
        action->setCheckable(true);
        action->setChecked(qRound(m_theme->textScale() * 100) == percent);
        connect(action, &QAction::triggered, this, [this, percent] { scaleText(percent / 100.0); });
    }
    menu->addActions(themes->actions());
    menu->addSeparator();
    menu->addActions(sizes->actions());
    QWidget* button = m_sidebar->appearanceButton();
    menu->popup(button->mapToGlobal(QPoint(0, -menu->sizeHint().height() - 4)));
}

void MainWindow::openPalette()
{
    if (m_engine && !findChild<CommandPalette*>()) {
        (new CommandPalette(paletteEntries(), this))->open();
    }
}

std::vector<PaletteEntry> MainWindow::paletteEntries()
{
    std::vector<PaletteEntry> entries;
    const auto action = [&](const QString& title, std::function<void()> run) {
        entries.push_back({tr("Action"), title, {}, std::move(run)});
    };
    action(tr("Go to Sites"), [this] { showPage(SitesIndex); });
    action(tr("Go to Launch"), [this] { showPage(LaunchIndex); });
    action(tr("Go to Runs"), [this] { showPage(RunsIndex); });
    action(tr("Go to Compare"), [this] { showPage(CompareIndex); });
    if (m_compare && m_compare->canPresent()) {
        action(tr("Present the comparison"), [this] {
            showPage(CompareIndex);
            m_compare->present();
        });
    }
    for (const Recipe& recipe : m_engine->catalogue()->recipes()) {
        entries.push_back({tr("Recipe"), recipe.title, recipe.summary, [this, id = recipe.id] {
                               launchPage()->selectRecipe(id);
                               showPage(LaunchIndex);
                           }});
    }
    for (const Site& site : m_engine->catalogue()->sites()) {
        if (!site.launchable()) {
            continue;
        }
        const bool up =
            m_engine->sessions()->connection(site.id).phase == ConnectionState::Phase::Connected;
        entries.push_back({tr("Site"),
            up ? tr("Launch on %1").arg(site.name) : tr("Connect to %1").arg(site.name),
            placeLine(site), [this, up, id = site.id] { up ? launchOn(id) : connectTo(id); }});
    }
    for (const Site& site : m_engine->catalogue()->sites()) {
        if (site.launchable()) {
            entries.push_back({tr("Action"), tr("What Slipway has on %1").arg(site.name),
                placeLine(site), [this, id = site.id] { openCleanup(id); }});
        }
    }
    for (const Run& run : m_engine->runs()->all()) {
        entries.push_back({tr("Run"), runTitle(run),
            stateWord(run.phase).word % u" · "_s
                % agoText(run.created, QDateTime::currentDateTimeUtc()),
            [this, id = run.id] { openRun(id); }});
    }
    action(tr("Start the demo cluster"), [this] {
        showPage(SitesIndex);
        m_sites->demoCard()->start();
    });
    action(tr("Add your own cluster…"), [this] { addCluster(); });
    action(tr("Switch to the light theme"), [this] { chooseTheme(Theme::Choice::Light); });
    action(tr("Switch to the dark theme"), [this] { chooseTheme(Theme::Choice::Dark); });
    action(tr("Larger text"), [this] { scaleText(m_theme->textScale() + 0.25); });
    action(tr("Smaller text"), [this] { scaleText(m_theme->textScale() - 0.25); });
    action(tr("Full screen"), [this] { toggleFullScreen(); });
    return entries;
}

/// A window that nobody sees asks its clusters seldom.
void MainWindow::reportAttention()
{
    if (m_engine) {
        m_engine->runs()->setHidden(isMinimized() || !isVisible());
    }
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) {
        reportAttention();
    }
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    reportAttention();
}

void MainWindow::hideEvent(QHideEvent* event)
{
    QMainWindow::hideEvent(event);
    reportAttention();
}

} // namespace slipway
