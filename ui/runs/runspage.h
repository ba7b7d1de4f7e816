// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QStackedWidget>

namespace slipway {

class RunList;
class RunPage;

/// RunsPage is the list of runs, and one run opened from it. The page of the run with its charts is
/// created when the first run is opened. Lives on the GUI thread, owned by the window.
class RunsPage : public QStackedWidget {
    Q_OBJECT

public:
    explicit RunsPage(Engine* engine, QWidget* parent = nullptr);
    void openRun(const QString& runId);
    void showList();
    bool showsRun() const;
    RunList* list() const { return m_list; }
    RunPage* page() const { return m_page; } ///< null until a run was opened

signals:
    /// page() was created and shows no run yet.
    void pageMade(slipway::RunPage* page);

private:
    Engine* m_engine;
    RunList* m_list;
    RunPage* m_page = nullptr;
};

} // namespace slipway
