// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/cluster/logposition.h"
#include "remote/shell/shell.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace slipway {

class RunTail;
struct FollowItem;
struct FollowedFile;

/// LogFollower copies the bytes of one growing remote file, each exactly once and in order. It is
/// one of the files of a RunTail, which reads all of them through one Process. A file that was
/// truncated or replaced is noticed and read again from its beginning. Lives on the GUI (or main)
/// thread, owned by the caller; one final ended() per start().
class LogFollower : public QObject {
    Q_OBJECT

public:
    LogFollower(std::shared_ptr<RunTail> tail, QString path, LogPosition position = {},
        QObject* parent = nullptr);
    /// With a RunTail of its own.
    LogFollower(std::shared_ptr<Shell> shell, QString path, LogPosition position = {},
        QObject* parent = nullptr);
    ~LogFollower() override;

    /// The pace of the RunTail, for all of its files.
    void setPace(const FollowPace& pace);
    /// Starts, or continues from position() after an end. The file may not exist yet.
    void start();
    /// The job has ended: reads to the final size, then emits ended(). A file that never appeared
    /// is not an error; one that was there and is gone is one (ErrorKind::Io). Without growth for
    /// `settle` (default: FollowPace::settle) the size is final; 0 if nothing certainly writes any
    /// more.
    void finish(std::optional<std::chrono::milliseconds> settle = {});
    /// Stops at once; ended() with ErrorKind::Cancelled.
    void cancel();
    /// The scheduler reports a restart: the file is compared with what was read.
    void jobRestarted(int restarts);

    bool isRunning() const;
    /// Everything up to here was emitted by bytes().
    const LogPosition& position() const;
    QString path() const;

signals:
    /// `offset` is the position of `bytes` in the file.
    void bytes(const QByteArray& bytes, qint64 offset);
    /// The file was replaced or restarted: what follows starts at offset 0.
    void restarted();
    void waitingForFile();
    /// Exactly once per start(): ok when finish() was reached, else why it stopped. After LinkLost
    /// a new follower continues from position().
    void ended(const slipway::Result<void>& result);

private:
    friend class RunTail;
    FollowedFile followed() const;
    void take(const FollowItem& item);
    void takeBlock(const FollowItem& item);
    void onRestart();
    void end(const Result<void>& result);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace slipway
