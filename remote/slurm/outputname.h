// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

#include <QString>

namespace slipway {

/// The file name that a pattern of sbatch(1) yields for this job: %j, %A, %a, %N (the batch host),
/// %u where `user` is known, widths ("%5j") and "%%". squeue prints the pattern itself while a job
/// is pending. %x (the job name) is left unchanged: a name may point outside the folder.
QString expandedOutput(const QString& pattern, const Job& job, const QString& user = {});

} // namespace slipway
