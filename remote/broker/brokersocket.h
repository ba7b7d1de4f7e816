// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/fd.h"
#include "remote/base/result.h"

#include <QObject>
#include <QSocketNotifier>

#include <functional>
#include <memory>

namespace slipway {

/// A connection to the broker at a socket. The folder, the socket and the process behind it must be
/// this person's alone: ErrorKind::Refused where they are not. ErrorKind::NotFound: nobody is
/// there.
Result<Fd> connectToBroker(const QString& socket);

/// BrokerSocket is the broker's end: a socket with mode 0600 and a lock beside it, which makes the
/// broker the only one for as long as its process lives, however that ends. Lives on the main
/// thread, owned by the command that is the broker.
class BrokerSocket : public QObject {
    Q_OBJECT

public:
    /// ErrorKind::Refused: the folder is not this person's alone, or another broker has the lock.
    static Result<std::unique_ptr<BrokerSocket>> listenAt(const QString& socket);
    ~BrokerSocket() override;

    /// Called with each connection of a process of the same person.
    std::function<void(Fd)> onConnection;

private:
    BrokerSocket(const QString& socket, Fd lock, Fd listener);
    void accept();

    QString m_socket;
    Fd m_lock;
    Fd m_listener;
    QSocketNotifier m_notifier;
};

} // namespace slipway
