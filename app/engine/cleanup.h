// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runs.h"
#include "app/sessions/cleanupitem.h"
#include "app/sessions/sessions.h"

#include <QCoroTask>
#include <QObject>

namespace slipway {

struct CleanupContext;

/// Cleanup finds and deletes the files, processes and jobs that Slipway left on a cluster. Lives on
/// the GUI (or main) thread; the Engine owns it.
class Cleanup : public QObject {
    Q_OBJECT

public:
    Cleanup(Sessions* sessions, Runs* runs);

    /// Everything at a site that belongs to Slipway: files, processes, jobs. The site must be
    /// connected.
    QCoro::Task<Result<CleanupList>> find(QString siteId);
    /// Deletes what is not in use. The result is the items that are left, each with its reason in
    /// `detail`.
    QCoro::Task<Result<CleanupList>> remove(QString siteId, CleanupList items);

private:
    void addRuns(CleanupContext* context) const;
    void markInUse(CleanupList* list, const QString& siteId) const;

    Sessions* m_sessions;
    Runs* m_runs;
};

} // namespace slipway
