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
    m_timer.setInterval(pause);
    connect(&m_timer, &QTimer::timeout, this, &PathWatch::look);
    for (QTcpSocket* socket : {&m_four, &m_six}) {
        socket->setProxy(QNetworkProxy::NoProxy); // as the login
        connect(socket, &QTcpSocket::connected, this, [this] {
            stop();
            emit opened();
        });
    }
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
    abort();
}

void PathWatch::abort()
{
    m_four.abort();
    m_six.abort();
}

QCoro::Task<void> PathWatch::find(ConnectTarget target)
{
    const QPointer<PathWatch> self(this);
    const int round = m_round;
    const auto place = co_await m_connector->firstStop(std::move(target));
    if (!self || round != m_round)
        co_return;
    if (place.ok())
        m_place = *place;
    else
        stop();
}

/// A connection that is not there after a whole pause is begun again.
void PathWatch::look()
{
    if (!m_place)
        return;
    abort();
    const auto port = quint16(m_place->port);
    m_four.connectToHost(m_place->host, port, QIODevice::ReadWrite, QAbstractSocket::IPv4Protocol);
    m_six.connectToHost(m_place->host, port, QIODevice::ReadWrite, QAbstractSocket::IPv6Protocol);
}

} // namespace slipway

#include "moc_pathwatch.cpp"
