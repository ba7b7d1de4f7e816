// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QHostAddress>
#include <QObject>
#include <QPointer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>
#include <QTimer>

#include <chrono>

namespace slipway {

/// DelayProxy stands between a client and a port of the loopback and passes everything on after a
/// while, each way: a line with a long round trip and no limit on its rate. On a thread of its own,
/// so that what is measured does not slow it down.
class DelayProxy : public QObject {
    Q_OBJECT

public:
    DelayProxy(int targetPort, std::chrono::milliseconds oneWay)
        : m_server(new QTcpServer)
        , m_targetPort(targetPort)
        , m_oneWay(oneWay)
    {
        m_server->listen(QHostAddress::LocalHost);
        m_port = m_server->serverPort();
        m_server->moveToThread(&m_thread);
        connect(m_server, &QTcpServer::newConnection, m_server, [this] { accept(); });
        connect(&m_thread, &QThread::finished, m_server, &QObject::deleteLater);
        m_thread.start();
    }

    ~DelayProxy() override
    {
        m_thread.quit();
        m_thread.wait();
    }

    int port() const { return m_port; }

private:
    void accept()
    {
        while (auto* near = m_server->nextPendingConnection()) {
            auto* far = new QTcpSocket(m_server);
            far->connectToHost(QHostAddress::LocalHost, quint16(m_targetPort));
            for (auto* socket : {near, far})
                socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
            join(near, far);
            join(far, near);
        }
    }
    void join(QTcpSocket* from, QTcpSocket* to)
    {
        connect(from, &QTcpSocket::readyRead, to, [this, from, to] {
            const QByteArray bytes = from->readAll();
            QTimer::singleShot(m_oneWay, Qt::PreciseTimer, to, [to, bytes] { to->write(bytes); });
        });
        connect(from, &QTcpSocket::disconnected, to, [this, to] {
            QTimer::singleShot(m_oneWay, Qt::PreciseTimer, to, [to] { to->disconnectFromHost(); });
        });
    }

    QThread m_thread;
    QTcpServer* m_server; ///< on m_thread, which deletes it
    int m_targetPort;
    int m_port = 0;
    std::chrono::milliseconds m_oneWay;
};

} // namespace slipway
