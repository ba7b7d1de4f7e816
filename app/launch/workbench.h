// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/democluster.h"
#include "app/launch/launchfacts.h"
#include "app/launch/node/guest.h"
#include "app/launch/node/nodereport.h"
#include "app/launch/node/nodesample.h"
#include "app/launch/plan.h"
#include "app/launch/race/measurement.h"
#include "app/launch/resourceloader.h"
#include "app/launch/run.h"
#include "app/launch/runfeed.h"
#include "app/launch/shelllines.h"
#include "remote/shell/connector.h"

#include <QCoroTask>
#include <QObject>

#include <chrono>
#include <memory>
#include <vector>

namespace slipway {

/// How the line to a site is, for the card in the corner.
struct ConnectionState {
    enum class Phase { Disconnected, Connecting, Connected, Stalled, Lost };
    Phase phase = Phase::Disconnected;
    QString sentence; ///< "connected as demo", "no answer for 20 s"
    std::optional<Error> error;
    QDateTime lastAsked; ///< last answered question to the scheduler
    int callsLastMinute = 0;
    int callsAllowed = 0; ///< a minute; what a timer asks for waits for room
    std::chrono::milliseconds nextIn{0}; ///< until the next question
};

/// Folders that the engine reads and writes; tests point them elsewhere.
struct WorkbenchPaths {
    QString resources; ///< sites/, recipes/, demo-cluster/
    QString config; ///< ~/.config/slipway: own sites/ and recipes/
    QString data; ///< ~/.local/share/slipway: runs.sqlite, runs/<id>/
    static WorkbenchPaths standard();
};

class SiteFinder;

/// Workbench is the engine that both faces of Slipway share: the sites, the recipes, one connection
/// a site, and all runs. Lives on the GUI (or main) thread; each main owns one. Nothing in it blocks:
/// what takes time is a task with exactly one result, and what changes is a signal.
class Workbench : public QObject {
    Q_OBJECT

public:
    /// `connector` must outlive the workbench.
    explicit Workbench(Connector* connector, WorkbenchPaths paths = WorkbenchPaths::standard(),
        QObject* parent = nullptr);
    ~Workbench() override;

    const std::vector<Site>& sites() const;
    const std::vector<Recipe>& recipes() const;
    /// All that was read from the resource folders.
    const Resources& resources() const;
    /// The documents beside them, read now.
    Documents readDocuments() const;
    /// What a race is compared with: data sheets and published results.
    const RaceReferences& raceReferences() const;
    /// Files that could not be read: each names its file, line and field. The rest works.
    const std::vector<Error>& resourceErrors() const;
    const Site* site(const QString& id) const;
    const Recipe* recipe(const QString& id) const;

    /// A finder for a cluster that no site file describes; owned by `parent`, ends before this does.
    SiteFinder* makeFinder(QObject* parent);
    /// Where a site logs in: the running demo cluster's place, or the site's first login.
    QCoro::Task<Result<ConnectTarget>> loginOf(QString siteId);
    /// Keeps a site file of the person's own and takes it in; see saveOwnSite(). The result is its path.
    Result<QString> saveSite(const QString& id, const QByteArray& json, bool overwrite);

    DemoCluster* demoCluster() const;

    /// Logs in. For the demo cluster the login comes from its connection.json. `user` empty: the
    /// site's, ~/.ssh/config's or this computer's user name. A second call while connected is ok at once.
    QCoro::Task<Result<void>> connectSite(QString siteId, Prompter* prompter, QString user = {},
        QString host = {});
    void disconnectSite(const QString& siteId);
    ConnectionState connection(const QString& siteId) const;
    std::optional<ClusterInfo> clusterInfo(const QString& siteId) const;

    /// Pure and quick: what a launch of `spec` would be, with what is known of the cluster.
    /// A site or recipe that does not exist is a problem in the plan.
    Plan plan(const LaunchSpec& spec) const;

