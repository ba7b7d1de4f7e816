// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

/// The number of jobs that --times names, 1 without it; none: the error was printed.
std::optional<int> chainLength(Context& context, const LaunchSpec& spec);

/// Submits `count` jobs after a run, each of which continues the one before; the ids of their runs.
QCoro::Task<Result<QStringList>> submitNext(Context& context, QString runId, int count);

} // namespace slipway
