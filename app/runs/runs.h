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
#include "app/runs/shelllines.h"

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

/// Runs is every run of this computer, as both programs see them: launched, listed, followed,
/// ended, fetched. Lives on the GUI (or main) thread; the Engine owns it. Nothing in it blocks:
/// what takes time is a task with exactly one result, and what changes is a signal. The work is in
/// its parts: RunRegistry, RunFeeds, RunNodes, RunAdoption.
class Runs : public QObject {
    Q_OBJECT

public:
    explicit Runs(RunContext context, QObject* parent = nullptr);
    ~Runs() override;

    /// Why the list of runs could not be read, or was set aside.
    const std::vector<Error>& errors() const { return m_errors; }

    /// Pure and quick: what a launch of `spec` would be, with what is known of the cluster.
    /// A site or recipe that does not exist is a problem in the plan.
    Plan plan(const LaunchSpec& spec) const { return m_context.plan(spec); }
    /// Makes the run folder, uploads, submits. The run exists (and is shown) from the start; the
    /// result is its id once the job is accepted. Lint errors refuse. The site must be connected.
    QCoro::Task<Result<QString>> launch(LaunchSpec spec);
    QCoro::Task<Result<void>> cancel(QString runId);
    /// Interactive: gives the allocation back.
    QCoro::Task<Result<void>> release(QString runId);
    /// Copies script, log, events, results and run.json into `folder`/<date>-<recipe>-<id>.
    /// The result is that folder.
    QCoro::Task<Result<QString>> fetch(QString runId, QString folder);

    /// Newest first.
    std::vector<Run> all() const;
    std::optional<Run> run(const QString& id) const;
    /// run() is as new as the cluster's last word: nothing of it is being read or looked for.
    bool isSettled(const QString& id) const;
    /// What was true of a run when it was launched, as it was kept with it.
    LaunchFacts launchFacts(const QString& runId) const;
    /// The script of a run as it was uploaded; of one that never got that far, as it would have
    /// been.
    QByteArray submittedScript(const QString& runId) const;
    /// The exact commands behind a run's actions, for a learner: "sbatch …", "scancel 42".
    QStringList commands(const QString& runId) const;
    /// What a person pastes to get a shell in the nodes that an interactive run keeps.
    ShellLines shellLines(const QString& runId) const;

    /// The live log and the curves of a run; filled from what is kept here, then from the cluster
    /// while connected. Kept as long as the pointer is. Null: there is no such run.
    std::shared_ptr<RunFeed> holdFeed(const QString& runId);
    /// The same for one look: of a run that has ended it may be dropped in a later turn of the
    /// event loop and made again.
    RunFeed* feed(const QString& runId) { return holdFeed(runId).get(); }
    /// What the lanes of a run measured, from the rows that they wrote and else from its curves;
    /// empty where it measured nothing. raceChanged() tells when there is more.
    RaceFile race(const QString& runId) const;
    /// The runs that someone looks at now: while one of them goes on, its site is asked more often.
    void setShownRuns(const QStringList& runIds);
    /// Nobody sees anything of it, the window is minimised: the sites are asked seldom.
    void setHidden(bool hidden);

    /// What slipway-probe said of the run's node, kept here with the run; none: it has said nothing
    /// (yet).
    std::optional<NodeReport> nodeReport(const QString& runId) const;
    /// What the agent in a running job saw, oldest first, of the last hour at most. Empty where no
    /// program watched while an agent ran. Valid until the next turn of the event loop. The feed's
    /// series hold the same as curves.
    const std::vector<NodeSample>& nodeSamples(const QString& runId) const;
    /// Why there are none of a run that is going on, in a sentence; empty: they come, or will.
    QString nodeSamplesTrouble(const QString& runId) const;
    /// Whether running jobs are watched at all; on, unless SLIPWAY_LIVE_SAMPLES is "off". A site
    /// file's live_samples may say no for one site.
    bool liveSamples() const;
    void setLiveSamples(bool on);

signals:
    void runAdded(const QString& runId);
    void runChanged(const QString& runId);
    /// nodeReport() has more rows.
    void nodeReportChanged(const QString& runId);
    /// nodeSamples() has one more, and the feed's series as well.
    void nodeSampled(const QString& runId);
    /// race() has more.
    void raceChanged(const QString& runId);

private:
    void connectParts();
    void onConnected(const QString& siteId);
    void onRunChanged(const QString& runId);
    void tick();
    void updateAttention(const QString& siteId);

    RunContext m_context;
    std::unique_ptr<RunRegistry> m_registry;
    std::unique_ptr<RunNodes> m_nodes;
    std::unique_ptr<RunFeeds> m_feeds;
    std::unique_ptr<RunAdoption> m_adoption;
    std::vector<Error> m_errors;
    bool m_hidden = false;
    QTimer m_timer; ///< looks whether another program wrote the store
    int m_ticks = 0;
};

} // namespace slipway
