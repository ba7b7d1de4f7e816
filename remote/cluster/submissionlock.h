// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

// The lock for submissions from a run folder. The folder submit.lock contains one file per attempt,
// 1, 2, …, each created exclusively: the attempt with the newest file may call sbatch or salloc,
// and its process and host are recorded in the file. An attempt is taken over only when that
// process is known to be dead. N.rc is the exit code with which the sbatch of attempt N failed.

/// Shell text: creates the file l of attempt `next` for the shell that runs it; else exits with 75
/// (another attempt has it) or 77 (no space).
QByteArray takeLockText(const QByteArray& next);

/// Shell text that defines the function holder: sets n (the newest attempt, 0: none), p and h (its
/// process and host), a (the age of the lock in seconds) and w (busy, dead, away, closed or free).
QByteArray holderText();

QByteArray submissionStateScript(const QString& folder);
Result<SubmissionState> parseSubmissionState(const QByteArray& output);
QByteArray closeSubmissionScript(const QString& folder, int holders);

/// See Cluster::submissionState() and Cluster::closeSubmission().
QCoro::Task<Result<SubmissionState>> submissionStateOn(
    std::shared_ptr<SlurmContext> side, QString folder);
QCoro::Task<Result<bool>> closeSubmissionOn(
    std::shared_ptr<SlurmContext> side, QString folder, int holders);

} // namespace slipway
