// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// Several launches that are submitted with one sbatch, as the tasks of a job array. Each keeps a
// folder and a job.sh of its own; array.sh starts the one of its task. Pure.

/// The file, in the folder of the array.
inline constexpr char arrayScriptName[] = "array.sh";

/// From so many points on a sweep is one array unless the user wants single jobs.
inline constexpr std::size_t fewestTasks = 5;

/// The folder of a task below that of the array: "points/4".
QString taskFolder(int task);

/// Why these launches cannot be one array, in a sentence; empty: they can. All tasks of an array
/// request the same of Slurm, so the plans may differ in anything else only.
QString arrayObstacle(const std::vector<Plan>& plans, const std::optional<ClusterInfo>& cluster);

/// The exact bytes of array.sh, which is submitted: "{tag}" in it until the plans have tags. At
/// most `atOnce` tasks run at the same time; 0: no limit.
QByteArray renderArrayScript(const std::vector<Plan>& plans, int atOnce);

} // namespace slipway
