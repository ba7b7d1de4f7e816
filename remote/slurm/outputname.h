// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

#include <QString>

namespace slipway {

/// What a file name pattern of sbatch(1) became for this job: %j, %A, %a, %N (the batch host), %u
/// where `user` is known, widths ("%5j") and "%%". squeue gives the pattern itself while a job is
/// pending. %x (the job's name) is left as it is: a name may climb out of the folder.
QString expandedOutput(const QString& pattern, const Job& job, const QString& user = {});

} // namespace slipway
