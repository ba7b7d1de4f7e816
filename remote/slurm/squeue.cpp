// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/squeue.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/slurm/jobspec.h"
#include "remote/slurm/jobstates.h"
#include "remote/slurm/values.h"

#include <QStringList>

#include <array>

namespace slipway {

namespace {

// Free text last: whatever a comment or a name contains, the fields before it have been read.
namespace squeue {
enum Field {
    ArrayJobId,
    ArrayTaskId,
    Id,
    State,
    ReasonWord,
    Partition,
    Qos,
    Account,
    Nodes,
    Cpus,
    Tres,
    Elapsed,
    Limit,
    Submitted,
    Started,
    Ended,
    NodeList,
    BatchHost,
    Restarts,
    Output,
    WorkDir,
    Comment,
    Name,
    FieldCount,
};
}
constexpr std::array fieldNames{"ArrayJobID", "ArrayTaskID", "JobID", "StateCompact", "Reason",
    "Partition", "QOS", "Account", "NumNodes", "NumCPUs", "tres-alloc", "TimeUsed", "TimeLimit",
    "SubmitTime", "StartTime", "EndTime", "NodeList", "BatchHost", "RestartCnt", "StdOut",
    "WorkDir", "Comment", "Name"};
static_assert(fieldNames.size() == squeue::FieldCount);
constexpr std::array taggedNames{"JobID", "StateCompact", "NodeList", "WorkDir", "Comment"};

/// "JobID:<F>,…,Name:<R>". A field with a colon and no number is printed whole; without the colon
/// squeue cuts it at 20 characters (squeue(1), --Format).
template <std::size_t count>
QByteArray format(const std::array<const char*, count>& names, const Separators& separators)
{
    QByteArray text;
    for (std::size_t i = 0; i < count; ++i) {
        const bool last = i + 1 == count;
        text += QByteArray(names[i]) + ':' + (last ? separators.row : separators.field + ',');
    }
    return shellQuoted(text);
}

QString known(const QByteArray& text)
{
    return text == "N/A" || text == "(null)" || text == "n/a" ? QString() : lenientText(text);
}

std::optional<Job> jobOf(const Record& row)
{
    using namespace squeue;
    Job job;
    const auto& task = row[ArrayTaskId];
    const QString shown = shownJobNumber(row[Id]);
    if (shown.isEmpty())
        return std::nullopt;
    if (isJobNumber(row[ArrayJobId]) && !task.isEmpty() && task != "N/A") {
        const bool single = isJobNumber(task);
        job.id.text = QString::fromLatin1(row[ArrayJobId]) + u'_'
            + (single ? lenientText(task) : u'[' + lenientText(task) + u']');
    } else {
        job.id.text = shown;
    }
    job.stateText = lenientText(row[State]);
    job.state = jobState(job.stateText);
    job.reason = lenientText(row[ReasonWord]);
    job.partition = known(row[Partition]);
    job.qos = known(row[Qos]);
    job.account = known(row[Account]);
    job.nodes = slurmCount(row[Nodes]);
    job.cpus = slurmCount(row[Cpus]);
    job.tres = known(row[Tres]);
    job.elapsed = slurmDuration(row[Elapsed]);
    job.timeLimit = slurmDuration(row[Limit]);
    job.submitted = slurmTime(row[Submitted]);
    job.started = slurmTime(row[Started]);
    job.ended = slurmTime(row[Ended]);
    job.nodeList = known(row[NodeList]);
    job.batchHost = known(row[BatchHost]);
    job.restarts = slurmCount(row[Restarts]);
    job.output = known(row[Output]); // "(null)" for an allocation
    job.workDir = lenientText(row[WorkDir]);
    job.comment = known(row[Comment]);
    job.name = lenientText(row[Name]);
    return job;
}

Error strangeRow(const Record& row)
{
    QByteArray text;
    for (const auto& field : row)
        text += field + '\n';
    return {ErrorKind::Protocol, tr("The scheduler's answer contains a row without a job ID."),
        tr("Slipway will try again automatically; until then no job is treated as finished."),
        text.left(4096)};
}

} // namespace

QByteArray squeueCommand(const Separators& separators, bool expandArrays)
{
    return QByteArray("SLURM_TIME_FORMAT=%s squeue --me -h ") + (expandArrays ? "-r " : "")
        + "-t all -O " + format(fieldNames, separators);
}

QByteArray squeueCommand(const Separators& separators, const std::vector<JobId>& jobs)
{
    // For a single unknown ID squeue fails with "Invalid job id"; for a list it does not. So the
    // last ID is given twice.
    QStringList numbers;
    for (const auto& job : jobs)
        numbers << job.text;
    if (!numbers.isEmpty())
        numbers << numbers.last();
    return "SLURM_TIME_FORMAT=%s squeue -h -r -t all -j "
        + shellQuoted(numbers.join(QLatin1Char(',')).toUtf8()) + " -O "
        + format(fieldNames, separators);
}

Result<std::vector<Job>> parseSqueue(
    const QByteArray& output, const Separators& separators, int* odd)
{
    int leftOut = 0;
    auto records = splitRecords(output, separators, squeue::FieldCount, &leftOut);
    if (!records.ok())
        return records.error();
    std::vector<Job> jobs;
    jobs.reserve(records->size());
    for (const auto& row : *records) {
        if (auto job = jobOf(row))
            jobs.push_back(std::move(*job));
        else
            ++leftOut;
    }
    if (jobs.empty() && !records->empty())
        return strangeRow(records->front());
    if (odd)
        *odd = leftOut;
    return jobs;
}

QByteArray taggedJobsCommand(const Separators& separators)
{
    return "squeue --me -h -t all -O " + format(taggedNames, separators);
}

Result<std::vector<TaggedJob>> parseTaggedJobs(
    const QByteArray& output, const Separators& separators)
{
    auto records = splitRecords(output, separators, int(taggedNames.size()));
    if (!records.ok())
        return records.error();
    std::vector<TaggedJob> jobs;
    for (const auto& row : *records) {
        const QString id = shownJobNumber(row[0]);
        if (id.isEmpty()) {
            if (row[4].contains(jobCommentPrefix) || row[3].contains("/slipway/"))
                return strangeRow(row);
            continue;
        }
        jobs.push_back({{id}, jobState(lenientText(row[1])), known(row[2]), known(row[4]),
            lenientText(row[3])});
    }
    return jobs;
}

} // namespace slipway
