// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/logsource.h"
#include "plots/metrics/patternspec.h"
#include "plots/metrics/sample.h"

#include <atomic>
#include <vector>

namespace slipway {

/// What one pattern finds in a whole log. A value.
struct TaughtReading {
    qint64 lines = 0; ///< of the log
    qint64 values = 0; ///< that were found
    std::vector<Sample> samples; ///< of them, at most the first 100,000
    QString trouble; ///< why the log could not be read, or the pattern was given up; empty: it was
};

/// Reads the local copy of a log with that pattern alone. Ends early once `isStopped`. Blocks; for
/// a worker thread.
TaughtReading readTaught(
    const LogSource& source, const PatternSpec& pattern, const std::atomic_bool& isStopped);

} // namespace slipway
