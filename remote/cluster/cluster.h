// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/clustersurvey.h"
#include "remote/cluster/jobwatcher.h"
#include "remote/cluster/requests.h"
#include "remote/shell/shell.h"
#include "remote/slurm/clusterinfo.h"

#include <QCoroTask>
#include <QObject>

#include <memory>
#include <vector>

namespace slipway {

class RunTail;
class ScriptGroup;
struct Timeouts;
struct SlurmContext;

/// Cluster is one Slurm cluster over one connection: finds out what it offers, submits, allocates,
/// runs steps, cancels, and owns the JobWatcher. Every operation may be repeated after a lost link
/// without doing its work twice. Lives on the GUI (or main) thread; owned by a SiteSession, one per
/// connection. Tasks own what they need, so the Cluster may be deleted while one is running.
class Cluster : public QObject {
    Q_OBJECT

public:
    explicit Cluster(std::shared_ptr<Shell> shell, QObject* parent = nullptr);
    ~Cluster() override;

    const std::shared_ptr<Shell>& shell() const;
    JobWatcher* watcher() const { return m_watcher; }
    /// The output of the jobs.
    const std::shared_ptr<RunTail>& tail() const;
    int callsLastMinute() const;
    int callsAllowed() const;
    /// How long operations wait between checks; tests shorten it.
    void setTimeouts(const Timeouts& timeouts);

    /// What the cluster offers. `scratchExpression` is shell text of the site file, evaluated on
    /// the cluster in a login shell. What a query could not answer stays empty; an Error only when
    /// no query was possible, or when Slurm is missing (Unsupported).
    QCoro::Task<Result<ClusterInfo>> discover(QString scratchExpression);

    /// Fair-share and hours of the user's accounts, as discover() found them, asked again. An error
    /// at once where the budget has no room for the call.
    QCoro::Task<Result<std::vector<AccountShare>>> accountShares(ClusterInfo known);

    /// One part of a survey of the login node beyond discover(), added to `known`. Only after
    /// discover(), which finds Slurm.
    QCoro::Task<Result<ClusterSurvey>> survey(SurveyPart part, ClusterSurvey soFar);

    /// Submits folder/scriptName at most once: a second call for the same folder finds the job
    /// again, by the file jobid there, then by the comment. Error{Refused} contains the scheduler's
    /// message.
    QCoro::Task<Result<JobId>> submit(SubmitRequest request);

    /// The progress of the submission or the allocation request of this folder. Changes nothing.
    QCoro::Task<Result<SubmissionState>> submissionState(QString folder);
    /// From now on nothing can be submitted from this folder; false when an attempt after the
    /// `holders`-th has begun meanwhile.
    QCoro::Task<Result<bool>> closeSubmission(QString folder, int holders);
    /// The job with this tag or this working folder, in any state; none: the scheduler answered and
    /// has no such job.
    QCoro::Task<Result<std::optional<Allocation>>> findSubmitted(QString tag, QString folder);

    /// Requests nodes with an salloc that outlives this connection; the task ends when they are
    /// granted or refused (Refused), or when the request was cancelled meanwhile (Cancelled). A
    /// second call for the same folder waits for the same request.
    QCoro::Task<Result<Allocation>> allocate(AllocateRequest request);

    /// scancel, confirmed: ok when the job is confirmed to have ended or not to exist.
    QCoro::Task<Result<void>> cancel(JobId job);
    QCoro::Task<Result<void>> release(JobId job) { return cancel(std::move(job)); }

    /// Running and pending jobs of this user whose comment begins with `tagPrefix`.
    QCoro::Task<Result<std::vector<Allocation>>> orphans(QString tagPrefix);

    /// Starts a step script with srun in the allocation, detached: a lost connection does not end
    /// it. A second call for the same step does nothing.
    QCoro::Task<Result<void>> startStep(StepRequest step);
    QCoro::Task<Result<StepState>> stepState(StepRequest step);
    /// Waits until the step has ended: its exit code.
    QCoro::Task<Result<int>> stepResult(StepRequest step);

    /// Starts a script with Slurm's programs on its PATH, whose output streams until it ends or its
    /// input is closed. All of these scripts share one channel: see ScriptGroup::start(). It is not
    /// counted as a call to the scheduler.
    std::unique_ptr<Process> start(const QByteArray& script);

signals:
    /// The allocation with this tag has a job ID and waits; reasons come from the watcher.
    void allocationPending(const QString& tag, const slipway::JobId& job);

private:
    std::shared_ptr<SlurmContext> m_side;
    std::unique_ptr<ScriptGroup> m_group;
    JobWatcher* m_watcher;
};

} // namespace slipway
