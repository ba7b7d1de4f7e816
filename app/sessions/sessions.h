// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/sessions/demosite.h"
#include "app/sessions/sitesession.h"

#include <QCoroTask>
#include <QHash>
#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>

namespace slipway {

class SiteFinder;

/// Sessions holds the connections to sites: one SiteSession for each site that was ever connected,
/// and the demo cluster. Lives on the GUI (or main) thread; the Engine owns it. Nothing in it
/// blocks: long operations are tasks with exactly one result, and changes are signals.
class Sessions : public QObject {
    Q_OBJECT

public:
    /// `connector` and `catalogue` must outlive the sessions. `secrets`: where passwords are kept
    /// if a person asks for it; null: nowhere.
    Sessions(Connector* connector, Catalogue* catalogue, const QString& demoScripts,
        SecretStore* secrets = nullptr, QObject* parent = nullptr);
    ~Sessions() override;

    DemoCluster* demoCluster() const { return m_demo->cluster(); }
    /// A finder for a cluster without a site file; owned by `parent`, which must be destroyed
    /// before this.
    SiteFinder* makeFinder(QObject* parent);

    /// The error for an operation that needs a connection to this site.
    Error notConnected(const QString& siteId) const;
    /// Where a site logs in: the running demo cluster's place, or the site's first login.
    QCoro::Task<Result<ConnectTarget>> loginOf(QString siteId);
    /// The same without a query: the current connection, else the first login.
    ConnectTarget targetOf(const QString& siteId) const;
    /// Logs in. For the demo cluster the login comes from its connection.json. `user` empty: the
    /// site's, ~/.ssh/config's or this computer's user name. A second call while connected is ok at
    /// once.
    QCoro::Task<Result<void>> connectSite(
        QString siteId, Prompter* prompter, QString user = {}, QString host = {});
    void disconnectSite(const QString& siteId);
    /// Does not wait for the next attempt to reconnect.
    void tryNow(const QString& siteId);

    ConnectionState connection(const QString& siteId) const;
    /// What the cluster reported when it was last connected.
    std::optional<ClusterInfo> clusterInfo(const QString& siteId) const;
    /// Asks again for fair-share and hours of the accounts, at most every five minutes.
    void refreshShares(const QString& siteId);
    /// Null while there is no connection. Keep the pointer as long as it is used.
    std::shared_ptr<Cluster> cluster(const QString& siteId) const;
    QStringList connectedSites() const;
    using MayWait = std::function<bool(ConnectionState::Phase)>;
    /// After a transfer over `lost` has lost its connection: the shell of the next one. Null: the
    /// person has disconnected, or `mayWait`, asked several times a second, said no; without it, it
    /// waits for the person as well.
    QCoro::Task<std::shared_ptr<Shell>> shellAfter(
        QString siteId, std::shared_ptr<Shell> lost, MayWait mayWait);

signals:
    void connectionChanged(const QString& siteId);
    void clusterInfoChanged(const QString& siteId);
    void connected(const QString& siteId);
    void disconnected(const QString& siteId);
    /// Job changes reported by the scheduler of a connected site.
    void jobEvents(const QString& siteId, const std::vector<slipway::JobEvent>& events);

private:
    SiteSession* session(const QString& siteId);
    QCoro::Task<Result<ConnectTarget>> target(QString siteId, QString user, QString host);

    Connector* m_connector;
    Catalogue* m_catalogue;
    QPointer<SecretStore> m_secrets;
    std::unique_ptr<DemoSite> m_demo;
    QHash<QString, SiteSession*> m_sessions;
};

} // namespace slipway
