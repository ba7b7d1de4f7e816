// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runregistry.h"

#include <QCoroTask>

namespace slipway {

/// RunAdoption attaches the runs of a site to its connection: known runs continue, and jobs with
/// Slipway's tag that are not in the local list become runs. Lives on the GUI (or main) thread;
/// Runs owns it.
class RunAdoption : public QObject {
    Q_OBJECT

public:
    RunAdoption(RunContext context, RunRegistry* registry);

    /// Attaches the runs of a connected site; nothing for those that are attached already.
    void attach(const QString& siteId);
    void detach(const QString& siteId);
    QCoro::Task<void> adoptOrphans(QString siteId);
    /// Passes job changes from the scheduler to their runs.
    void routeEvents(const QString& siteId, const std::vector<JobEvent>& events);

signals:
    void adopted(const QString& runId);

private:
    void attach(RunHandle* run);
    void onAppeared(const QString& siteId, const Job& job);
    void onLiveJob(RunHandle* handle, const Allocation& found);
    void adopt(const QString& siteId, const Allocation& found, bool interactive);

    RunContext m_context;
    RunRegistry* m_registry;
};

} // namespace slipway
