// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

/// One attempt to submit: prints "known" and the ID, or the obstacle. Exactly one of several
/// attempts in the same folder reaches sbatch; see submissionlock.h. `takeOver`: the attempt,
/// counted from one, that is known to have ended without a job; 0: none.
QByteArray submitScript(const SubmitRequest& request, int takeOver);

/// The parsed output of submitScript().
struct SubmitAnswer {
    enum class Kind { NoFolder, NoLock, Known, Failed, FailedBefore, Busy, Dead, Away, Closed };
    Kind kind = Kind::NoFolder;
    int holders = 0; ///< number of attempts
    int exitCode = 0; ///< of sbatch
    QString host; ///< where the attempt is running
    QByteArray text; ///< the ID, or the output of sbatch
};
Result<SubmitAnswer> parseSubmitAnswer(const QByteArray& output);

/// Submits at most once; see Cluster::submit().
QCoro::Task<Result<JobId>> submitJob(std::shared_ptr<SlurmContext> side, SubmitRequest request);

/// The job whose comment is `tag`, or, where a site rewrites comments, whose working folder is
/// `folder`. nullopt: the scheduler answered and has no such job.
QCoro::Task<Result<std::optional<Allocation>>> findTagged(
    std::shared_ptr<SlurmContext> side, QString tag, QString folder);

} // namespace slipway
