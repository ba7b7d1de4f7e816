// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/cluster/requests.h"

namespace slipway {

// What a run that is a task of a job array shares with the others. Of any other run it is its own.
// Pure.

/// The folder from which its job is submitted.
QString submitFolder(const Run& run);
/// The comment of its job.
QString submitComment(const Run& run);
/// The ID of its job, from that of the submitted one.
JobId jobOfRun(const Run& run, const JobId& submitted);
/// An active job that was found by Slipway's tag, with the comment and the folder of its own run.
Allocation ownAllocation(const Allocation& found);

} // namespace slipway
