// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

#include <QString>

namespace slipway {

/// Reads a state as any Slurm command writes it: compact ("PD", "OOM"), long ("PENDING"), with a
/// suffix ("CANCELLED by 1001", "CANCELLED+") or with flags ("RUNNING+COMPLETING"). An unknown
/// state is JobState::Unknown, which is not an end.
JobState jobState(const QString& text);

/// How final a state is. MayReturn is an end only if the job's restart count does not rise after
/// it: a preempted job, or one whose node failed, is often queued again under the same number.
enum class Finality { Live, MayReturn, Final };
Finality finality(JobState state);

/// Final without a doubt.
bool isTerminal(JobState state);
/// It holds nodes now.
bool holdsNodes(JobState state);
/// It is in the queue, or will be again.
bool isWaiting(JobState state);

/// The state in a word or two for display: "queued", "running", "out of memory".
QString jobStateText(JobState state);

} // namespace slipway
