// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runflow.h"

namespace slipway {

/// Looks for the job of a run whose submission was interrupted, until it is found or certain that
/// there is none; the run says meanwhile how far that is. An error is the end of the run, but for
/// connectionGone().
QCoro::Task<Result<JobId>> findJob(RunFlow flow);

} // namespace slipway
