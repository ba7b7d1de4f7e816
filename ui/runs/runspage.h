// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/workbench.h"

#include <QStackedWidget>

namespace slipway {

class RunList;
class RunPage;

/// RunsPage is the list of runs, and one run opened from it.
class RunsPage : public QStackedWidget {
    Q_OBJECT

public:
    RunsPage(Workbench* workbench, const QString& runsFolder, QWidget* parent = nullptr);
    void openRun(const QString& runId);
    void showList();
    bool showsRun() const;
    RunList* list() const { return m_list; }
    RunPage* page() const { return m_page; }

private:
    RunList* m_list;
    RunPage* m_page;
};

} // namespace slipway
