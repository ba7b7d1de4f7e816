// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/readwindow.h"
#include "remote/ssh/sshhandles.h"

#include <QByteArray>

#include <poll.h>

namespace slipway {

/// JumpTunnel copies bytes between a socket and a direct-tcpip channel of a jump host's session, in
/// both directions and without blocking. It belongs to a JumpRoute; whoever may use the session at
/// the time calls it.
class JumpTunnel {
public:
    JumpTunnel(ssh_session session, Fd near);

    /// One step of opening the channel to `host` and `port` as seen from the jump host: SSH_AGAIN
    /// until the server has answered, then SSH_OK or SSH_ERROR.
    int open(const QByteArray& host, int port);
    bool isOpen() const { return m_isOpen; }
    /// Copies what is there; false: nothing was.
    bool pump(ssh_session session, char* scratch);
    /// What arrived before the session ended is delivered.
    void drain(char* scratch);
    /// One side has closed: nothing more is copied.
    bool isOver() const { return m_isOver; }
    void close() { m_near.reset(); }
    pollfd wanted() const;

    static constexpr qsizetype scratchSize = 1024 * 1024;

private:
    bool readChannel(char* scratch);
    bool writeSocket();
    bool readSocket(char* scratch);
    bool writeChannel(ssh_session session);

    ChannelHandle m_channel;
    Fd m_near;
    ReadWindow m_window;
    QByteArray m_toSocket;
    QByteArray m_toChannel;
    bool m_isOpen = false;
    bool m_isOver = false;
};

} // namespace slipway
