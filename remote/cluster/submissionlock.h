// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

// Who may submit from a run folder. The folder submit.lock holds one file a try, 1, 2, …, each made
// only when it does not exist: whoever made the newest may call sbatch or salloc, and its process
// and host stand in it. A try is taken over only when that process is seen to be dead. N.rc beside
// the file N is the exit code with which that try's sbatch refused.

/// Shell text: makes the file l of try `next` for the shell that runs it; else exits with 75
/// (another one has it) or 77 (no space).
QByteArray takeLockText(const QByteArray& next);

/// Shell text that defines the function holder: sets n (the newest try, 0: none), p and h (its
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
