// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/arraylaunch.h"

#include "app/plan/arrayscript.h"
#include "app/runs/runarray.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/slurm/arraytasks.h"

namespace slipway {

namespace {

constexpr std::chrono::milliseconds betweenLooks{20}; ///< at what the other tasks have done

/// array.sh is written last, when every folder that it names is complete.
QCoro::Task<Result<JobId>> submitArray(RunFlow flow, std::shared_ptr<ArrayLaunch> array)
{
    const Run run = flow.record->run;
    const RunFolder folder(flow.cluster->shell(), submitFolder(run));
    const QString name = QString::fromLatin1(arrayScriptName);
    const std::vector<RunFolder::Upload> uploads{{name, array->script, 0700}};
    const auto written = co_await folder.write(uploads);
    if (!written.ok())
        co_return written.error();
    if (flow.over())
        co_return connectionGone();
    const SubmitRequest request{submitFolder(run), name, submitComment(run)};
    const auto job = co_await flow.cluster->submit(request);
    co_return job;
}

} // namespace

QCoro::Task<Result<void>> awaitTurn(RunFlow flow, std::shared_ptr<ArrayLaunch> array)
{
    const int task = flow.record->run.arrayTask;
    while (!flow.over() && !array->job && array->prepared < task)
        co_await flow.pauses->pause(betweenLooks);
    if (flow.over())
        co_return connectionGone();
    if (array->job && !array->job->ok())
        co_return array->job->error();
    co_return Result<void>();
}

void noteFolder(const RunFlow& flow, ArrayLaunch* array, const Result<void>& prepared)
{
    ++array->prepared;
    if (prepared.ok() || array->job)
        return;
    const Error& why = prepared.error();
    array->job = Error{ErrorKind::Refused,
        tr("Run %1 of this array could not be prepared: %2").arg(flow.record->run.id, why.summary),
        why.remedy, why.detail};
}

QCoro::Task<Result<JobId>> submitTask(RunFlow flow, std::shared_ptr<ArrayLaunch> array)
{
    const int task = flow.record->run.arrayTask;
    ++array->waiting;
    const bool leads = task == 0;
    while (!flow.over() && !array->job && (!leads || array->waiting < array->tasks))
        co_await flow.pauses->pause(betweenLooks);
    if (flow.over())
        co_return connectionGone();
    if (leads && !array->job) {
        auto submitting = submitArray(flow, array);
        const auto submitted = co_await submitting;
        array->job = submitted;
    }
    if (!array->job->ok())
        co_return array->job->error();
    const JobId job = taskId(array->job->value(), task);
    co_return job;
}

} // namespace slipway
