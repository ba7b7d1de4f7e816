// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace slipway {

class FilesPage;
class NodePage;
class RunLive;
class TextPage;

/// RunTabs holds the parts of the run page behind a tab bar: live, node, script, files, commands.
/// It creates the last three, which show what is kept on this computer. Lives on the GUI thread,
/// owned by the page.
class RunTabs : public QWidget {
    Q_OBJECT

public:
    enum Tab { LiveTab, NodeTab, ScriptTab, FilesTab, CommandsTab };

    RunTabs(RunLive* live, NodePage* node, QWidget* parent = nullptr);
    void setScript(const QByteArray& script);
    void setRun(const Run& run, const QStringList& commands);
    /// How many checks of the node need attention; the title of the tab says so.
    void setAttention(int checks);
    void showTab(int index);
    void focusBar();
    /// The height of the shown tab.
    int room() const;

signals:
    void fetchRequested();
    /// room() changed.
    void roomChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTabBar* m_bar;
    QStackedWidget* m_pages;
    TextPage* m_script;
    FilesPage* m_files;
    TextPage* m_commands;
};

} // namespace slipway
