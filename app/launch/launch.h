// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/explain/explain.h"
#include "app/launch/gate.h"
#include "app/launch/localrun.h"
#include "app/launch/plan.h"
#include "app/launch/run.h"
#include "app/launch/runstory.h"
#include "remote/cluster/cluster.h"
#include "remote/cluster/logfollower.h"
#include "remote/cluster/runfolder.h"

#include <QCoroTask>
#include <QObject>
#include <QTimer>

#include <memory>

namespace slipway {

class RunStore;

/// Launch drives one run: makes its folder, uploads, submits or allocates, follows log and marks, and
/// says how it ended. It may lose its connection and get a new one at any time, and goes on where it
/// was; of several programs on this computer only the one that holds the run's lock drives it. Lives
/// on the GUI (or main) thread; the Workbench owns one a run. launch.cpp follows a job,
/// launchbegin.cpp brings it there, launchend.cpp ends it, launchexplain.cpp says why it ended so.
class Launch : public QObject {
    Q_OBJECT

public:
    Launch(Run run, QString localFolder, RunStore* store, QStringList resultPatterns,
        QObject* parent = nullptr);
    ~Launch() override;

    /// With these hints its end is explained; the context holds what is known of the job and the site.
    void explainWith(std::shared_ptr<const HintBook> book, ExplainContext context);

    const Run& run() const { return m_run; }
    LocalRun& local() { return m_local; }

    /// Prepares and submits. Ok once the scheduler took the job; the run goes on from there.
    QCoro::Task<Result<void>> begin(Plan plan, std::shared_ptr<Cluster> cluster, QString scratch);

    /// There is a connection: find the job again, catch up, go on. Nothing when another program
    /// drives the run, or when it has ended.
    void attach(const std::shared_ptr<Cluster>& cluster);
    void detach();
    bool isAttached() const { return m_cluster != nullptr; }
    /// What the scheduler said of a job of this run's site; of another's it takes nothing.
    void takeEvent(const JobEvent& event);
    /// The store has another version, written by the program that drives the run.
    void takeStored(const Run& run);
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
    // launchbegin.cpp
    QCoro::Task<Result<void>> prepare(Plan plan, QString scratch);
    QCoro::Task<void> submit();
    QCoro::Task<void> interact();
    QCoro::Task<Result<bool>> runStep(int index);
    QCoro::Task<void> reconcile();
    QCoro::Task<Result<JobId>> lookForJob(std::shared_ptr<Cluster> cluster);
    void takeJobId(const JobId& job);
    void giveUp(const Error& error);
    void tellAccepted(const Result<void>& result);

    // launch.cpp
    void takeJob(const Job& job);
    void takeStarted(const Job& job);
    void takeRestart(const Job& job);
    void follow();
    void takeLog(const QByteArray& bytes, qint64 offset);
    QCoro::Task<void> readMarks();
    QCoro::Task<void> readReport();
    void retell();
    void save();
    void setPhase(RunPhase phase, const QString& sentence);
    RunFolder folder() const;
    QCoro::Task<void> rest(std::chrono::milliseconds time);

    // launchend.cpp
    QCoro::Task<void> checkExitNote();
    QCoro::Task<void> conclude(std::optional<JobState> state, QString stateText);
    QCoro::Task<bool> drainLog();
    QCoro::Task<void> fetchResults();
    QCoro::Task<Result<void>> endJob(std::shared_ptr<Cluster> cluster);
    RunEnd endOf(const EndFacts& facts);

    // launchexplain.cpp
    QCoro::Task<std::vector<Explanation>> explainEnd(RunPhase phase, QString stateText);
    void explainRefusal(const Error& error);

    struct Step {
        QString file;
        QString id;
        QString title;
        bool mayFail = false; ///< a check only reports, and a lane leaves the others running
    };
    void keepSteps(const Plan& plan, const QStringList& options);
    void readSteps();

    Run m_run;
    LocalRun m_local;
    RunStore* m_store;
    QStringList m_resultPatterns;
    std::vector<RunStage> m_planned; ///< the timeline without marks
    std::vector<StepMark> m_marks;
    std::vector<Step> m_steps; ///< interactive
    QStringList m_allocationOptions;
    bool m_allocateByBatchJob = false; ///< where people use idev

    std::shared_ptr<Cluster> m_cluster;
    std::unique_ptr<LogFollower> m_follower;
    QTimer m_marksTimer;
    std::shared_ptr<const HintBook> m_hints;
    ExplainContext m_explainContext;
    Job m_job; ///< the scheduler's last word
    bool m_beginning = false; ///< begin() is under way
    bool m_acceptedTold = false;
    Result<void> m_acceptance;
    Gate m_accepted; ///< the scheduler took the job, or there is none
    Gate m_logEnded; ///< the follower of the log has stopped, or the connection is gone
    std::vector<std::weak_ptr<Gate>> m_rests;
    bool m_cancelWanted = false;
    // Of the present connection; detach() clears them, and a coroutine of an older one leaves them be.
    bool m_readingMarks = false;
    bool m_concluding = false;
    bool m_interacting = false;
};

/// The folder of a run on the cluster: <scratch>/slipway/<date>-<recipe>-<id>.
QString runFolderPath(const QString& scratch, const Run& run);

/// What is answered to those who wait when the program ends.
Error programClosed();

} // namespace slipway
