// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/sacct.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/slurm/jobstates.h"
#include "remote/slurm/values.h"

#include <QStringList>

namespace slipway {

namespace {

namespace sacct {
enum Field {
    RawId,
    Id,
    State,
    ExitCode,
    Submitted,
    Started,
    Ended,
    Elapsed,
    Tres,
    NodeList,
    Comment,
    Name,
    FieldCount,
};
}
constexpr char sacctFields[] =
    "JobIDRaw,JobID,State,ExitCode,Submit,Start,End,ElapsedRaw,AllocTRES,NodeList,Comment,JobName";

Error malformed(const QByteArray& output)
{
    return {
        ErrorKind::Protocol, tr("The output of sacct could not be read."), {}, output.left(4096)};
}

JobRecord recordOf(const Record& row)
{
    using namespace sacct;
    JobRecord record;
    const QString shown = shownJobNumber(row[Id]);
    record.id.text = shown.isEmpty() ? lenientText(row[Id]) : shown;
    record.stateText = lenientText(row[State]);
    record.state = jobState(record.stateText);
    record.exitCode = slurmCount(row[ExitCode].split(':').value(0));
    record.signal = slurmCount(row[ExitCode].split(':').value(1));
    record.submitted = slurmTime(row[Submitted]);
    record.started = slurmTime(row[Started]);
    record.ended = slurmTime(row[Ended]);
    if (isJobNumber(row[Elapsed]))
        record.elapsed = std::chrono::seconds(row[Elapsed].toLongLong());
    record.tres = lenientText(row[Tres]);
    record.nodeList = lenientText(row[NodeList]);
    record.comment = lenientText(row[Comment]);
    record.name = lenientText(row[Name]);
    return record;
}

} // namespace

QByteArray sacctCommand(const Separators& separators, const std::vector<JobId>& jobs, int days)
{
    QStringList numbers;
    for (const auto& job : jobs)
        numbers << job.text;
    const QByteArray list = shellQuoted(numbers.join(QLatin1Char(',')).toUtf8());
    // -p ends every field, the last one too, so rows are found by counting fields, and a newline in
    // a name is an ordinary byte. -D: all runs of a requeued job.
    return "SLURM_TIME_FORMAT=%s sacct -X -n -p -D --delimiter='" + separators.field + "' -S now-"
        + QByteArray::number(std::max(1, days)) + "days -j " + list + " -o " + sacctFields;
}

Result<std::vector<JobRecord>> parseSacct(
    const QByteArray& output, const Separators& separators, int* odd)
{
    std::vector<JobRecord> records;
    int leftOut = 0;
    Record row;
    qsizetype from = 0;
    while (true) {
        const auto at = output.indexOf(separators.field, from);
        if (at < 0)
            break;
        const bool first = row.empty();
        if (first && from > 0) {
            if (output[from] != '\n')
                return malformed(output);
            ++from;
        }
        if (at < from)
            return malformed(output);
        row.push_back(output.mid(from, at - from));
        from = at + separators.field.size();
        if (row.size() < sacct::FieldCount)
            continue;
        if (records.size() >= 100'000)
            return malformed(output);
        if (shownJobNumber(row[sacct::RawId]).isEmpty())
            ++leftOut;
        else
            records.push_back(recordOf(row));
        row.clear();
    }
    const bool nothingRead = records.empty() && leftOut > 0;
    if (nothingRead || !row.empty() || !output.mid(from).trimmed().isEmpty())
        return malformed(output);
    if (odd)
        *odd = leftOut;
    return records;
}

} // namespace slipway
