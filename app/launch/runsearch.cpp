// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/runsearch.h"

#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr int looksForNothing = 3; ///< that find no job, before there is none

QCoro::Task<Result<JobId>> lookForJob(RunFlow flow)
{
    const RunFolder there(flow.cluster->shell(), flow.record->run.folder);
    const QString name = QStringLiteral("jobid");
    const auto note = co_await there.readFrom(name, 0);
    if (!note.ok())
        co_return note.error();
    const QString number = QString::fromLatin1(note->trimmed()).section(u';', 0, 0);
    if (!number.isEmpty()
        && std::all_of(number.begin(), number.end(), [](QChar c) { return c.isDigit(); }))
        co_return JobId{number};
    const auto jobs = co_await flow.cluster->orphans(flow.record->comment());
    if (!jobs.ok())
        co_return jobs.error();
    if (!jobs->empty())
        co_return jobs->front().id;
    co_return Error{ErrorKind::NotFound, tr("There is no job of this run.")};
}

} // namespace

QCoro::Task<Result<JobId>> findJob(RunFlow flow)
{
    const Run& run = flow.record->run;
    if (run.folder.isEmpty() || run.phase == RunPhase::Preparing) {
        co_return notSubmitted(Error{ErrorKind::NotFound,
            tr("The launch was interrupted while files were uploaded."), tr("Launch it again.")});
    }
    for (int nothing = 0; nothing < looksForNothing;) {
        auto looking = lookForJob(flow);
        const auto job = co_await here(flow, std::move(looking));
        if (flow.over() || job.ok())
            co_return job;
        if (job.error().kind == ErrorKind::NotFound) {
            ++nothing;
        } else {
            nothing = 0; // no answer is no proof: ask until there is one
            flow.record->say(
                tr("Whether the job was submitted is not known: %1").arg(job.error().summary));
        }
        co_await flow.rests->rest(flow.patience.look); // an sbatch may still be under way there
        if (flow.over())
            co_return connectionGone();
    }
    co_return notSubmitted(Error{ErrorKind::NotFound,
        tr("The launch was interrupted before the job was submitted, and the cluster has no job of "
           "this run."),
        tr("Launch it again.")});
}

} // namespace slipway
