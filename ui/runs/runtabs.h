// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace slipway {

class CommandsPage;
class Engine;
class FilesPage;
class NodePage;
class RunLive;
class TextPage;

/// RunTabs holds the parts of the run page behind a tab bar: live, node, script, files, commands.
/// It creates the last three. Lives on the GUI thread,
/// owned by the page.
class RunTabs : public QWidget {
    Q_OBJECT

public:
    enum Tab { LiveTab, NodeTab, ScriptTab, FilesTab, CommandsTab };

    RunTabs(Engine* engine, RunLive* live, NodePage* node, QWidget* parent = nullptr);
    void setScript(const QByteArray& script);
    void setRun(const Run& run, const QStringList& commands);
    /// How many checks of the node need attention; the title of the tab says so.
    void setAttention(int checks);
    void showTab(int index);
    void focusBar();
    /// The height of all but the shown part.
    int barHeight() const;
    /// As high as the shown part needs to be: the page gives it what there is beyond that, and
    /// scrolls where there is less.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    bool hasHeightForWidth() const override { return false; }

signals:
    void fetchRequested();
    /// The height of the shown part changed.
    void roomChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTabBar* m_bar;
    QStackedWidget* m_pages;
    TextPage* m_script;
    FilesPage* m_files;
    CommandsPage* m_commands;
};

} // namespace slipway
