// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/shell.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <chrono>
#include <memory>

namespace slipway {

/// How far a log was read, and by what the file is known again: its inode, and the bytes at its
/// beginning and just before the offset. A value to keep with the run.
struct LogPosition {
    qint64 offset = 0;
    quint64 inode = 0; ///< 0: not seen yet
    int restarts = 0; ///< the job's restart count when it was read
    QByteArray head; ///< the first bytes, at most 4 KiB
    QByteArray tail; ///< the bytes before the offset, at most 4 KiB

    QByteArray toBytes() const;
    /// A position at 0 when `bytes` is not one.
    static LogPosition fromBytes(const QByteArray& bytes);
};

struct FollowPace {
    std::chrono::milliseconds busy{500}; ///< between looks while the file grows
    std::chrono::milliseconds calm{2'000};
    std::chrono::milliseconds settle{
        1'500}; ///< no growth for so long after the job's end is the end
};

/// LogFollower brings the bytes of one growing remote file here, each exactly once and in order,
/// through one Process. A small loop on the far side opens the file anew for each look (NFS shows
/// growth only then) and sends blocks; a block counts only when the file was still the same after
/// it. A file that was truncated or replaced is noticed and read again from its beginning. Lives on
/// the GUI (or main) thread, owned by the caller; one terminal ended() a start().
class LogFollower : public QObject {
    Q_OBJECT

public:
    LogFollower(std::shared_ptr<Shell> shell, QString path, LogPosition position = {},
        QObject* parent = nullptr);
    ~LogFollower() override;

    void setPace(const FollowPace& pace);
    /// Begins, or goes on from position() after an end. The file may not exist yet.
    void start();
    /// The job has ended: read to the final size, then ended(). A file that never came is no error.
    void finish();
    /// Stops at once; ended() with ErrorKind::Cancelled.
    void cancel();
    /// The scheduler counts a restart: the file is compared with what was read.
    void jobRestarted(int restarts);

    bool isRunning() const;
    /// Everything up to here was given out by bytes().
    const LogPosition& position() const;
    QString path() const;

signals:
    /// `offset` is where `bytes` stand in the file.
    void bytes(const QByteArray& bytes, qint64 offset);
    /// The file is another one, or began again: what follows starts at offset 0.
    void restarted();
    void waitingForFile();
    /// Exactly once a start(): ok when finish() was reached, else why it stopped. After LinkLost a
    /// new follower goes on from position().
    void ended(const slipway::Result<void>& result);

private:
    void attach();
    void take(const QByteArray& bytesOfLoop);
    void takeBlock(qint64 offset, const QByteArray& block);
    void takeRestart();
    void processEnded(const Result<int>& exitCode);
    void tryAgain(const QString& why = {});
    void end(const Result<void>& result);
    void dropProcess();

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace slipway
