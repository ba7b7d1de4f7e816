// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <chrono>

namespace slipway {

/// How far a log was read, and by what the file is known again: its inode, and the bytes at its
/// beginning and just before the offset. A value to keep with the run.
struct LogPosition {
    qint64 offset = 0;
    quint64 inode = 0; ///< 0: not seen yet
    int restarts = 0; ///< the job's restart count when it was read
    QByteArray head; ///< the first bytes, at most 4 KiB
    QByteArray tail; ///< the bytes before the offset, at most 4 KiB
};

/// How often the far side looks at files by itself; growth that it notices comes at once.
struct FollowPace {
    std::chrono::milliseconds busy{500}; ///< between looks soon after a file grew
    std::chrono::milliseconds calm{2'000};
    std::chrono::milliseconds least{100}; ///< between looks, however often files grow
    std::chrono::milliseconds settle{
        1'500}; ///< no growth for so long after the job's end is the end
};

} // namespace slipway
