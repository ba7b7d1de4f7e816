// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runnews.h"

#include "app/runs/runwords.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

constexpr std::chrono::minutes freshStart{10};

/// The most specific cause that is known.
QString causeOf(const Run& run)
{
    for (const Explanation& one : run.explanations)
        if (one.severity == Explanation::Severity::Fault && !one.title.isEmpty())
            return one.title;
    return run.error && !run.error->summary.isEmpty() ? run.error->summary : run.sentence;
}

bool isFresh(const QDateTime& started, const QDateTime& now)
{
    return !started.isValid() || std::chrono::seconds(qAbs(started.secsTo(now))) <= freshStart;
}

} // namespace

std::optional<RunNews> newsOf(
    RunPhase before, const Run& run, const QString& siteName, const QDateTime& now)
{
    using Kind = RunNews::Kind;
    if (before == run.phase || isTerminal(before))
        return std::nullopt;
    const QString name = runName(run);
    switch (run.phase) {
    case RunPhase::Running:
        if (before == RunPhase::Allocated || !isFresh(run.started, clusterTime(run, now)))
            return std::nullopt;
        return RunNews{Kind::Started, tr("%1 is running on %2").arg(name, siteName), run.sentence};
    case RunPhase::Allocated:
        return RunNews{
            Kind::Ended, tr("All steps of %1 have ended on %2").arg(name, siteName), run.sentence};
    case RunPhase::Done:
        return RunNews{Kind::Ended, tr("%1 is done on %2").arg(name, siteName), run.sentence};
    case RunPhase::Failed:
        return RunNews{Kind::Failed, tr("%1 failed on %2").arg(name, siteName), causeOf(run)};
    case RunPhase::Cancelled:
        return RunNews{Kind::Ended, tr("%1 was cancelled on %2").arg(name, siteName), run.sentence};
    case RunPhase::Unknown:
        return RunNews{
            Kind::Failed, tr("%1 ended on %2, result unknown").arg(name, siteName), run.sentence};
    case RunPhase::Preparing:
    case RunPhase::Submitting:
    case RunPhase::Queued:
        break;
    }
    return std::nullopt;
}

std::optional<RunNews> timeNews(
    const Run& run, const WallTime& limit, const QString& siteName, const QDateTime& now)
{
    const bool going = run.phase == RunPhase::Running || run.phase == RunPhase::Allocated;
    if (!going || !run.started.isValid() || limit.isUnlimited() || limit.seconds() <= timeWarning)
        return std::nullopt;
    const auto left = limit.seconds() - runDuration(run, now).value_or(std::chrono::seconds(0));
    if (left.count() <= 0 || left > timeWarning)
        return std::nullopt;
    return RunNews{RunNews::Kind::TimeShort,
        tr("%1 on %2 is near its time limit").arg(runName(run), siteName),
        tr("The job reaches the time limit it was launched with, %1, in about %2.")
            .arg(durationText(limit.seconds()), durationText(left))};
}

} // namespace slipway
