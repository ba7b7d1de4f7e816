// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/pathwatch.h"

#include <QNetworkProxy>
#include <QPointer>

namespace slipway {

PathWatch::PathWatch(Connector* connector, QObject* parent, std::chrono::milliseconds pause)
    : QObject(parent)
    , m_connector(connector)
{
    m_socket.setProxy(QNetworkProxy::NoProxy); // as the login
    m_timer.setInterval(pause);
    connect(&m_timer, &QTimer::timeout, this, &PathWatch::look);
    connect(&m_socket, &QTcpSocket::connected, this, [this] {
        stop();
        emit opened();
    });
}

void PathWatch::start(const ConnectTarget& target)
{
    if (isWatching())
        return;
    ++m_round;
    m_place.reset();
    m_timer.start();
    find(target);
}

void PathWatch::stop()
{
    m_timer.stop();
    m_socket.abort();
}

QCoro::Task<void> PathWatch::find(ConnectTarget target)
{
    const QPointer<PathWatch> self(this);
    const int round = m_round;
    const auto place = co_await m_connector->firstStop(std::move(target));
    if (self && round == m_round && place.ok())
        m_place = *place;
}

/// A connection that is not there after a whole pause is begun again.
void PathWatch::look()
{
    if (!m_place)
        return;
    m_socket.abort();
    m_socket.connectToHost(m_place->host, quint16(m_place->port));
}

} // namespace slipway

#include "moc_pathwatch.cpp"
