// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokerprocess.h"

#include "remote/broker/brokerserver.h"
#include "remote/broker/brokersocket.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>

#include <csignal>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr auto longestTakeover = 3s; ///< the broker before it is about to end

/// Its memory holds a session, and for moments answers: no core file, no debugger of the same user.
void shutOthersOut()
{
    ::prctl(PR_SET_DUMPABLE, 0);
    ::umask(077);
    ::setsid();
    ::signal(SIGHUP, SIG_IGN); // it outlives the terminal
    ::signal(SIGINT, SIG_IGN);
    [[maybe_unused]] const int moved = ::chdir("/"); // keeps no file system busy
}

std::unique_ptr<BrokerSocket> takeSocket(const QString& socket)
{
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        auto listening = BrokerSocket::listenAt(socket);
        if (listening.ok())
            return std::move(*listening);
        const bool served = connectToBroker(socket).ok();
        if (served || clock.hasExpired(std::chrono::milliseconds(longestTakeover).count()))
            return nullptr;
        QThread::msleep(20);
    }
}

} // namespace

std::chrono::milliseconds keepTime()
{
    bool isNumber = false;
    const int seconds = qEnvironmentVariableIntValue("SLIPWAY_KEEP_CONNECTION", &isNumber);
    return isNumber && seconds >= 0 ? std::chrono::seconds(seconds) : 10min;
}

int serveConnection(Connector* connector, const QString& socket)
{
    shutOthersOut();
    std::unique_ptr<BrokerSocket> listener = takeSocket(socket);
    if (!listener)
        return 0;
    BrokerServer server(connector, keepTime());
    listener->onConnection = [&](Fd fd) { server.add(std::move(fd)); };
    QObject::connect(&server, &BrokerServer::ending, &server, [&] {
        listener->onConnection = {};
        listener.release()->deleteLater(); // a new broker may take its place
    });
    QObject::connect(&server, &BrokerServer::ended, QCoreApplication::instance(),
        [] { QCoreApplication::exit(0); });
    return QCoreApplication::exec();
}

} // namespace slipway
