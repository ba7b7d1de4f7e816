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
/// away: every few seconds it connects to the first host on the way, sends nothing and closes. It
/// tells that once. Lives on the GUI (or main) thread; a SiteSession owns one.
class PathWatch : public QObject {
    Q_OBJECT

public:
    explicit PathWatch(Connector* connector, QObject* parent = nullptr,
        std::chrono::milliseconds pause = std::chrono::seconds(5));

    /// Continues where it watches that target already.
    void start(const ConnectTarget& target);
    void stop();
    bool isWatching() const { return m_timer.isActive(); }

signals:
    void opened();

private:
    QCoro::Task<void> find(ConnectTarget target);
    void look();

    Connector* m_connector;
    std::optional<HostPort> m_place; ///< none: it is not known yet, or cannot be watched
    QTcpSocket m_socket;
    QTimer m_timer;
    int m_round = 0; ///< counts start(), so that an outdated answer is recognised
};

} // namespace slipway
