// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

#include <QDateTime>
#include <QString>

namespace slipway {

/// Why a job waits, or how it ended, in one sentence, from squeue's reason; with the estimated
/// start where Slurm has one. Reasons that are not in the table are shown unchanged. `now` is this
/// computer's clock; the estimate is printed in its time zone.
QString reasonSentence(const Job& job, const QDateTime& now);

/// The sentence for a reason alone ("QOSMaxJobsPerUserLimit"), without details of the job.
QString reasonSentence(const QString& reason);

/// False for "None", "" and "N/A": the scheduler gave no reason.
bool isReason(const QString& reason);

} // namespace slipway
