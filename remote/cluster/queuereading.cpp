// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/queuereading.h"

#include "remote/base/tr.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/slurm/squeue.h"
#include "remote/slurm/submission.h"

namespace slipway {

QueueReading readQueue(const QueueAnswer& answer, const JobLedger& ledger, const QDateTime& asked)
{
    QueueReading reading;
    const auto jobs = parseSqueue(answer.output, answer.separators, &reading.odd);
    if (!jobs.ok()) {
        reading.error = jobs.error();
        return reading;
    }
    reading.rows = jobs->size();
    reading.ledger = ledger;
    reading.events = reading.ledger.take(*jobs, asked, reading.odd == 0);
    return reading;
}

QCoro::Task<Result<QueueAnswer>> askForJobs(
    std::shared_ptr<SlurmContext> side, bool pingFirst, bool expandArrays)
{
    if (pingFirst) {
        const auto ping = co_await runOn(side, "scontrol ping", 1);
        if (!ping.ok())
            co_return ping.error();
        if (!ping->out.contains(" is UP")) {
            co_return Error{ErrorKind::Timeout, tr("The scheduler does not respond."),
                tr("Jobs continue. Slipway will try again automatically."), ping->out + ping->err};
        }
    }
    const auto separators = Separators::random();
    const QByteArray question = squeueCommand(separators, expandArrays);
    const auto output = co_await runOn(side, question, 1);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0) {
        Error error = submitError(output->err);
        if (error.kind == ErrorKind::Refused) {
            error.kind = ErrorKind::CommandFailed;
            error.summary =
                tr("squeue failed: %1").arg(lenientText(output->err.trimmed()).left(300));
        }
        error.remedy = tr("Jobs continue. Slipway will try again automatically.");
        co_return error;
    }
    co_return QueueAnswer{output->out, separators};
}

QCoro::Task<std::vector<JobRecord>> askForHistory(
    std::shared_ptr<SlurmContext> side, std::vector<JobId> jobs)
{
    const auto separators = Separators::random();
    const QByteArray question = sacctCommand(separators, jobs);
    const auto output = co_await runOn(side, question, 1);
    if (!output.ok() || output->exitCode != 0)
        co_return std::vector<JobRecord>();
    auto records = parseSacct(output->out, separators);
    if (!records.ok())
        co_return std::vector<JobRecord>();
    co_return records.value();
}

} // namespace slipway
