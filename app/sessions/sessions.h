// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/sessions/demosite.h"
#include "app/sessions/sitesession.h"

#include <QCoroTask>
#include <QHash>
#include <QObject>

#include <memory>
#include <optional>

namespace slipway {

class SiteFinder;

/// Sessions is how sites are reached: one SiteSession for each that was ever connected, and the
/// demo cluster. Lives on the GUI (or main) thread; the Engine owns it. Nothing in it blocks: what
/// takes time is a task with exactly one result, and what changes is a signal.
class Sessions : public QObject {
    Q_OBJECT

public:
    /// `connector` and `catalogue` must outlive the sessions.
    Sessions(Connector* connector, Catalogue* catalogue, const QString& demoScripts,
        QObject* parent = nullptr);
    ~Sessions() override;

    DemoCluster* demoCluster() const { return m_demo->cluster(); }
    /// A finder for a cluster that no site file describes; owned by `parent`, ends before this
    /// does.
    SiteFinder* makeFinder(QObject* parent);

    /// Where a site logs in: the running demo cluster's place, or the site's first login.
    QCoro::Task<Result<ConnectTarget>> loginOf(QString siteId);
    /// The same from what is known now, without asking: what is connected, else the first login.
    ConnectTarget targetOf(const QString& siteId) const;
    /// Logs in. For the demo cluster the login comes from its connection.json. `user` empty: the
    /// site's, ~/.ssh/config's or this computer's user name. A second call while connected is ok at
    /// once.
    QCoro::Task<Result<void>> connectSite(
        QString siteId, Prompter* prompter, QString user = {}, QString host = {});
    void disconnectSite(const QString& siteId);

    ConnectionState connection(const QString& siteId) const;
    /// What the cluster said of itself when it was connected last.
    std::optional<ClusterInfo> clusterInfo(const QString& siteId) const;
    /// Null while there is no connection. Hold it as long as it is used.
    std::shared_ptr<Cluster> cluster(const QString& siteId) const;
    QStringList connectedSites() const;

signals:
    void connectionChanged(const QString& siteId);
    void clusterInfoChanged(const QString& siteId);
    void connected(const QString& siteId);
    void disconnected(const QString& siteId);
    /// What the scheduler of a connected site said of jobs.
    void jobEvents(const QString& siteId, const std::vector<slipway::JobEvent>& events);

private:
    SiteSession* session(const QString& siteId);
    QCoro::Task<Result<ConnectTarget>> target(QString siteId, QString user, QString host);

    Connector* m_connector;
    Catalogue* m_catalogue;
    std::unique_ptr<DemoSite> m_demo;
    QHash<QString, SiteSession*> m_sessions;
};

/// There is no connection to a site, which the person is told by its name.
Error notConnected(const QString& siteName);

} // namespace slipway
