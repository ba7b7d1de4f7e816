// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runsearch.h"

#include "app/runs/runarray.h"
#include "remote/base/tr.h"
#include "remote/slurm/submission.h"

namespace slipway {

namespace {

using SubmissionKind = SubmissionState::Kind;

constexpr int looksForNothing =
    3; ///< searches without a result before the job is considered missing
constexpr int looksPerQuestion = 5; ///< looks at files per call to the scheduler
constexpr qint64 longAway = 3600; ///< s: no sbatch on another login node runs that long

/// An sbatch may still be running, here or on another login node.
bool isUnderWay(SubmissionKind kind)
{
    return kind == SubmissionKind::UnderWay || kind == SubmissionKind::Elsewhere;
}

Error uploadInterrupted()
{
    return {ErrorKind::NotFound, tr("The launch was interrupted while files were uploaded."),
        tr("Launch it again.")};
}

/// `wasUploading`: as it was stored. A program that is killed may not have stored its last phase,
/// so the cluster is asked nevertheless.
Error interrupted(SubmissionKind kind, bool cancelAsked, bool wasUploading)
{
    if (cancelAsked)
        return Error{ErrorKind::Cancelled, tr("Cancelled by you. Nothing was submitted.")};
    if (wasUploading)
        return notSubmitted(uploadInterrupted());
    if (kind == SubmissionKind::NoFolder) {
        return notSubmitted(Error{ErrorKind::NotFound,
            tr("The run folder on the cluster no longer exists, and the cluster has no job of this "
               "run."),
            tr("It may have been cleaned up by the site. Launch it again.")});
    }
    return notSubmitted(Error{ErrorKind::NotFound,
        tr("The launch was interrupted before the job was submitted, and the cluster has no job of "
           "this run."),
        tr("Launch it again.")});
}

QString progressSentence(const SubmissionState& state, bool cancelAsked)
{
    QString sentence = state.kind == SubmissionKind::Elsewhere
        ? tr("The submission was started on %1 and may still be in progress there; it is not known "
             "yet whether the cluster accepts the job.")
              .arg(state.host)
        : tr("The submission is still in progress on the login node; it is not known yet whether "
             "the cluster accepts the job.");
    if (cancelAsked)
        sentence += u' ' + tr("The job will be cancelled as soon as its job ID is known.");
    return sentence;
}

/// The result of one search: the job, or the state of the submission.
struct Look {
    SubmissionState state;
    std::optional<JobId> job;
};

QCoro::Task<Result<Look>> look(RunFlow flow, bool askScheduler)
{
    const Run run = flow.record->run;
    const QString folder = submitFolder(run);
    const auto state = co_await flow.cluster->submissionState(folder);
    if (!state.ok())
        co_return state.error();
    Look seen{*state, {}};
    const bool under = isUnderWay(state->kind);
    const bool refused = state->kind == SubmissionKind::Refused && !isAmbiguousRefusal(state->text);
    if (state->kind == SubmissionKind::Known)
        seen.job = jobOfRun(run, state->job);
    if (seen.job || refused || (under && !askScheduler))
        co_return seen;
    const auto found = co_await flow.cluster->findSubmitted(submitComment(run), folder);
    if (!found.ok())
        co_return found.error();
    if (found->has_value())
        seen.job = jobOfRun(run, (*found)->id);
    co_return seen;
}

} // namespace

QCoro::Task<Result<JobId>> findJob(RunFlow flow)
{
    const auto record = flow.record;
    if (record->run.folder.isEmpty())
        co_return notSubmitted(uploadInterrupted());
    const bool wasUploading = record->run.phase == RunPhase::Preparing;
    int nothing = 0;
    for (int looks = 0;; ++looks) {
        if (looks > 0)
            co_await flow.pauses->pause(flow.timeouts.look);
        if (flow.over())
            co_return connectionGone();
        auto looking = look(flow, looks % looksPerQuestion == 0);
        const auto seen = co_await here(flow, std::move(looking));
        if (flow.over())
            co_return connectionGone();
        if (!seen.ok()) {
            if (seen.error().kind == ErrorKind::LinkLost && !flow.mayPass(seen.error()))
                co_return seen.error();
            nothing = 0; // no answer proves nothing: try until there is one
            record->say(
                tr("It is not known whether the job was submitted: %1").arg(seen.error().summary));
            continue;
        }
        if (seen->job)
            co_return *seen->job;
        const SubmissionState& state = seen->state;
        const bool cancelAsked = record->cancelAsked();
        if (state.kind == SubmissionKind::Refused && !isAmbiguousRefusal(state.text))
            co_return notSubmitted(submitError(state.text));
        const bool away = state.kind == SubmissionKind::Elsewhere && state.age > longAway;
        if (isUnderWay(state.kind) && !away) {
            nothing = 0;
            record->say(progressSentence(state, cancelAsked));
            continue;
        }
        // Before its files were there no sbatch was started: the folder only has to be closed.
        const bool untouched = wasUploading
            && (state.kind == SubmissionKind::None || state.kind == SubmissionKind::NoFolder);
        if (++nothing < looksForNothing && !untouched)
            continue;
        // This is proof: a late effect of an earlier call finds the folder closed.
        const auto closed =
            co_await flow.cluster->closeSubmission(submitFolder(record->run), state.holders);
        if (flow.over())
            co_return connectionGone();
        if (closed.ok() && *closed)
            co_return interrupted(state.kind, cancelAsked, wasUploading);
        nothing = 0;
    }
}

} // namespace slipway
