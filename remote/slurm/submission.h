// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "remote/slurm/job.h"

#include <QByteArray>

#include <optional>

namespace slipway {

/// The job ID in the output of `sbatch --parsable` (or of a wrapper around sbatch): the last line
/// that is a number, else the last "Submitted batch job N". Banners above are ignored.
std::optional<JobId> parseSubmitted(const QByteArray& output);

/// The progress of an salloc, from its stderr.
struct SallocProgress {
    JobId id; ///< empty: not yet
    bool granted = false;
    bool ready = false; ///< nodes are ready
    bool revoked = false; ///< cancelled while pending, or the time limit was reached
    QString nodeList;
};
SallocProgress parseSalloc(const QByteArray& text);

/// The error for a refusal by sbatch, salloc or srun: the scheduler's text as a sentence, and what
/// to do about it. Of kind Refused; Unsupported where Slurm itself does not work on that machine.
Error submitError(const QByteArray& stderrText);

/// The scheduler did not answer (timeout, no contact): the request may have been accepted
/// nevertheless, so it must not be repeated without a search.
bool isAmbiguousRefusal(const QByteArray& stderrText);

} // namespace slipway
