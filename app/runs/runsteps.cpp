// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runsteps.h"

#include "app/runs/runending.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

/// The step's own mark is more precise; if the local disk is full, there is none.
void noteFailure(RunRecord& record, const InteractiveStep& step, int exitCode)
{
    RunStage* const stage = findStage(record.run.stages, step.id);
    if (!stage || stage->state == StageState::Failed || exitCode == 0)
        return;
    stage->state = StageState::Failed;
    stage->detail = tr("exit code %1").arg(exitCode);
}

} // namespace

QCoro::Task<Result<void>> runSteps(
    RunFlow flow, std::shared_ptr<RunReader> reader, InteractiveSteps steps)
{
    const auto cluster = flow.cluster;
    const Run& run = flow.record->run;
    const QString log = u"slurm-" + run.job.text + u".out";
    const auto requestFor = [&run](const InteractiveStep& step, const QString& logFile) {
        StepRequest request{run.folder, run.job, step.file, logFile, step.id, step.sha256};
        if (step.leavesGpus)
            request.options << QStringLiteral("--gres=none");
        return request;
    };
    if (steps.keeper) {
        // It ends with the allocation, killed by Slurm: srun's message about that does not belong
        // in the run's log.
        const StepRequest request = requestFor(*steps.keeper, QStringLiteral("steps/overlays.log"));
        const std::function start = [cluster, request] { return cluster->startStep(request); };
        const auto started = co_await repeated<void>(flow, start);
        if (!started.ok())
            co_return started.error();
    }
    for (const InteractiveStep& step : steps.steps) {
        const StepRequest request = requestFor(step, log);
        const std::function start = [cluster, request] { return cluster->startStep(request); };
        const auto started = co_await repeated<void>(flow, start);
        if (!started.ok())
            co_return started.error();
        const std::function result = [cluster, request] { return cluster->stepResult(request); };
        const auto code = co_await repeated<int>(flow, result);
        if (!code.ok())
            co_return code.error();
        const std::function marks = [reader] { return reader->readMarks(); };
        const auto read = co_await repeated<void>(flow, marks);
        if (!read.ok())
            co_return read.error();
        noteFailure(*flow.record, step, *code);
        if (*code != 0 && !step.mayFail)
            break;
    }
    co_return Result<void>();
}

QCoro::Task<Result<void>> endSteps(RunFlow flow, InteractiveSteps steps)
{
    const auto fetched = co_await fetchResults(flow);
    if (flow.over())
        co_return connectionGone();
    Q_UNUSED(fetched) // shown by the stage of the results
    RunRecord& record = *flow.record;
    EndFacts facts;
    facts.state = JobState::Completed;
    facts.marks = record.marks;
    facts.logTail = record.local.logTail(shownLog);
    const RunEnd end = endOfRun(record, facts, steps.ids());
    record.run.error = end.error;
    record.run.exitCode = end.exitCode;
    record.setPhase(RunPhase::Allocated,
        end.sentence + u' ' + tr("The nodes are kept until they are released."));
    co_return Result<void>();
}

} // namespace slipway
