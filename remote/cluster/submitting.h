// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

/// One try to submit: prints "known" and the id, or what stands in the way. Exactly one of several
/// tries at the same folder reaches sbatch; see submissionlock.h. `takeOver`: the try, counted from
/// one, that is known to have ended without a job; 0: none.
QByteArray submitScript(const SubmitRequest& request, int takeOver);

/// What submitScript() printed.
struct SubmitAnswer {
    enum class Kind { NoFolder, NoLock, Known, Failed, FailedBefore, Busy, Dead, Away, Closed };
    Kind kind = Kind::NoFolder;
    int holders = 0; ///< how many tries there were
    int exitCode = 0; ///< of sbatch
    QString host; ///< where it is busy
    QByteArray text; ///< the id, or sbatch's words
};
Result<SubmitAnswer> parseSubmitAnswer(const QByteArray& output);

/// Submits at most once; see Cluster::submit().
QCoro::Task<Result<JobId>> submitJob(std::shared_ptr<SlurmContext> side, SubmitRequest request);

/// The job whose comment is `tag`, or, where a site rewrites comments, whose work folder is
/// `folder`. nullopt: the scheduler answered and knows none.
QCoro::Task<Result<std::optional<Allocation>>> findTagged(
    std::shared_ptr<SlurmContext> side, QString tag, QString folder);

} // namespace slipway
