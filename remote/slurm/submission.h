// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "remote/slurm/job.h"

#include <QByteArray>

#include <optional>

namespace slipway {

/// The number in what `sbatch --parsable` (or a wrapper around sbatch) printed: the last line that
/// is a number, else the last "Submitted batch job N". Banners above are ignored.
std::optional<JobId> parseSubmitted(const QByteArray& output);

/// How far an salloc has come, from its stderr.
struct SallocProgress {
    JobId id; ///< empty: not yet
    bool granted = false;
    bool ready = false; ///< nodes are ready
    bool revoked = false; ///< cancelled while pending, or the time is over
    QString nodeList;
};
SallocProgress parseSalloc(const QByteArray& text);

/// What sbatch, salloc or srun said when it refused: the scheduler's text as a sentence, and what
/// to do about it. Of kind Refused; Unsupported where Slurm itself does not work on that machine.
Error submitError(const QByteArray& stderrText);

/// The scheduler gave no answer (timeout, no contact): the request may have been accepted all the
/// same, so it must not be repeated before it was looked for.
bool isAmbiguousRefusal(const QByteArray& stderrText);

} // namespace slipway
