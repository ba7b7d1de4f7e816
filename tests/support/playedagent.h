// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/sshhandles.h"

#include <QByteArray>
#include <QString>
#include <QtEndian>

#include <algorithm>
#include <atomic>
#include <functional>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace slipway {

/// "string" of RFC 4251: the length, then the bytes.
inline QByteArray sshString(const QByteArray& bytes)
{
    QByteArray length(4, Qt::Uninitialized);
    qToBigEndian(quint32(bytes.size()), length.data());
    return length + bytes;
}

/// PlayedAgent is an SSH agent that answers each request as a test says. Owned by the test; its own
/// thread serves one connection after the other until it is destroyed.
class PlayedAgent {
public:
    /// From a request to its answer, both without their length; empty: it stays silent.
    using Reply = std::function<QByteArray(const QByteArray& request)>;

    PlayedAgent(const QString& path, Reply reply)
        : m_reply(std::move(reply))
        , m_listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray name = path.toLocal8Bit();
        std::copy(name.begin(), name.end(), address.sun_path);
        m_isListening =
            ::bind(m_listening.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0
            && ::listen(m_listening.get(), 4) == 0;
        m_thread = std::thread([this] { serve(); });
    }
    ~PlayedAgent()
    {
        m_stops = true;
        ::shutdown(m_listening.get(), SHUT_RDWR);
        ::shutdown(m_client, SHUT_RDWR);
        m_thread.join();
    }
    bool isListening() const { return m_isListening; }

private:
    void serve()
    {
        while (true) {
            const Fd client(::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
            m_client = client.get();
            if (!client.valid() || m_stops)
                return;
            while (answersOne(client.get())) { }
            m_client = -1;
        }
    }

    bool answersOne(int fd) const
    {
        QByteArray length(4, '\0');
        if (::recv(fd, length.data(), 4, MSG_WAITALL) != 4)
            return false;
        QByteArray request(qFromBigEndian<quint32>(length.constData()), '\0');
        const auto size = size_t(request.size());
        if (::recv(fd, request.data(), size, MSG_WAITALL) != ssize_t(size))
            return false;
        const QByteArray reply = m_reply(request);
        const QByteArray bytes = reply.isEmpty() ? QByteArray() : sshString(reply);
        return ::send(fd, bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL) == bytes.size();
    }

    Reply m_reply;
    Fd m_listening;
    bool m_isListening = false;
    std::atomic<bool> m_stops = false;
    std::atomic<int> m_client = -1;
    std::thread m_thread;
};

} // namespace slipway
