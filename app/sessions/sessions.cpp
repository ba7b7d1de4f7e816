// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/sessions.h"

#include "app/sessions/democluster.h"
#include "app/sessions/sitefinder.h"
#include "remote/base/tr.h"

#include <QCoroTimer>
#include <QElapsedTimer>
#include <QPointer>

namespace slipway {

namespace {

Error noSite(const QString& id)
{
    return Error{
        ErrorKind::NotFound, tr("There is no site %1.").arg(id), tr("See the list of sites.")};
}

Error notConnectable(const Site& site)
{
    return Error{ErrorKind::Unsupported,
        site.archived ? tr("%1 is archived: there is nothing to log in to.").arg(site.name)
                      : tr("Slipway cannot connect to %1. %2").arg(site.name, site.unsupported),
        tr("Choose another site.")};
}

} // namespace

Sessions::Sessions(Connector* connector, Catalogue* catalogue, const QString& demoScripts,
    SecretStore* secrets, QObject* parent)
    : QObject(parent)
    , m_connector(connector)
    , m_catalogue(catalogue)
    , m_secrets(secrets)
    , m_demo(std::make_unique<DemoSite>(catalogue, demoScripts))
{
    connect(m_demo.get(), &DemoSite::siteChanged, this, &Sessions::clusterInfoChanged);
}

Sessions::~Sessions()
{
    qDeleteAll(std::exchange(m_sessions, {}));
}

SiteSession* Sessions::session(const QString& siteId)
{
    SiteSession*& session = m_sessions[siteId];
    if (session)
        return session;
    session = new SiteSession(siteId, m_connector, m_secrets, this);
    connect(session, &SiteSession::stateChanged, this,
        [this, siteId] { emit connectionChanged(siteId); });
    connect(session, &SiteSession::infoChanged, this,
        [this, siteId] { emit clusterInfoChanged(siteId); });
    connect(session, &SiteSession::connected, this, [this, siteId] {
        connect(cluster(siteId)->watcher(), &JobWatcher::events, this,
            [this, siteId](
                const std::vector<JobEvent>& events) { emit jobEvents(siteId, events); });
        emit connected(siteId);
    });
    connect(
        session, &SiteSession::disconnected, this, [this, siteId] { emit disconnected(siteId); });
    return session;
}

SiteFinder* Sessions::makeFinder(QObject* parent)
{
    return new SiteFinder(m_connector, parent);
}

QCoro::Task<Result<ConnectTarget>> Sessions::target(QString siteId, QString user, QString host)
{
    const Site known = *m_catalogue->site(siteId);
    ConnectTarget target;
    if (known.providedBy == QLatin1String("demo-cluster")) {
        const QPointer<Sessions> self(this);
        if (demoCluster()->connectionFile().isEmpty()) {
            const auto state = co_await demoCluster()->refresh();
            if (!state.ok())
                co_return state.error();
            if (!self)
                co_return programClosed();
        }
        const auto connection = m_demo->read();
        if (!connection.ok())
            co_return connection.error();
        target = connection->target;
    } else {
        SiteLogin login = known.logins.empty() ? SiteLogin() : known.logins.front();
        bool isKnown = host.isEmpty();
        for (const SiteLogin& other : known.logins)
            if (!isKnown && (other.name() == host || other.host == host)) {
                login = other;
                isKnown = true;
            }
        target.host = isKnown ? login.host : host;
        target.jump = isKnown ? login.jump : QString();
        target.port = login.port;
        target.user = login.user;
    }
    if (!user.isEmpty())
        target.user = user;
    if (target.host.isEmpty())
        co_return Error{ErrorKind::Invalid, tr("The site %1 has no host to log in to.").arg(siteId),
            tr("Enter one when you connect, or add it to your own copy of the site, "
               "~/.config/slipway/sites/%1.json.")
                .arg(siteId)};
    co_return target;
}

Error Sessions::notConnected(const QString& siteId) const
{
    const Site* const site = m_catalogue->site(siteId);
    return Error{ErrorKind::Network,
        tr("There is no connection to %1.").arg(site ? site->name : siteId),
        tr("Connect to it first.")};
}

QCoro::Task<Result<ConnectTarget>> Sessions::loginOf(QString siteId)
{
    if (!m_catalogue->site(siteId))
        co_return noSite(siteId);
    auto found = co_await target(siteId, {}, {});
    co_return found;
}

ConnectTarget Sessions::targetOf(const QString& siteId) const
{
    if (const SiteSession* const session = m_sessions.value(siteId))
        return session->target();
    ConnectTarget target;
    if (const Site* const known = m_catalogue->site(siteId); known && !known->logins.empty()) {
        const SiteLogin& login = known->logins.front();
        target.host = login.host;
        target.port = login.port;
        target.user = login.user;
        target.jump = login.jump;
    }
    return target;
}

QCoro::Task<Result<void>> Sessions::connectSite(
    QString siteId, Prompter* prompter, QString user, QString host)
{
    const QPointer<Sessions> self(this);
    const Site* const known = m_catalogue->site(siteId);
    if (!known)
        co_return noSite(siteId);
    if (!known->launchable())
        co_return notConnectable(*known);
    SiteSession* const session = this->session(siteId);
    if (session->isConnected())
        co_return Result<void>();
    const auto login = co_await target(siteId, user, host);
    if (!self)
        co_return programClosed();
    if (!login.ok())
        co_return login.error();
    const Site site = *m_catalogue->site(siteId); // the demo cluster may have changed it
    const auto opened = co_await session->open(*login, site, prompter);
    co_return opened;
}

void Sessions::disconnectSite(const QString& siteId)
{
    if (SiteSession* const session = m_sessions.value(siteId))
        session->close();
}

void Sessions::tryNow(const QString& siteId)
{
    if (SiteSession* const session = m_sessions.value(siteId))
        session->tryNow();
}

ConnectionState Sessions::connection(const QString& siteId) const
{
    if (const SiteSession* const session = m_sessions.value(siteId))
        return session->state();
    return {ConnectionState::Phase::Disconnected, tr("not connected"), {}, {}, 0};
}

std::optional<ClusterInfo> Sessions::clusterInfo(const QString& siteId) const
{
    const SiteSession* const session = m_sessions.value(siteId);
    return session ? session->info() : std::nullopt;
}

void Sessions::refreshShares(const QString& siteId)
{
    if (SiteSession* const session = m_sessions.value(siteId))
        session->refreshShares();
}

std::shared_ptr<Cluster> Sessions::cluster(const QString& siteId) const
{
    const SiteSession* const session = m_sessions.value(siteId);
    return session ? session->cluster() : nullptr;
}

QCoro::Task<std::shared_ptr<Shell>> Sessions::shellAfter(
    QString siteId, std::shared_ptr<Shell> lost, MayWait mayWait)
{
    constexpr std::chrono::milliseconds look{200};
    constexpr qint64 longestUnnoticed = 10'000; ///< ms until the loss is known here as well
    const QPointer<Sessions> self(this);
    QElapsedTimer clock;
    clock.start();
    while (self) {
        const auto now = cluster(siteId);
        if (now && now->shell() != lost)
            co_return now->shell();
        const ConnectionState::Phase phase = connection(siteId).phase;
        if (phase == ConnectionState::Phase::Disconnected || (mayWait && !mayWait(phase))
            || (now && clock.elapsed() > longestUnnoticed))
            break;
        co_await QCoro::sleepFor(look);
    }
    co_return std::shared_ptr<Shell>();
}

QStringList Sessions::connectedSites() const
{
    QStringList sites;
    for (auto it = m_sessions.cbegin(); it != m_sessions.cend(); ++it)
        if (it.value()->isConnected())
            sites << it.key();
    return sites;
}

} // namespace slipway

#include "moc_sessions.cpp"
