// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace slipway {

/// A batch job to submit. The script is already in the folder.
struct SubmitRequest {
    QString folder; ///< the run folder on the cluster, absolute
    QString scriptName = QStringLiteral("job.sh");
    QString tag; ///< the job's comment, "slipway:<uuid>": identifies it after a lost connection
};

/// The progress of a submission, derived from the content of its folder. Of all attempts in one
/// folder exactly one may call sbatch or salloc: the one that created the newest numbered file
/// below submit.lock.
struct SubmissionState {
    enum class Kind {
        NoFolder, ///< the run folder no longer exists
        None, ///< nothing was begun
        UnderWay, ///< sbatch or salloc is running, or may be
        Elsewhere, ///< as above, on another login node, whose processes are not visible from here
        Dead, ///< it ended without a result: only the scheduler knows
        Refused, ///< it ended with an error: `text`
        Known, ///< `job`
        Closed, ///< closed permanently: nothing can be submitted from this folder any more
    };
    Kind kind = Kind::None;
    JobId job;
    int holders = 0; ///< number of attempts
    qint64 age = 0; ///< age of the last attempt, in seconds
    QString host; ///< where it was started
    QByteArray text; ///< what sbatch or salloc printed
};

/// An allocation request.
struct AllocateRequest {
    QString folder;
    QStringList options; ///< of allocationOptions()
    QString tag;
    bool byBatchJob =
        false; ///< as idev does where salloc is not available to users: a batch job that only waits
};

struct Allocation {
    JobId id;
    QString nodeList; ///< may be empty: see the watcher
    JobState state = JobState::Unknown; ///< set by orphans()
    QString comment;
    QString folder; ///< the work folder
};

/// A script to run inside an allocation, detached from this connection.
struct StepRequest {
    QString folder;
    JobId job;
    QString stepFile; ///< relative to the folder: "steps/01-image.sh"
    QString logFile; ///< relative to the folder: stdout and stderr are appended to it
    QString name; ///< job step name, [A-Za-z0-9._-]{1,64}
    QByteArray
        sha256; ///< of the step's file, in hexadecimal; a file with another hash is not started
    QStringList options = {QStringLiteral("--overlap"), QStringLiteral("--nodes=1"),
        QStringLiteral("--ntasks=1")}; ///< of srun, "--option=value"
};

/// The state of a step.
struct StepState {
    bool started = false;
    bool ended = false;
    std::optional<int> exitCode; ///< none although ended: its srun ended without an exit code
};

} // namespace slipway
