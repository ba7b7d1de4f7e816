// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <chrono>

namespace slipway {

/// How far a log was read, and how the file is recognised: by its inode, and the bytes at its
/// beginning and just before the offset. A value that is stored with the run.
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

/// How often the loop on the cluster polls files; growth that it notices is sent at once.
struct FollowPace {
    std::chrono::milliseconds busy{500}; ///< between polls soon after a file grew
    std::chrono::milliseconds calm{2'000};
    std::chrono::milliseconds least{100}; ///< between polls, however often files grow
    std::chrono::milliseconds settle{
        1'500}; ///< the file is complete after so long without growth after the job's end
};

} // namespace slipway
