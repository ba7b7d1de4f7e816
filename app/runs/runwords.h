// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

namespace slipway {

// How a run is called and told apart from others, the same in the window and in the terminal. Pure.

/// The user's name for it, else the recipe's title.
QString runName(const Run& run);

/// The command, or the fields that differ from the recipe's defaults: "lr 3e-4, batch size 64". The
/// resources of the job come last. Empty: all defaults.
QString runSettings(const Run& run);

/// Why it failed, in a few words; empty if it did not.
QString failureWords(const Run& run);

/// The last value of the main curve: "train loss 0.412"; empty: no numbers.
QString lastMetric(const Run& run);

/// What the cluster's clock shows at `here`, a time of this computer's clock: with this the times
/// that the cluster reported are compared.
QDateTime clusterTime(const Run& run, const QDateTime& here);

/// How long it has been running at `now`, or ran; none: it has not started.
std::optional<std::chrono::seconds> runDuration(const Run& run, const QDateTime& now);

} // namespace slipway