    /// Makes the run folder, uploads, submits. The run exists (and is shown) from the start; the
    /// result is its id once the job is accepted. Lint errors refuse. The site must be connected.
    QCoro::Task<Result<QString>> launch(LaunchSpec spec);

    /// The script of a run as it was uploaded; of one that never got that far, as it would have been.
    QByteArray submittedScript(const QString& runId) const;

    /// Newest first.
    std::vector<Run> runs() const;
    std::optional<Run> run(const QString& id) const;
    /// run() is as new as the cluster's last word: nothing of it is being read or looked for.
    bool isSettled(const QString& id) const;
    /// What was true of a run when it was launched, as it was kept with it.
    LaunchFacts launchFacts(const QString& runId) const;
    /// The live log and the curves of a run. Owned by the workbench; made at first use, filled from
    /// what is kept here, then from the cluster while connected. Of a run that has ended it may be
    /// dropped in a later turn of the event loop and made again: who goes on using it, holds it.
    RunFeed* feed(const QString& runId);
    /// The same, kept as long as the pointer is. Null: there is no such run.
    std::shared_ptr<RunFeed> holdFeed(const QString& runId);
    /// The runs that someone looks at now: while one of them goes on, its site is asked more often.
    void setShownRuns(const QStringList& runIds);
    /// Nobody sees anything of it, the window is minimised: the sites are asked seldom.
    void setHidden(bool hidden);
    /// What the lanes of a run measured, from the rows that they wrote and else from its curves; empty
    /// where it measured nothing. raceChanged() tells when there is more.
    RaceFile race(const QString& runId) const;

    /// What slipway-probe said of the run's node, kept here with the run; none: it has said nothing (yet).
    std::optional<NodeReport> nodeReport(const QString& runId) const;
    /// What the agent in a running job saw, oldest first, of the last hour at most. Empty where no
    /// program watched while an agent ran. Valid until the next turn of the event loop. The feed's
    /// series hold the same as curves.
    const std::vector<NodeSample>& nodeSamples(const QString& runId) const;

    /// Why there are none of a run that is going on, in a sentence; empty: they come, or will.
    QString nodeSamplesTrouble(const QString& runId) const;
    /// Whether running jobs are watched at all; on, unless SLIPWAY_LIVE_SAMPLES is "off". A site file's
    /// live_samples may say no for one site.
    bool liveSamples() const;
    void setLiveSamples(bool on);

    /// Everything of Slipway's at a site: files, processes, jobs. The site must be connected.
    QCoro::Task<Result<GuestList>> guests(QString siteId);
    /// Removes what is not in use. The result is what is left of `items`, each with its reason in `detail`.
    QCoro::Task<Result<GuestList>> removeGuests(QString siteId, GuestList items);

    QCoro::Task<Result<void>> cancel(QString runId);
    /// Interactive: gives the allocation back.
    QCoro::Task<Result<void>> release(QString runId);
    /// Copies script, log, events, results and run.json into `folder`/<date>-<recipe>-<id>.
    /// The result is that folder.
    QCoro::Task<Result<QString>> fetch(QString runId, QString folder);
    /// The exact commands behind a run's actions, for a learner: "sbatch …", "scancel 42".
    QStringList commands(const QString& runId) const;
    /// What a person pastes to get a shell in the nodes that an interactive run keeps.
    ShellLines shellLines(const QString& runId) const;

signals:
    /// sites(), recipes() or resourceErrors() changed; pointers into them are void.
    void resourcesChanged();
    void connectionChanged(const QString& siteId);
    void clusterInfoChanged(const QString& siteId);
    void runAdded(const QString& runId);
    void runChanged(const QString& runId);
    /// nodeReport() has more rows.
    void nodeReportChanged(const QString& runId);
    /// nodeSamples() has one more, and the feed's series as well.
    void nodeSampled(const QString& runId);
    /// race() has more.
    void raceChanged(const QString& runId);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace slipway
