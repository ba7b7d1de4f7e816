// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

/// What --sweep asks for. A value.
struct SweepRequest {
    QString key;
    QStringList values;
};

/// KEY=V1,V2,… or, as the switch alone, the recipe's own sweep; none: the error was printed.
std::optional<SweepRequest> sweepRequest(Context& context, const LaunchSpec& spec);

/// Submits one job a value, waits for all of them, and prints their numbers in common tables. A job
/// that fails leaves the others running; the exit code is the worst.
QCoro::Task<ExitCode> runSweep(Context& context, LaunchSpec spec, SweepRequest request);

} // namespace slipway
