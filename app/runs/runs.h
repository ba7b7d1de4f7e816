// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/measurement.h"
#include "app/node/nodereport.h"
#include "app/node/nodesample.h"
#include "app/plan/launchfacts.h"
#include "app/runs/run.h"
#include "app/runs/runcontext.h"
#include "app/runs/runfeed.h"
#include "app/runs/runfiles.h"
#include "app/runs/shelllines.h"
#include "app/sessions/sessions.h"

#include <QCoroTask>
#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace slipway {

class RunAdoption;
class RunFeeds;
class RunNodes;
class RunRegistry;

/// Runs gives both programs access to every run of this computer: launch, list, follow, end, fetch.
/// Lives on the GUI (or main) thread; the Engine owns it. Nothing in it blocks: long operations are
/// tasks with exactly one result, and changes are signals. Its many functions are one job, the door
/// to its parts, which do the work: RunRegistry, RunFeeds, RunNodes, RunAdoption.
class Runs : public QObject {
    Q_OBJECT

public:
    explicit Runs(RunContext context, QObject* parent = nullptr);
    ~Runs() override;

    /// Why the list of runs could not be read, or was renamed.
    const std::vector<Error>& errors() const { return m_errors; }

    /// The plan of a launch of `spec`, with the known facts of the cluster; quick.
    /// A site or recipe that does not exist is a problem in the plan.
    Plan plan(const LaunchSpec& spec) const { return m_context.plan(spec); }
    /// Creates the run folder, uploads, submits. The run exists (and is shown) from the start; the
    /// result is its id once the job is accepted. Refused if lint reports errors, or if data is
    /// missing on the cluster; then there is no run. The site must be connected.
    QCoro::Task<Result<QString>> launch(LaunchSpec spec);
    /// The same for several runs of one sweep, as the tasks of one job array.
    QCoro::Task<Result<QStringList>> launchArray(std::vector<LaunchSpec> specs);
    QCoro::Task<Result<void>> cancel(QString runId);
    /// Interactive: releases the allocation.
    QCoro::Task<Result<void>> release(QString runId);
    /// Copies script, log, events, results and run.json into `folder`/<date>-<recipe>-<id>.
    /// The result is that folder. A fetch that loses its connection goes on over the next one, as
    /// long as `mayWait` says yes; without it, also where a person has to log in first.
    QCoro::Task<Result<QString>> fetch(
        QString runId, QString folder, Sessions::MayWait mayWait = {});
    /// The user's own name, tags and notes; an error says what cannot be stored.
    Result<void> setLabels(const QString& runId, const RunLabels& labels);
    /// Reads the log of a run as this recipe says, what is here of it too; remembered with the run.
    Result<void> readWith(const QString& runId, const QString& recipeId);
    RunReading reading(const QString& runId) const;

    /// The files of a run, here and on the cluster while connected; none: there is no such run.
    std::optional<RunFiles> files(const QString& runId) const;

    /// Newest first.
    std::vector<Run> all() const;
    /// The number of runs that have not ended.
    int activeCount() const;
    std::optional<Run> run(const QString& id) const;
    /// Whether run() is as new as the last answer of the cluster: nothing is being read or searched
    /// for.
    bool isSettled(const QString& id) const;
    /// The stored facts of a run's launch.
    LaunchFacts launchFacts(const QString& runId) const;
    /// The script of a run as it was uploaded; of a run that was never uploaded, as it would have
    /// been.
    QByteArray submittedScript(const QString& runId) const;
    /// The exact commands behind a run's actions, for a learner: "sbatch …", "scancel 42".
    QStringList commands(const QString& runId) const;
    /// The commands for a shell on the nodes that an interactive run keeps.
    ShellLines shellLines(const QString& runId) const;

    /// The live log and the curves of a run; filled from the local copy, then from the cluster
    /// while connected. Kept as long as the pointer is held. Null: there is no such run.
    std::shared_ptr<RunFeed> holdFeed(const QString& runId);
    /// The same for short use: the feed of an ended run may be dropped in a later turn of the event
    /// loop and created again.
    RunFeed* feed(const QString& runId) { return holdFeed(runId).get(); }
    /// The measurements of a run's lanes, from the rows that they wrote or else from its curves;
    /// empty if there are none. raceChanged() is emitted when there are more.
    RaceFile race(const QString& runId) const;
    /// The runs that are displayed now: while one of them is running, its site is polled more
    /// often.
    void setShownRuns(const QStringList& runIds);
    /// The window is minimised: the sites are polled rarely.
    void setHidden(bool hidden);

    /// The report of slipway-probe on the run's node, stored with the run; none: no report (yet).
    std::optional<NodeReport> nodeReport(const QString& runId) const;
    /// The samples of the agent in a running job, oldest first, of the last hour at most. Empty if
    /// no program was connected while an agent ran. Valid until the next turn of the event loop.
    /// The feed's series contain the same data as curves.
    const std::vector<NodeSample>& nodeSamples(const QString& runId) const;
    /// Why a running run has none, in a sentence; empty: samples arrive or are expected.
    QString nodeSamplesTrouble(const QString& runId) const;
    /// Whether running jobs are sampled at all; on, unless SLIPWAY_LIVE_SAMPLES is "off". A site
    /// file can switch it off for one site with live_samples.
    void setLiveSamples(bool on);

signals:
    void runAdded(const QString& runId);
    void runChanged(const QString& runId);
    /// Its log is read otherwise from now on: its curves come again, in other charts perhaps.
    void readingChanged(const QString& runId);
    /// nodeReport() has more rows.
    void nodeReportChanged(const QString& runId);
    /// nodeSamples() has one more, and the feed's series as well.
    void nodeSampled(const QString& runId);
    /// No more samples come for now; nodeSamplesTrouble() says why.
    void nodeSamplesTroubled(const QString& runId);
    /// race() has more.
    void raceChanged(const QString& runId);

private:
    void connectParts();
    void updateAttention(const QString& siteId);

    RunContext m_context;
    std::unique_ptr<RunRegistry> m_registry;
    std::unique_ptr<RunNodes> m_nodes;
    std::unique_ptr<RunFeeds> m_feeds;
    std::unique_ptr<RunAdoption> m_adoption;
    std::vector<Error> m_errors;
    bool m_hidden = false;
    QTimer m_timer; ///< checks whether another program wrote the store
    int m_ticks = 0;
};

} // namespace slipway
