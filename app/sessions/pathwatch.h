// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"

#include <QObject>
#include <QTcpSocket>
#include <QTimer>

#include <chrono>
#include <optional>

namespace slipway {

/// PathWatch notices that a site can be reached again, while the next login is still some time
/// away: every few seconds it connects to the first host on the way, by IPv4 and by IPv6 because
/// one of them may be dead, sends nothing and closes. It tells that once. Lives on the GUI (or
/// main) thread; a SiteSession owns one.
class PathWatch : public QObject {
    Q_OBJECT

public:
    explicit PathWatch(Connector* connector, QObject* parent = nullptr,
        std::chrono::milliseconds pause = std::chrono::seconds(5));

    /// Continues where it watches already. A target that a command connects to cannot be watched.
    void start(const ConnectTarget& target);
    void stop();
    bool isWatching() const { return m_timer.isActive(); }

signals:
    void opened();

private:
    QCoro::Task<void> find(ConnectTarget target);
    void look();
    void abort();

    Connector* m_connector;
    std::optional<HostPort> m_place; ///< none: it is not known yet
    QTcpSocket m_four, m_six;
    QTimer m_timer;
    int m_round = 0; ///< counts start(), so that an outdated answer is recognised
};

} // namespace slipway
