// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "remote/cluster/cluster.h"
#include "remote/shell/connector.h"
#include "remote/shell/gate.h"

#include <QDateTime>

#include <chrono>
#include <memory>
#include <optional>

namespace slipway {

/// The state of the connection to a site, for the card in the corner.
struct ConnectionState {
    enum class Phase { Disconnected, Connecting, Connected, Stalled, Lost };
    Phase phase = Phase::Disconnected;
    QString sentence; ///< "connected as demo", "no answer for 20 s"
    std::optional<Error> error;
    QDateTime lastAsked; ///< last answered call to the scheduler
    int callsLastMinute = 0;
    int callsAllowed = 0; ///< per minute; calls by a timer wait for a free slot
    std::chrono::milliseconds nextIn{0}; ///< until the next call
};

/// SiteSession is the one connection to a site: it logs in, finds out what the cluster offers, and
/// reports the state of the connection. Lives on the GUI (or main) thread; Sessions owns one for
/// each site that was ever connected. A lost connection stays lost until the user connects again: a
/// login may ask for a code.
class SiteSession : public QObject {
    Q_OBJECT

public:
    SiteSession(QString siteId, Connector* connector, QObject* parent = nullptr);
    ~SiteSession() override;

    /// `prompter` must live until the task has ended. Ok at once while connected; a call during
    /// another login has the same result as that login.
    QCoro::Task<Result<void>> open(ConnectTarget target, Site site, Prompter* prompter);
    void close();

    ConnectionState state() const;
    bool isConnected() const { return m_cluster != nullptr; }
    /// Null while there is no connection. Keep the pointer as long as it is used.
    const std::shared_ptr<Cluster>& cluster() const { return m_cluster; }
    const std::optional<ClusterInfo>& info() const { return m_info; }
    const ConnectTarget& target() const { return m_target; }

signals:
    void stateChanged();
    void infoChanged();
    void connected();
    /// It was connected and no longer is.
    void disconnected(const slipway::Error& why);

private:
    QCoro::Task<Result<void>> logIn(ConnectTarget target, Site site, Prompter* prompter);
    QCoro::Task<Result<void>> waitForOther();
    void onShellOpened(const std::shared_ptr<Shell>& shell);
    void onLinkState(LinkState state);
    void end(ConnectionState::Phase phase, const QString& sentence, std::optional<Error> error);

    QString m_siteId;
    Connector* m_connector;
    ConnectTarget m_target;
    std::shared_ptr<Cluster> m_cluster;
    std::optional<ClusterInfo> m_info;
    ConnectionState m_state;
    Gate m_settled; ///< a login has ended, successfully or not
    int m_attempt = 0; ///< counts open() and close(), so that an outdated login is recognised
};

} // namespace slipway
