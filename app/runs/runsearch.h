// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runflow.h"

namespace slipway {

/// Searches for the job of a run whose submission was interrupted, until it is found or certainly
/// does not exist; the run shows the progress. An error ends the run, except for connectionGone().
QCoro::Task<Result<JobId>> findJob(RunFlow flow);

} // namespace slipway
