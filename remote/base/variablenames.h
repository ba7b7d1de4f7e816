// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// Whether a launch may set an environment variable of this name for a person's program: letters,
/// digits and "_", and none that the shell, the loader, the container runtime, Slurm or the job
/// script itself reads ("PATH", "LD_PRELOAD", "SLURM_JOB_ID").
bool isFreeVariableName(const QString& name);

} // namespace slipway
