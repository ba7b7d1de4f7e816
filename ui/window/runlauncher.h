// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QObject>

namespace slipway {

/// RunLauncher launches a run, or the runs of a sweep one after another, and reports when a run can
/// be shown and why a launch was refused. GUI thread; MainWindow owns it.
class RunLauncher : public QObject {
    Q_OBJECT

public:
    RunLauncher(Engine* engine, QObject* parent);

    QCoro::Task<Result<QString>> launch(LaunchSpec spec);
    /// As one job array if the specs say so. The first launch that is refused ends the sweep; what
    /// was submitted before it keeps running.
    QCoro::Task<void> launchSweep(std::vector<LaunchSpec> specs);

signals:
    void busyChanged(bool busy);
    /// The run is in the list, although its job may not have been accepted yet. Of a sweep: its
    /// first run.
    void started(const QString& runId);
    /// Not for a failure that the run's own page shows, unless it ended a sweep.
    void refused(const slipway::Error& error);

private:
    struct Attempt {
        Result<QString> runId;
        bool listed; ///< the run is in the list, and its page shows a failure
    };
    QCoro::Task<void> launchArray(std::vector<LaunchSpec> specs);
    QCoro::Task<Attempt> submit(LaunchSpec spec, bool shows = true);

    Engine* m_engine;
    bool m_waiting = false; ///< the run that is being launched is not in the list yet
    bool m_shows = true; ///< it is to be shown; of a sweep, only the first
};

} // namespace slipway
