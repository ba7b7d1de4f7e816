// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

/// What --sweep asks for. A value.
struct SweepRequest {
    QString key;
    QStringList values;
    int atOnce = 0; ///< so many jobs at the same time, at most; 0: no limit
};

/// KEY=V1,V2,… or “default” for the sweep of the recipe; none: the error was printed.
std::optional<SweepRequest> sweepRequest(Context& context, const LaunchSpec& spec);

/// Submits one job per value, or all of them as one job array, waits for all of them, and prints
/// their numbers in common tables. If a job fails, the others continue; the exit code is then that
/// of the last job that failed.
QCoro::Task<ExitCode> runSweep(Context& context, LaunchSpec spec, SweepRequest request);

} // namespace slipway
