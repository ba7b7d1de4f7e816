// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explanation.h"
#include "app/plan/launchspec.h"
#include "app/runs/pullstate.h"
#include "app/runs/rundigest.h"
#include "app/runs/runlabels.h"
#include "remote/base/error.h"
#include "remote/slurm/job.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace slipway {

/// The phase of a run, in order. Unknown is an end too: "Ended, result unknown".
enum class RunPhase {
    Preparing, ///< run folder, upload
    Submitting,
    Queued,
    Running,
    Allocated, ///< interactive: all steps have ended, the allocation is kept until released
    Done,
    Failed,
    Cancelled,
    Unknown,
};

bool isTerminal(RunPhase phase);

enum class StageState {
    Pending,
    Running,
    Done,
    Failed,
    Skipped,
    Cancelled, ///< it was running when the job was cancelled
};

/// One part of the timeline: queued, node, image, check, each step, results.
struct RunStage {
    QString id;
    QString title;
    StageState state = StageState::Pending;
    std::optional<QDateTime> begin, end; ///< the cluster's clock
    QString detail; ///< one line: a node's name, a reason, an exit code
};

/// Run is one launch as shown to the user: a value, stored in the RunStore and sent with
/// runChanged().
struct Run {
    QString id; ///< short, for typing: "k3f9"
    QString tag; ///< UUID in the job's comment
    LaunchSpec spec;
    QString title; ///< the recipe's
    QString folder; ///< on the cluster, absolute
    QString logFile; ///< as above; known once the job has an ID
    JobId job;
    int arrayTask = -1; ///< its number in the job array that it was submitted with; -1: in none
    RunPhase phase = RunPhase::Preparing;
    QString sentence; ///< the state in one sentence: why it waits, how it ended
    std::vector<RunStage> stages;
    QString nodeList;
    std::optional<PullState> pull; ///< while an image is pulled; not stored
    QString imageDigest; ///< "sha256:…" of the image file that it used; empty: not known
    /// "sha256:…" of what the image's name stood for in its registry at the launch; empty: not
    /// known. The job may have used a file that was pulled before.
    QString registryDigest;
    QString endState; ///< the last state that Slurm reported, "TIMEOUT"; empty: none
    std::optional<int> exitCode;
    std::optional<Error> error;
    std::vector<Explanation> explanations; ///< once it has ended: what went wrong, if known
    QDateTime created, started, ended;
    qint64 clockAhead = 0; ///< s by which the cluster's clock was ahead of this computer's
    QDateTime asOf; ///< when the cluster last answered about it; of use until it has ended
    RunDigest digest; ///< its curves in a few numbers
    RunLabels labels; ///< in the store, in a column of their own
    qint64 logBytes = 0; ///< size of the local log
    QString fetchedTo;
};

} // namespace slipway
