// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/fd.h"
#include "remote/broker/message.h"

#include <QObject>
#include <QSocketNotifier>

#include <deque>
#include <memory>

namespace slipway {

/// MessageStream carries messages over one local socket, without waiting. Lives on the main thread;
/// owned by one side of a conversation. What is sent and not yet taken by the other side waits
/// here; the credits of the protocol bound it.
class MessageStream : public QObject {
    Q_OBJECT

public:
    explicit MessageStream(Fd socket);
    ~MessageStream() override;

    void send(const Message& message);
    bool isOpen() const { return m_socket.valid(); }
    /// Bytes that the other side has not taken yet.
    qsizetype unsent() const { return m_unsent; }
    /// Ends it once everything has been taken.
    void endWhenSent();

signals:
    void received(const slipway::Message& message);
    /// The other side is gone, or does not speak this protocol. Emitted once; not after
    /// endWhenSent().
    void ended();
    /// Everything was taken.
    void drained();

private:
    struct Piece {
        QByteArray bytes;
        qsizetype done = 0;
        bool secret = false;
    };
    void read();
    bool deliver();
    void write();
    void end();

    Fd m_socket;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    MessageReader m_reader;
    std::deque<Piece> m_pieces;
    qsizetype m_unsent = 0;
    bool m_ending = false;
};

} // namespace slipway
