// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/recordfollower.h"
#include "app/runs/runflow.h"
#include "remote/cluster/logfollower.h"
#include "remote/cluster/runfolder.h"
#include "remote/shell/gate.h"

#include <QCoroTask>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace slipway {

/// RunReader copies what a job writes into its run folder to this computer: its log, its marks, the
/// rows of the probe. Each continues where the local copy ends, and a full local disk only makes it
/// pause. Lives on the GUI (or main) thread, shared by a RunDriver and its active coroutines; it
/// ends with the connection.
class RunReader : public QObject, public std::enable_shared_from_this<RunReader> {
    Q_OBJECT

public:
    explicit RunReader(RunFlow flow);
    ~RunReader() override;

    /// The job is known: from now on everything is copied as it is written.
    void start();
    /// The connection was lost, or the run has ended. Waiting tasks are resumed.
    void end();
    void jobRestarted(int restarts);

    /// Reads the log to its end. An error says why the local copy is incomplete.
    QCoro::Task<Result<void>> readLogToEnd();
    /// Reads the files beside the log to their ends, as far as they come in a limited time.
    QCoro::Task<void> readRecordsToEnd();
    /// The marks that the job wrote since the last call.
    QCoro::Task<Result<void>> readMarks();
    QCoro::Task<Result<void>> readReport();

signals:
    /// There are more marks.
    void marksCame();
    /// The job has written its exit record.
    void noteCame();

private:
    void follow();
    void watch(const QString& name, const std::function<void()>& changed);
    void onLogBytes(const QByteArray& bytes, qint64 offset);
    void followTimes();
    void onLogEnd(const Result<void>& result);
    void openLogEnded();
    void leaveLog();
    void pauseLog(const Error& why);
    void dropFollower();
    static void drop(std::unique_ptr<LogFollower>& file);

    RunFlow m_flow;
    std::shared_ptr<RunRecord> m_record;
    RunFolder m_folder;
    std::unique_ptr<LogFollower> m_follower;
    std::unique_ptr<LogFollower> m_times; ///< of the log
    std::shared_ptr<RecordFollower> m_records; ///< what metrics loggers write beside it
    std::vector<std::unique_ptr<LogFollower>>
        m_watched; ///< small files that are watched for changes
    QTimer m_again; ///< the pause after an error of the log
    std::chrono::milliseconds m_pause;
    std::optional<Error> m_logTrouble; ///< why the log cannot be copied at the moment
    Gate m_logEnded;
    Gate m_marksRead;
    bool m_readingMarks = false;
    bool m_finishing = false;
    bool m_noted = false; ///< the job wrote its exit record, so it writes nothing more
};

} // namespace slipway
