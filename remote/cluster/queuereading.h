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

// The calls of JobWatcher, and the parsing of answers. Parsing is pure: a worker thread may do it.

struct QueueAnswer {
    QByteArray output;
    Separators separators;
};

/// A parsed answer and the resulting ledger. A value.
struct QueueReading {
    std::optional<Error> error; ///< the rest is empty then
    std::size_t rows = 0;
    int odd = 0; ///< rows that could not be read
    JobLedger ledger;
    std::vector<JobEvent> events;
    std::shared_ptr<const JobLedger> before; ///< the previous ledger, to be freed with the rest
};

QueueReading readQueue(const QueueAnswer& answer, const JobLedger& ledger, const QDateTime& asked);

/// One call to the scheduler; while it does not respond, first a ping, which does not wait 9 s for
/// a controller that is down, as squeue does.
QCoro::Task<Result<QueueAnswer>> askForJobs(
    std::shared_ptr<SlurmContext> side, bool pingFirst, bool expandArrays);

/// Accounting rows for jobs that squeue no longer lists. An error yields no rows: nothing is known
/// then.
QCoro::Task<std::vector<JobRecord>> askForHistory(
    std::shared_ptr<SlurmContext> side, std::vector<JobId> jobs);

} // namespace slipway
