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
struct Timeouts;
struct SlurmContext;

/// Cluster is one Slurm cluster behind one connection: asks what it offers, submits, allocates,
/// runs steps, cancels, and owns the JobWatcher. Every operation may be repeated after a lost link
/// without doing its work twice. Lives on the GUI (or main) thread; owned by the Engine, one a
/// connection. Tasks hold what they need, so the Cluster may be deleted while one is under way.
class Cluster : public QObject {
    Q_OBJECT

public:
    explicit Cluster(std::shared_ptr<Shell> shell, QObject* parent = nullptr);
    ~Cluster() override;

    const std::shared_ptr<Shell>& shell() const;
    JobWatcher* watcher() const { return m_watcher; }
    /// What the jobs here write.
    const std::shared_ptr<RunTail>& tail() const;
    int callsLastMinute() const;
    int callsAllowed() const;
    /// How long operations wait between looks; tests make it short.
    void setTimeouts(const Timeouts& timeouts);

    /// What the cluster says of itself. `scratchExpression` is shell text of the site file,
    /// evaluated there in a login shell. What one question could not answer stays empty; an Error
    /// only when nothing could be asked, or when Slurm is not there (Unsupported).
    QCoro::Task<Result<ClusterInfo>> discover(QString scratchExpression);

    /// One part of what a login node tells beyond discover(), added to what is known so far. After
    /// discover() only, which finds Slurm.
    QCoro::Task<Result<ClusterSurvey>> survey(SurveyPart part, ClusterSurvey soFar);

    /// Submits folder/scriptName at most once: a second call for the same folder finds the job
    /// again, by the file jobid there, then by the comment. Error{Refused} carries the scheduler's
    /// words.
    QCoro::Task<Result<JobId>> submit(SubmitRequest request);

    /// How far the submission or the request for nodes of this folder has come. Changes nothing.
    QCoro::Task<Result<SubmissionState>> submissionState(QString folder);
    /// From now on nothing can be submitted from this folder; false when a newer try than the
    /// `holders`-th has begun meanwhile.
    QCoro::Task<Result<bool>> closeSubmission(QString folder, int holders);
    /// The job of this tag or of this work folder, in whatever state; none: the scheduler answered
    /// and knows none.
    QCoro::Task<Result<std::optional<Allocation>>> findSubmitted(QString tag, QString folder);

    /// Asks for nodes with an salloc that outlives this connection; the result comes when they are
    /// granted or refused (Refused), or when the request was cancelled meanwhile (Cancelled). A
    /// second call for the same folder goes on waiting for the same request.
    QCoro::Task<Result<Allocation>> allocate(AllocateRequest request);

    /// scancel, confirmed: ok when the job is seen to have ended, or to be gone.
    QCoro::Task<Result<void>> cancel(JobId job);
    QCoro::Task<Result<void>> release(JobId job) { return cancel(std::move(job)); }

    /// Jobs of this user that hold nodes or wait, and whose comment begins with `tagPrefix`.
    QCoro::Task<Result<std::vector<Allocation>>> orphans(QString tagPrefix);

    /// Starts a step script with srun in the allocation, detached: a cut link does not end it. A
    /// second call for the same step does nothing.
    QCoro::Task<Result<void>> startStep(StepRequest step);
    QCoro::Task<Result<StepState>> stepState(StepRequest step);
    /// Waits until the step has ended: its exit code.
    QCoro::Task<Result<int>> stepResult(StepRequest step);

    /// Starts a script with Slurm's programs on its PATH; its input stays open and its output
    /// streams. The caller owns the Process. It is not counted as a question to the scheduler. A
    /// long-lived stream: see Invocation::isLongLived.
    std::unique_ptr<Process> start(QByteArray script) const;

signals:
    /// The allocation of this tag has a number and waits; reasons come from the watcher.
    void allocationPending(const QString& tag, const slipway::JobId& job);

private:
    std::shared_ptr<SlurmContext> m_side;
    JobWatcher* m_watcher;
};

} // namespace slipway
