// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "app/secrets/secretstore.h"
#include "app/sessions/pathwatch.h"
#include "app/sessions/reconnecting.h"
#include "app/sessions/wakewatch.h"
#include "remote/cluster/cluster.h"
#include "remote/shell/connector.h"
#include "remote/shell/gate.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>

namespace slipway {

/// The state of the connection to a site, for the card in the corner.
struct ConnectionState {
    enum class Phase {
        Disconnected, ///< never connected, or by the user
        Connecting,
        Connected,
        Stalled, ///< nothing was received for some seconds
        Reconnecting, ///< the connection was lost and is tried again without the user
        NeedsUser, ///< the connection was lost, and the login needs the user
    };
    Phase phase = Phase::Disconnected;
    QString sentence; ///< "connected as demo", "reconnecting in 8 s"
    std::optional<Error> error;
    QDateTime lastAsked; ///< last answered call to the scheduler
    int callsLastMinute = 0;
    int callsAllowed = 0; ///< per minute; calls by a timer wait for a free slot
    std::chrono::milliseconds nextIn{0}; ///< until the next call
    QStringList notices = {}; ///< of the login: jump hosts, options that have no effect
};

/// SiteSession is the one connection to a site: it logs in, finds out what the cluster offers, and
/// reports the state of the connection. Lives on the GUI (or main) thread; Sessions owns one for
/// each site that was ever connected. A lost connection is tried again by itself where the login
/// asked for nothing; elsewhere it waits for the user.
class SiteSession : public QObject {
    Q_OBJECT

public:
    /// `secrets`: where passwords are kept if a person asks for it; null: nowhere.
    SiteSession(
        QString siteId, Connector* connector, SecretStore* secrets, QObject* parent = nullptr);
    ~SiteSession() override;

    /// `prompter` must live until the task has ended. Ok at once while connected; a call during
    /// another login has the same result as that login.
    QCoro::Task<Result<void>> open(ConnectTarget target, Site site, Prompter* prompter);
    void close();
    /// While it waits to reconnect: does so now.
    void tryNow();

    ConnectionState state() const;
    bool isConnected() const { return m_cluster != nullptr; }
    /// Null while there is no connection. Keep the pointer as long as it is used.
    const std::shared_ptr<Cluster>& cluster() const { return m_cluster; }
    const std::optional<ClusterInfo>& info() const { return m_info; }
    /// Fair-share and hours of the accounts are asked for again if they are five minutes old; they
    /// stay as they are while there is no connection or no room in the budget of calls.
    QCoro::Task<void> refreshShares();
    const ConnectTarget& target() const { return m_target; }

signals:
    void stateChanged();
    void infoChanged();
    void connected();
    /// It was connected and no longer is.
    void disconnected(const slipway::Error& why);

private:
    QCoro::Task<Result<void>> logIn(Prompter* prompter);
    QCoro::Task<void> keepAnswers(QMap<QString, QString> answers);
    QCoro::Task<void> reconnect();
    void settleConnected();
    void onLost(const Error& error);
    void bringForward();
    void waitForNext(std::optional<std::chrono::milliseconds> due, const Error& why);
    std::chrono::milliseconds now() const;
    QCoro::Task<Result<void>> waitForOther();
    void onShellOpened(const std::shared_ptr<Shell>& shell);
    void onLinkState(LinkState state);
    void end(ConnectionState::Phase phase, const QString& sentence, std::optional<Error> error);

    QString m_siteId;
    Connector* m_connector;
    QPointer<SecretStore> m_secrets;
    ConnectTarget m_target;
    Site m_site;
    std::shared_ptr<Cluster> m_cluster;
    std::optional<ClusterInfo> m_info;
    std::chrono::milliseconds m_sharesAsked{0}; ///< on m_clock, successfully or not
    ConnectionState m_state;
    Gate m_settled; ///< a login has ended, successfully or not
    Reconnecting m_reconnecting;
    QStringList m_notices; ///< of the last login
    QTimer m_next; ///< until the next attempt
    WakeWatch m_wake;
    PathWatch m_path;
    int m_openings = 0; ///< of the path since the connection was lost
    QElapsedTimer m_clock;
    int m_attempt = 0; ///< counts open() and close(), so that an outdated login is recognised
};

} // namespace slipway
