// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/jobledger.h"
#include "remote/slurm/records.h"

#include <QCoroTask>

#include <memory>
#include <optional>
#include <vector>

namespace slipway {

struct SlurmContext;

// What JobWatcher asks, and how an answer is read. Reading is pure: a worker thread may do it.

struct QueueAnswer {
    QByteArray output;
    Separators separators;
};

/// What an answer says, and what it made of the ledger. A value.
struct QueueReading {
    std::optional<Error> error; ///< the rest is empty then
    std::size_t rows = 0;
    int odd = 0; ///< rows that could not be read
    JobLedger ledger;
    std::vector<JobEvent> events;
    std::shared_ptr<const JobLedger> before; ///< what it was read against, to end with the rest
};

QueueReading readQueue(const QueueAnswer& answer, const JobLedger& ledger, const QDateTime& asked);

/// One question to the scheduler; while it does not answer, first a ping, which does not wait 9 s
/// for a controller that is down as squeue does.
QCoro::Task<Result<QueueAnswer>> askForJobs(
    std::shared_ptr<SlurmContext> side, bool pingFirst, bool expandArrays);

/// Rows of accounting for jobs that squeue has forgotten. No answer is no rows: nothing is known
/// then.
QCoro::Task<std::vector<JobRecord>> askForHistory(
    std::shared_ptr<SlurmContext> side, std::vector<JobId> jobs);

} // namespace slipway
