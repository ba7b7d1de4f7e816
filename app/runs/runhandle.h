// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/runbegin.h"
#include "app/runs/rundriver.h"
#include "app/runs/runrecord.h"
#include "remote/shell/gate.h"

#include <QCoroTask>
#include <QObject>

#include <memory>

namespace slipway {

/// RunHandle is one run as the rest of the engine sees it: its record, and while there is a
/// connection the RunDriver that drives it. It may lose its connection and get a new one at any
/// time; of several programs on this computer only the one that holds the run's lock drives it.
/// Lives on the GUI (or main) thread; the Engine owns one a run.
class RunHandle : public QObject {
    Q_OBJECT

public:
    RunHandle(Run run, QString localFolder, RunStore* store, QStringList resultPatterns,
        QObject* parent = nullptr);
    ~RunHandle() override;

    /// With these hints its end is explained; the context holds what is known of the job and the
    /// site.
    void explainWith(std::shared_ptr<const HintBook> book, ExplainContext context);
    /// How the recipe's log is read; without it by all recognisers.
    void readLogWith(const QStringList& recognisers, const std::vector<PatternSpec>& patterns);
    /// For tests: of the connections to come.
    void setTimeouts(const RunTimeouts& timeouts) { m_timeouts = timeouts; }

    const Run& run() const { return m_record->run; }
    LocalRun& local() { return m_record->local; }

    /// Prepares and submits. Ok once the scheduler took the job; the run goes on from there.
    QCoro::Task<Result<void>> begin(Plan plan, std::shared_ptr<Cluster> cluster, QString scratch);

    /// There is a connection: find the job again, catch up, go on. Nothing when another program
    /// drives the run, or when it has ended.
    void attach(const std::shared_ptr<Cluster>& cluster);
    void detach();
    /// A run that was thought to have ended has a job that lives: it goes on with the next
    /// attach().
    void reopen(const JobId& job);
    bool isAttached() const { return m_driver != nullptr; }
    /// What is shown of the run is as new as the cluster's last word.
    bool isSettled() const;
    /// What the scheduler said of a job of this run's site; of another's it takes nothing.
    void onJobEvent(const JobEvent& event);
    /// The store has another version, written by the program that drives the run.
    void onStored(const Run& run);
    void setFetchedTo(const QString& folder);

    /// Ok once the job is seen to have ended.
    QCoro::Task<Result<void>> cancel(std::shared_ptr<Cluster> cluster);
    /// Gives an interactive run's nodes back. Ok once they are seen to be free.
    QCoro::Task<Result<void>> release(std::shared_ptr<Cluster> cluster);

signals:
    void changed();
    /// More of the log is here, or all of it.
    void logGrew();
    /// More of what the probe said of the node is here.
    void reportGrew();

private:
    std::shared_ptr<RunDriver> drive(const std::shared_ptr<Cluster>& cluster);
    void reportAccepted(const Result<void>& result);
    QCoro::Task<Result<void>> endJob(std::shared_ptr<Cluster> cluster);

    std::shared_ptr<RunRecord> m_record;
    std::shared_ptr<RunDriver> m_driver; ///< while there is a connection and this program drives
    RunTimeouts m_timeouts;
    bool m_acceptedTold = false;
    Result<void> m_acceptance;
    Gate m_accepted; ///< the scheduler took the job, or there is none
};

/// What is answered to those who wait when the program ends.
Error programClosed();

} // namespace slipway
