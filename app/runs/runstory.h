// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "app/plan/plan.h"
#include "app/runs/run.h"
#include "remote/cluster/runfolder.h"
#include "remote/slurm/job.h"

#include <QByteArray>

#include <optional>
#include <vector>

namespace slipway {

// The history of a run, derived from the output of the job and the scheduler: functions from value
// to value, without clock, disk or connection.

/// One line of events.ndjson, as slipway.sh writes it in the run folder.
struct StepMark {
    QDateTime time; ///< the node's clock
    QString stage; ///< node, image, check, running
    QString state; ///< begin, done, failed
    QString step;
    int code = 0;
    QString text;
    QString imageDigest = {}; ///< of the image that the step made ready; empty: not known
};

/// The marks of all complete lines; other lines are skipped.
std::vector<StepMark> parseMarks(const QByteArray& ndjson);

/// When the log began, from which its times count: the start of the first attempt, because the log
/// of a requeued job goes on, unless that log was `restarted`. `started`: of the last attempt, if
/// it was seen. Invalid: not known.
QDateTime logBeginning(
    const std::vector<StepMark>& marks, const QDateTime& started, bool restarted);

/// The digest of the image file that the run used: of the image that its recipe names first; if it
/// only builds one, of that one. Empty: not known, or there are several.
QString imageDigestOf(const std::vector<StepMark>& marks);

/// The timeline of a launch before it began: queued, node, each step, results.
std::vector<RunStage> plannedStages(const Plan& plan);
/// The timeline after all marks, from the beginning: marks of an earlier attempt of a requeued job
/// are dropped when its node is marked again.
void applyMarks(std::vector<RunStage>& stages, const std::vector<StepMark>& marks);
RunStage* findStage(std::vector<RunStage>& stages, const QString& id);

/// The sentence for a waiting or running run, from the last state that Slurm reported.
QString liveSentence(const Run& run, const Job& job, const QDateTime& now);

/// What is known when a job has ended.
struct EndFacts {
    std::optional<JobState> state; ///< none: Slurm's final state is unknown
    QString stateText; ///< as printed: "CANCELLED by 1001"
    std::optional<ExitRecord> exit; ///< the job's own record
    std::vector<StepMark> marks;
    bool cancelAsked = false; ///< by the user, in Slipway
    WallTime timeLimit = WallTime::unlimited();
    QByteArray logTail;
    QString lost = {}; ///< which output is lost on the cluster, in a sentence; empty: none
    QString noRecord = {}; ///< why nothing of the job confirms a success; empty: something does
    QString logCut =
        {}; ///< how the log on the cluster lost a part, in a sentence; empty: it is whole
    QString logGap = {}; ///< why the local log is incomplete, in a sentence; empty: it is complete
    NodeReport node = {}; ///< the probe's report
};

struct RunEnd {
    RunPhase phase = RunPhase::Unknown;
    QString sentence;
    std::optional<int> exitCode;
    std::optional<Error> error;
};

/// How a run ended. Success requires a confirmation by the scheduler or by the job, and no
/// contradiction.
RunEnd runEnd(const EndFacts& facts);

/// Completes a timeline: active stages failed, were cancelled or ended with the run, the rest is
/// skipped.
void closeStages(std::vector<RunStage>& stages, RunPhase phase, const QDateTime& when);

/// The last lines of a log that show what went wrong: no empty ones, at most `count`.
QByteArray lastLines(const QByteArray& log, int count);

} // namespace slipway
