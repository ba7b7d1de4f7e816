// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/logpass.h"
#include "app/runs/recordfeed.h"
#include "app/runs/runflow.h"
#include "app/runs/runreader.h"
#include "app/runs/sampletimes.h"
#include "plots/metrics/seriesstore.h"

#include <QCoroTask>

#include <memory>

namespace slipway {

/// RunNumbers gathers what the curves of a run came to, once its job has ended: those of its log,
/// then those of the files that metrics loggers wrote beside it, of which the last bytes arrive
/// after the end is shown. Lives on the GUI (or main) thread; shared by the tasks that end the run.
class RunNumbers {
public:
    explicit RunNumbers(std::shared_ptr<RunRecord> record);

    /// `lastAttempt`: they belong to the attempt whose times the job noted.
    void addPrinted(std::vector<Sample> samples, bool lastAttempt);
    /// The log begins again here: a requeued job begins its curves again.
    void restart(qint64 offset);
    /// The whole log was read.
    void setLogBytes(qint64 bytes) { m_logBytes = bytes; }
    bool isLogRead() const { return m_logBytes >= 0; }

    /// Reads one slice of the files here. True: nothing is left.
    bool readRecords();
    /// They are complete.
    void finishRecords();
    /// Numbers came since keepNumbers().
    bool isFresh() const { return m_fresh; }

private:
    friend QCoro::Task<void> keepNumbers(RunFlow flow, std::shared_ptr<RunNumbers> numbers);

    std::shared_ptr<RunRecord> m_record;
    std::shared_ptr<SeriesStore> m_series; ///< a worker reads it
    DigestBuilder m_digest;
    SampleTimes m_times;
    RecordFeed m_records;
    qint64 m_logBytes = -1;
    bool m_fresh = false;
};

/// Reads the whole log that is here, one slice per turn of the event loop.
QCoro::Task<void> readPrinted(
    RunFlow flow, std::shared_ptr<LogPass> pass, std::shared_ptr<RunNumbers> numbers);

/// Reads the files that are here, one slice per turn of the event loop, and keeps the summary and
/// the digest with the run.
QCoro::Task<void> keepNumbers(RunFlow flow, std::shared_ptr<RunNumbers> numbers);

/// The run's end is shown: brings the last bytes of the files, for a limited time, and keeps what
/// they add.
QCoro::Task<void> keepLastNumbers(
    RunFlow flow, std::shared_ptr<RunReader> reader, std::shared_ptr<RunNumbers> numbers);

/// The log of a run that has ended is now read otherwise: keeps what its curves come to.
QCoro::Task<void> renewNumbers(RunFlow flow);

} // namespace slipway
