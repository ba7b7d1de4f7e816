// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace slipway {

/// A batch job to submit. The script is in the folder already.
struct SubmitRequest {
    QString folder; ///< the run folder on the cluster, absolute
    QString scriptName = QStringLiteral("job.sh");
    QString tag; ///< the job's comment, "slipway:<uuid>": finds it again after a cut link
};

/// How far a submission has come, told by what its folder holds. Of all tries at one folder exactly
/// one may call sbatch or salloc: the one that made the newest file below submit.lock, named by a
/// number that counts them.
struct SubmissionState {
    enum class Kind {
        NoFolder, ///< the run folder is gone
        None, ///< nothing was begun
        UnderWay, ///< sbatch or salloc runs, or may
        Elsewhere, ///< likewise, on another login node, whose processes are not seen from here
        Dead, ///< it ended without a word: the scheduler alone knows
        Refused, ///< it ended with an error: `text`
        Known, ///< `job`
        Closed, ///< given up for good: nothing can be submitted from this folder any more
    };
    Kind kind = Kind::None;
    JobId job;
    int holders = 0; ///< how many tries there were
    qint64 age = 0; ///< of the last one, in seconds
    QString host; ///< where it was made
    QByteArray text; ///< what sbatch or salloc printed
};

/// An allocation to ask for.
struct AllocateRequest {
    QString folder;
    QStringList options; ///< of allocationOptions()
    QString tag;
    bool byBatchJob =
        false; ///< as idev does where salloc is not for people: a batch job that only waits
};

struct Allocation {
    JobId id;
    QString nodeList; ///< may be empty: ask the watcher
    JobState state = JobState::Unknown; ///< known when it comes from orphans()
    QString comment;
    QString folder; ///< the work folder
};

/// A script to run inside an allocation, detached from this connection.
struct StepRequest {
    QString folder;
    JobId job;
    QString stepFile; ///< relative to the folder: "steps/01-image.sh"
    QString logFile; ///< relative to the folder: both outputs are appended to it
    QString name; ///< job step name, [A-Za-z0-9._-]{1,64}
    QByteArray sha256; ///< of the step's file, in hexadecimal; any other file is not started
    QStringList options = {QStringLiteral("--overlap"), QStringLiteral("--nodes=1"),
        QStringLiteral("--ntasks=1")}; ///< of srun, "--option=value"
};

/// How far a step is.
struct StepState {
    bool started = false;
    bool ended = false;
    std::optional<int> exitCode; ///< none although ended: its srun died without a word
};

} // namespace slipway
