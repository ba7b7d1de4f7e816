// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

namespace slipway {

// A job array that Slipway submitted: each of its tasks is a run. All tasks have one comment, so
// the tag in it says that it is one: "<uuid>-array". The tag of a task's run is "<uuid>-array-4".

/// The tag of an array, from a UUID.
QString arrayTag(const QString& uuid);
/// Whether a tag, or a comment that ends with one, is that of an array.
bool isArrayTag(const QString& tag);
/// The tag of a task's run.
QString taskTag(const QString& arrayTag, int task);
/// The tag of the array in the tag of a task's run.
QString arrayTagOf(const QString& taskTag);

/// "123" of "123_4", "123_[5-8]" and "123".
JobId arrayOf(const JobId& job);
/// 4 of "123_4"; -1: it is not one task.
int taskOf(const JobId& job);
/// "123_4"
JobId taskId(const JobId& array, int task);

} // namespace slipway
