// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <vector>

namespace slipway {

/// The local copy of a log, for whoever reads it beside the feed. A value.
struct LogSource {
    QString file; ///< empty: there is none
    std::vector<qint64> restarts; ///< the offsets at which the log was restarted
    bool ended = false; ///< it grows no more: a last line without a newline is whole

    bool operator==(const LogSource&) const = default;
};

/// A line that may begin a stage: slipway.sh prints "== " and its title.
struct LogHeader {
    qint64 line = 1;
    QString title;

    bool operator==(const LogHeader&) const = default;
};

/// Where a line begins in the file. Lines are counted from 1.
struct LogPlace {
    qint64 line = 1;
    qint64 offset = 0;
};

} // namespace slipway
