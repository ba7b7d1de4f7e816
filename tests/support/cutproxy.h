// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QHostAddress>
#include <QObject>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>

namespace slipway {

/// CutProxy stands between a client and a port of the loopback and breaks the line on command:
/// pause() is a black hole (nothing passes, nothing is refused), resume() lets the held bytes
/// through, cut() resets every connection. Lives on the thread of the test.
class CutProxy : public QObject {
    Q_OBJECT

public:
    explicit CutProxy(int targetPort)
        : m_targetPort(targetPort)
    {
        connect(&m_server, &QTcpServer::newConnection, this, &CutProxy::accept);
        m_server.listen(QHostAddress::LocalHost);
    }

    ~CutProxy() override
    {
        for (auto* socket : sockets())
            socket->disconnect(); // their last signals would find half a proxy
        qDeleteAll(sockets());
    }

    int port() const { return m_server.serverPort(); }
    /// Bytes that came from clients, all of their connections together.
    qint64 received() const { return m_received; }
    qint64 delivered() const { return m_delivered; } ///< bytes for them
    int connections() const { return m_connections; } ///< that were made, in all

    void pause() { m_paused = true; }
    void resume()
    {
        m_paused = false;
        for (auto* socket : sockets())
            pass(socket);
    }
    /// Nobody listens: as a network that is gone, a new connection fails at once.
    void refuse() { m_server.close(); }
    void listenAgain(int port) { m_server.listen(QHostAddress::LocalHost, quint16(port)); }
    void cut()
    {
        for (auto* socket : sockets())
            socket->abort();
    }

private:
    QList<QTcpSocket*> sockets() const { return findChildren<QTcpSocket*>(); }

    void accept()
    {
        while (auto* near = m_server.nextPendingConnection()) {
            ++m_connections;
            auto* far = new QTcpSocket(this);
            near->setParent(this);
            near->setProperty("isClient", true);
            far->connectToHost(QHostAddress::LocalHost, quint16(m_targetPort));
            join(near, far);
            join(far, near);
        }
    }
    void join(QTcpSocket* from, QTcpSocket* to)
    {
        from->setReadBufferSize(1024 * 1024); // a paused line fills up, as a real one does
        from->setProperty("to", QVariant::fromValue<QObject*>(to));
        connect(from, &QTcpSocket::readyRead, this, [this, from] { pass(from); });
        connect(to, &QTcpSocket::connected, this, [this, from] { pass(from); });
        connect(to, &QTcpSocket::bytesWritten, this, [this, from] { pass(from); });
        connect(from, &QTcpSocket::disconnected, to, [this, to] {
            if (!m_paused)
                to->disconnectFromHost();
        });
    }
    void pass(QTcpSocket* from)
    {
        auto* to = qobject_cast<QTcpSocket*>(from->property("to").value<QObject*>());
        if (m_paused || !to || to->state() != QAbstractSocket::ConnectedState
            || to->bytesToWrite() > 1024 * 1024)
            return;
        const QByteArray bytes = from->readAll();
        (from->property("isClient").toBool() ? m_received : m_delivered) += bytes.size();
        to->write(bytes);
    }

    QTcpServer m_server;
    int m_targetPort;
    bool m_paused = false;
    qint64 m_received = 0;
    qint64 m_delivered = 0;
    int m_connections = 0;
};

} // namespace slipway
