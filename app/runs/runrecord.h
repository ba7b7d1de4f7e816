// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "app/runs/localrun.h"
#include "app/runs/run.h"
#include "app/runs/runstory.h"
#include "plots/metrics/patternspec.h"

#include <QObject>

#include <memory>

namespace slipway {

class RunStore;

/// RunRecord is what this computer knows of one run, and where it is written down: the value in the
/// store, log and marks in the run's own folder, the timeline. It outlives every connection. Lives
/// on the GUI (or main) thread; shared by its RunHandle, which closes it, and by the RunDriver at
/// work.
class RunRecord : public QObject {
    Q_OBJECT

public:
    RunRecord(Run theRun, QString localFolder, RunStore* store, QStringList results);

    /// The program ends: nothing is written any more.
    void close() { m_store = nullptr; }

    bool ended() const { return isTerminal(run.phase); }
    bool isInteractive() const { return run.spec.mode == LaunchMode::Interactive; }
    /// The job's comment, by which it is found again.
    QString comment() const { return u"slipway:" + run.tag; }

    void save();
    void say(const QString& sentence);
    void setPhase(RunPhase phase, const QString& sentence);
    /// The timeline and the sentence from what is known now; tells only what is new.
    void updateTimeline();
    /// The marks are read again from what is kept here.
    void readMarks();
    bool lastStepEnded() const;
    /// The job has this number; true when that is new.
    bool setJobId(const JobId& id);
    /// What the scheduler says of a job that waits or runs.
    void onJob(const Job& said);
    /// A requeued job begins anew.
    void restartTimeline();

    /// The person asked for its end, here or in another program, now or before a restart.
    bool cancelAsked() const;
    Result<void> noteCancelAsked();

    /// It was thought to have ended, and has a job that lives.
    void reopen(const JobId& job);
    /// It never became a job: what was said to that is all there is.
    void giveUp(const Error& error);

    Run run;
    LocalRun local;
    QStringList resultPatterns;
    QStringList recognisers; ///< of the recipe, for its log; empty: all
    std::vector<PatternSpec> patterns; ///< likewise
    std::vector<RunStage> planned; ///< the timeline without marks
    std::vector<StepMark> marks;
    Job job; ///< the scheduler's last word
    QString logTrouble; ///< why the log here is not complete, in a sentence; empty: it comes
    std::shared_ptr<const HintBook> hints;
    ExplainContext explainContext;

signals:
    void changed();
    /// More of the log is here, or all of it.
    void logGrew();
    /// More of what the probe said of the node is here.
    void reportGrew();

private:
    RunStore* m_store;
};

/// How a run ended, and what is kept of it. An interactive one is judged by its steps: its
/// allocation always ends by a cancel or by its time.
RunEnd endOfRun(const RunRecord& record, EndFacts facts, const QStringList& stepIds);

/// Why a launch ended without a job.
Error notSubmitted(Error error);

} // namespace slipway
