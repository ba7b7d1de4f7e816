// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/demolines.h"
#include "app/launch/filefeed.h"
#include "app/launch/launch.h"
#include "app/launch/node/nodewatch.h"
#include "app/launch/resourceloader.h"
#include "app/launch/runstore.h"
#include "app/launch/sitelink.h"
#include "app/launch/workbench.h"

#include <QHash>
#include <QPointer>
#include <QTimer>

#include <memory>

namespace slipway {

/// What the Workbench owns, and how its parts talk. workbench.cpp is the façade, workbenchruns.cpp
/// keeps the runs: made, found again, adopted, told of by another program; workbenchnodes.cpp speaks of
/// the nodes that runs are on.
struct Workbench::Private {
    Private(Workbench* workbench, Connector* connector, WorkbenchPaths paths);
    ~Private();

    SiteLink* link(const QString& siteId);
    SiteLink* connectedLink(const QString& siteId) const; ///< null: not connected
    Site* site(const QString& id);
    QCoro::Task<Result<ConnectTarget>> target(QString siteId, QString user, QString host);
    Result<DemoConnection> readDemo();
    bool takeDressing(const Dressing& now, Site* demoSite);
    std::optional<Site> playedSite(const Dressing& now) const;
    void takeConnected(const QString& siteId);

    void addRun(const Run& run); ///< with a Launch, unless it has ended
    Launch* addLaunch(const Run& run);
    /// Made again where a run has ended and its Launch was dropped; null: there is no such run.
    Launch* launchOf(const QString& runId);
    std::optional<Run> runOf(const QString& runId) const;
    void touch(const QString& runId) const; ///< its feed or samples were used
    bool isIdle(const QString& runId) const;
    void dropIdle();
    Result<Run> newRun(const Plan& plan);
    QString freeId() const;
    QString localFolder(const QString& runId) const { return paths.data + u"/runs/" + runId; }
    /// Where a site's login goes: what is connected, else the first login of its file.
    ConnectTarget targetOf(const QString& siteId) const;
    void openStore();
    void reload(); ///< the store was changed by another program
    void attachRuns(const QString& siteId);
    QCoro::Task<void> adoptOrphans(QString siteId);
    void takeLiveJob(Launch* launch, const Allocation& found);
    void adopt(const QString& siteId, const Allocation& found, bool interactive);
    void routeEvents(const QString& siteId, const std::vector<JobEvent>& events);
    void updateFeed(const QString& runId);
    std::shared_ptr<FileFeed> sharedFeed(const QString& runId);
    void updateAttention(const QString& siteId);
    void updateAttention(); ///< of all sites
    void tick();
    void updateWatch(const QString& runId); ///< begins or ends the look at a run's nodes
    bool watchWanted(const Launch& launch) const;
    void takeNodeSample(const QString& runId, const NodeSample& sample, const QByteArray& line);
    QCoro::Task<Result<GuestList>> lookForGuests(QString siteId);
    std::vector<NodeSample> keptNodeSamples(Launch& launch) const;
    std::vector<Sample> keptNodeCurves(Launch& launch) const;

    Workbench* q;
    Connector* connector;
    WorkbenchPaths paths;
    Resources resources;
    DemoCluster* demo;
    std::optional<Site> undressed; ///< the demo cluster's site as its file says, while it plays another
    Dressing dressing; ///< what the site `demo` plays now
    std::unique_ptr<RunStore> store;
    std::vector<Error> storeErrors; ///< shown with those of the resources, and not read anew with them
    QHash<QString, SiteLink*> links;
    QHash<QString, Launch*> launches; ///< of runs that go on, and of some that have ended
    QHash<QString, Run> ended; ///< runs without a Launch
    QHash<QString, std::shared_ptr<FileFeed>> feeds;
    QHash<QString, std::vector<NodeSample>> samples; ///< by run, of the last hour
    mutable QStringList used; ///< runs with a feed or samples, the last used last
    QStringList shown; ///< runs that someone looks at
    bool hidden = false;
    QHash<QString, QPointer<NodeWatch>> watches; ///< by run, while it runs and there is a connection
    bool liveSamples = qEnvironmentVariable("SLIPWAY_LIVE_SAMPLES") != QLatin1String("off");
    QTimer timer; ///< looks whether another program wrote the store
    int ticks = 0;
};

} // namespace slipway
