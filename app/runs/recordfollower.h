// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/keptrecords.h"
#include "app/runs/runflow.h"
#include "remote/cluster/logfollower.h"
#include "remote/shell/gate.h"

#include <QCoroTask>
#include <QTimer>

#include <memory>
#include <vector>

namespace slipway {

/// RecordFollower copies the files that metrics loggers write in the run's folder to this computer
/// while the job runs: it looks for them ever less often, and each is one more file of the site's
/// RunTail, so they need no channel. Numbers beside the log never affect the run: what cannot be
/// read or kept is left out. Lives on the GUI (or main) thread; shared by a RunReader and its
/// active coroutines.
class RecordFollower : public QObject, public std::enable_shared_from_this<RecordFollower> {
    Q_OBJECT

public:
    /// Tests make it short.
    struct Pace {
        std::chrono::milliseconds first{5'000}; ///< before the first look, doubled after each
        std::chrono::milliseconds longest{60'000};
        std::chrono::milliseconds atEnd{10'000}; ///< for the last bytes of all files
        std::chrono::milliseconds rest{5'000}; ///< after `most` bytes within that time
        qint64 most = 16 * 1024 * 1024;
    };
    explicit RecordFollower(RunFlow flow);
    RecordFollower(RunFlow flow, Pace pace);
    ~RecordFollower() override;

    void start();
    /// The connection was lost, or the run has ended.
    void end();
    /// The job has ended: looks once more, and reads each file to its end.
    QCoro::Task<void> readToEnd();

signals:
    void grew();

private:
    QCoro::Task<void> look();
    void follow(const QStringList& names);
    void onBytes(LogFollower* file, const QString& name, const QByteArray& bytes, qint64 offset);
    void leave(LogFollower* file);
    void pauseAll();
    void resume();

    RunFlow m_flow;
    Pace m_pace;
    KeptRecords m_kept;
    std::vector<std::unique_ptr<LogFollower>> m_files;
    QStringList m_known; ///< the names of those, and of those that were given up
    QStringList m_followed; ///< without those
    QTimer m_again;
    QTimer m_rest;
    std::chrono::milliseconds m_next;
    qint64 m_bytes = 0; ///< since the last rest
    QElapsedTimer m_since;
    Gate m_fileEnded;
    bool m_looking = false;
};

} // namespace slipway
