// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logsource.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// Which lines of a log are wanted. Of what is too large, those around `keep` are read.
struct LogBlockRequest {
    qint64 from = 1;
    qint64 to = 1;
    qint64 keep = 1; ///< a line that has to be among them
};

/// A part of a log, away from its end: lines as the feed has them. A value.
struct LogBlock {
    QStringList lines;
    std::vector<qint64> numbers; ///< of the lines; a divider has that of the line before it
    QString trouble; ///< why the file could not be read; empty: it could

    static constexpr qint64 mostBytes = 16 * 1024 * 1024; ///< of text
};

/// Reads lines from the local copy of a log. `start` is a place at or before request.from. Blocks:
/// for a thread of the pool.
LogBlock readLogBlock(const LogSource& source, LogPlace start, const LogBlockRequest& request);

/// The line that separates the attempts of a job that was requeued; `attempt` is counted from 2.
QString restartDivider(size_t attempt);

} // namespace slipway
