// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/explain.h"
#include "app/explain/hintsource.h"
#include "app/runs/localrun.h"
#include "app/runs/pullprogress.h"
#include "app/runs/run.h"
#include "app/runs/runreading.h"
#include "app/runs/runstory.h"

#include <QObject>

#include <memory>

namespace slipway {

class RunStore;

/// RunRecord is the local record of one run and its storage: the value in the store, log and marks
/// in the run's own folder, the timeline. It outlives every connection. Lives on the GUI (or main)
/// thread; shared by its RunHandle, which closes it, and by the active RunDriver.
class RunRecord : public QObject {
    Q_OBJECT

public:
    RunRecord(Run theRun, QString localFolder, RunStore* store, QStringList results);

    /// The program ends: nothing more is written.
    void close() { m_store = nullptr; }

    bool ended() const { return isTerminal(run.phase); }
    bool isInteractive() const { return run.spec.mode == LaunchMode::Interactive; }
    /// The job's comment, by which it is found again.
    QString comment() const { return jobComment(run.tag); }

    void save();
    void say(const QString& sentence);
    void setPhase(RunPhase phase, const QString& sentence);
    /// Updates the timeline and the sentence; emits only changes.
    void updateTimeline();
    /// Reads the marks again from the local copy.
    void readMarks();
    /// Reads what was added to the local copy of the marks at `when`, by the clock here. A job that
    /// writes them runs, although an answer of the scheduler may be a minute old.
    void onNewMarks(const QDateTime& when = QDateTime::currentDateTime());
    bool lastStepEnded() const;
    /// Sets the job ID; true when it is new.
    bool setJobId(const JobId& id);
    /// When the log began; see logBeginning().
    QDateTime logBegan() const;
    /// The scheduler's state of a waiting or running job, and when it was asked.
    void onJob(const Job& reported, const QDateTime& asked = QDateTime::currentDateTime());
    /// A requeued job starts again.
    void restartTimeline();

    /// The user requested a cancel, here or in another program, now or before a restart.
    bool cancelAsked() const;
    Result<void> noteCancelAsked();

    /// It was considered ended but its job is alive.
    void reopen(const JobId& job);
    /// It never became a job: its record is only the reason.
    void giveUp(const Error& error);

    Run run;
    LocalRun local;
    QStringList resultPatterns;
    RunReading reading; ///< of its log
    std::vector<RunStage> planned; ///< the timeline without marks
    std::vector<StepMark> marks;
    RunPulls pulls; ///< of the same rows
    Job job; ///< the last state that Slurm reported
    QString
        logTrouble; ///< why the local log is incomplete, in a sentence; empty: it is being copied
    std::shared_ptr<HintSource> hints;
    ExplainContext explainContext;

signals:
    void changed();
    /// More of the log has arrived, or all of it.
    void logGrew();
    /// More rows of the probe have arrived.
    void reportGrew();

private:
    RunStore* m_store;
    QDateTime m_begun; ///< when the job itself said that it runs; invalid: it has not
};

/// How a run ended, and what is recorded. An interactive run is judged by its steps: its allocation
/// always ends by a cancel or by the time limit.
RunEnd endOfRun(const RunRecord& record, EndFacts facts, const QStringList& stepIds);

/// Why a launch ended without a job.
Error notSubmitted(Error error);

} // namespace slipway
