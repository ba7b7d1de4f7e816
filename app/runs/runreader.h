// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

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

/// RunReader brings here what a job writes into its run folder: its log, its marks, the rows of the
/// probe. Each goes on where the copy here ends, and a disk here that is full only makes it pause.
/// Lives on the GUI (or main) thread, shared by a RunDriver and the coroutines under way; it ends
/// with the connection.
class RunReader : public QObject, public std::enable_shared_from_this<RunReader> {
    Q_OBJECT

public:
    explicit RunReader(RunFlow flow);
    ~RunReader() override;

    /// The job is known: from now on everything is brought here as it is written.
    void start();
    /// The connection is gone, or the run has ended. Who waits goes on.
    void end();
    void jobRestarted(int restarts);

    /// Reads the log to its end. An error that says why the copy here is not whole.
    QCoro::Task<Result<void>> readLogToEnd();
    /// What the job noted since the last look.
    QCoro::Task<Result<void>> readMarks();
    QCoro::Task<Result<void>> readReport();

signals:
    /// There are more marks.
    void marksCame();
    /// The job has written the note of its end.
    void noteCame();

private:
    void follow();
    void watch(const QString& name, const std::function<void()>& changed);
    void onLogBytes(const QByteArray& bytes, qint64 offset);
    void onLogEnd(const Result<void>& result);
    void leaveLog();
    void pauseLog(const Error& why);
    void dropFollower();

    RunFlow m_flow;
    std::shared_ptr<RunRecord> m_record;
    RunFolder m_folder;
    std::unique_ptr<LogFollower> m_follower;
    std::vector<std::unique_ptr<LogFollower>> m_watched; ///< small files; a change is looked at
    QTimer m_again; ///< the pause after an error of the log
    std::chrono::milliseconds m_pause;
    std::optional<Error> m_logTrouble; ///< why the log does not come just now
    Gate m_logEnded;
    Gate m_marksRead;
    bool m_readingMarks = false;
    bool m_finishing = false;
    bool m_noted = false; ///< the job wrote its end, so it writes no more
};

} // namespace slipway
