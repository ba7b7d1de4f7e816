// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/demolines.h"
#include "app/launch/ownsites.h"
#include "app/launch/sitefinder.h"
#include "app/launch/workbench_p.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QPointer>

namespace slipway {

namespace {

Error noSite(const QString& id)
{
    return Error{ErrorKind::NotFound, tr("There is no site %1.").arg(id), tr("The list of sites names them all.")};
}

} // namespace

SiteLink* Workbench::Private::link(const QString& siteId)
{
    SiteLink*& link = links[siteId];
    if (link)
        return link;
    link = new SiteLink(siteId, connector, q);
    connect(link, &SiteLink::stateChanged, q, [this, siteId] { emit q->connectionChanged(siteId); });
    connect(link, &SiteLink::infoChanged, q, [this, siteId] { emit q->clusterInfoChanged(siteId); });
    connect(link, &SiteLink::connected, q, [this, siteId] { takeConnected(siteId); });
    connect(link, &SiteLink::disconnected, q, [this, siteId] {
        for (Launch* launch : launches.values())
            if (launch->run().spec.siteId == siteId)
                launch->detach();
    });
    return link;
}

SiteLink* Workbench::Private::connectedLink(const QString& siteId) const
{
    SiteLink* const link = links.value(siteId);
    return link && link->isConnected() ? link : nullptr;
}

void Workbench::Private::takeConnected(const QString& siteId)
{
    const auto cluster = link(siteId)->cluster();
    connect(cluster->watcher(), &JobWatcher::events, q,
        [this, siteId](const std::vector<JobEvent>& events) { routeEvents(siteId, events); });
    updateAttention(siteId);
    attachRuns(siteId);
    adoptOrphans(siteId);
}

/// The site that the demo cluster plays: one of the known ones, else read from the file it was given.
std::optional<Site> Workbench::Private::playedSite(const Dressing& now) const
{
    for (const Site& site : resources.sites)
        if (site.id == now.as)
            return site;
    QFile file(now.siteFile);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const Result<Site> read = parseSite(file.readAll(), now.siteFile);
    return read.ok() ? std::optional(*read) : std::nullopt;
}

/// True when the demo cluster's site became another one.
bool Workbench::Private::takeDressing(const Dressing& now, Site* demoSite)
{
    if (now == dressing)
        return false;
    if (!undressed)
        undressed = *demoSite;
    dressing = now;
    *demoSite = *undressed;
    if (const auto played = now.as.isEmpty() ? std::nullopt : playedSite(now))
        *demoSite = dressedSite(*undressed, *played, now);
    return true;
}

/// The running demo cluster says where it is, what its GPUs are and which site it plays; the site
/// takes that over.
Result<DemoConnection> Workbench::Private::readDemo()
{
    const QString name = demo->connectionFile();
    QFile file(name);
    if (name.isEmpty() || !file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::NotFound, tr("The demo cluster is not running."), tr("Start the demo cluster.")};
    auto connection = readDemoConnection(file.readAll(), name);
    if (!connection.ok())
        return connection;
    for (Site& site : resources.sites) {
        if (site.providedBy != QLatin1String("demo-cluster"))
            continue;
        const bool dressed = takeDressing(connection->dressing, &site);
        const bool news = dressed || site.gpusAreReal != connection->gpusAreReal || site.gpusNote != connection->gpusNote;
        site.gpusAreReal = connection->gpusAreReal;
        site.gpusNote = connection->gpusNote;
        if (news)
            emit q->clusterInfoChanged(site.id);
    }
    return connection;
}

QCoro::Task<Result<ConnectTarget>> Workbench::Private::target(QString siteId, QString user, QString host)
{
    const Site* const known = site(siteId);
    ConnectTarget target;
    if (known->providedBy == QLatin1String("demo-cluster")) {
        if (demo->connectionFile().isEmpty()) {
            const auto state = co_await demo->refresh();
            if (!state.ok())
                co_return state.error();
        }
        const auto connection = readDemo();
        if (!connection.ok())
            co_return connection.error();
        target = connection->target;
    } else {
        SiteLogin login = known->logins.empty() ? SiteLogin() : known->logins.front();
        for (const SiteLogin& other : known->logins)
            if (other.host == host)
                login = other;
        target.host = host.isEmpty() ? login.host : host;
        target.port = login.port;
        target.user = login.user;
    }
    if (!user.isEmpty())
        target.user = user;
    if (target.host.isEmpty())
        co_return Error{ErrorKind::Invalid, tr("The site %1 names no host to log in to.").arg(siteId), tr("Give one when you connect, or write it into your own copy of the site, ~/.config/slipway/sites/%1.json.").arg(siteId)};
    co_return target;
}

SiteFinder* Workbench::makeFinder(QObject* parent)
{
    return new SiteFinder(d->connector, parent);
}

QCoro::Task<Result<ConnectTarget>> Workbench::loginOf(QString siteId)
{
    if (!site(siteId))
        co_return noSite(siteId);
    auto target = co_await d->target(siteId, {}, {});
    co_return target;
}

Result<QString> Workbench::saveSite(const QString& id, const QByteArray& json, bool overwrite)
{
    const Result<QString> path = saveOwnSite(d->paths.config, id, json, overwrite);
    if (!path.ok())
        return path;
    d->resources = loadResources(d->paths.resources, d->paths.config);
    d->resources.errors.insert(
        d->resources.errors.end(), d->storeErrors.begin(), d->storeErrors.end());
    // Read anew, the demo cluster's site plays no other: readDemo() dresses it again.
    d->undressed.reset();
    d->dressing = {};
    if (!d->demo->connectionFile().isEmpty())
        Q_UNUSED(d->readDemo().ok()) // the demo cluster's site forgot what its GPUs are
    emit resourcesChanged();
    return path;
}

QCoro::Task<Result<void>> Workbench::connectSite(QString siteId, Prompter* prompter, QString user, QString host)
{
    const QPointer<Workbench> self(this);
    if (!site(siteId))
        co_return noSite(siteId);
    if (const Site* const known = site(siteId); !known->launchable())
        co_return Error{ErrorKind::Unsupported,
            known->archived ? tr("%1 is retired: there is nothing to log in to.").arg(known->name) : tr("%1 cannot be connected to. %2").arg(known->name, known->unsupported),
            tr("Choose another site.")};
    SiteLink* const link = d->link(siteId);
    if (link->isConnected())
        co_return Result<void>();
    const auto target = co_await d->target(siteId, user, host);
    if (!self)
        co_return programClosed();
    if (!target.ok())
        co_return target.error();
    const Site known = *site(siteId);
    const auto opened = co_await link->open(*target, known, prompter);
    co_return opened;
}

void Workbench::disconnectSite(const QString& siteId)
{
    if (SiteLink* const link = d->links.value(siteId))
        link->close();
}

ConnectionState Workbench::connection(const QString& siteId) const
{
    if (const SiteLink* const link = d->links.value(siteId))
        return link->state();
    return {ConnectionState::Phase::Disconnected, tr("not connected"), {}, {}, 0};
}

std::optional<ClusterInfo> Workbench::clusterInfo(const QString& siteId) const
{
    const SiteLink* const link = d->links.value(siteId);
    return link ? link->info() : std::nullopt;
}

} // namespace slipway
