// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runregistry.h"

#include <QCoroTask>

namespace slipway {

/// RunAdoption joins the runs of a site with its connection: known runs go on, and jobs that carry
/// Slipway's tag and are in no list here become runs. Lives on the GUI (or main) thread; Runs owns
/// it.
class RunAdoption : public QObject {
    Q_OBJECT

public:
    RunAdoption(RunContext context, RunRegistry* registry);

    /// The runs of a connected site go on; nothing for those that do already.
    void attach(const QString& siteId);
    void detach(const QString& siteId);
    QCoro::Task<void> adoptOrphans(QString siteId);
    /// What the scheduler said of jobs, told to the runs that they are.
    void routeEvents(const QString& siteId, const std::vector<JobEvent>& events);

signals:
    void adopted(const QString& runId);

private:
    void attach(RunHandle* run);
    void onLiveJob(RunHandle* handle, const Allocation& found);
    void adopt(const QString& siteId, const Allocation& found, bool interactive);

    RunContext m_context;
    RunRegistry* m_registry;
};

} // namespace slipway
