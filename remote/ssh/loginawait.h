// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/login.h"

#include <QDeadlineTimer>

#include <poll.h>

namespace slipway {

template <typename Call> int Login::await(Call call, int again)
{
    const QDeadlineTimer deadline(m_target.times.step);
    while (true) {
        const int rc = call();
        if (rc != again)
            return rc;
        auto* session = m_session.get();
        // After a disconnect by the server (for example after too many failures) libssh would
        // return “again” forever.
        if (ssh_get_status(session) & SSH_CLOSED_ERROR)
            return SSH_ERROR;
        const bool writing = ssh_get_poll_flags(session) & SSH_WRITE_PENDING;
        const auto time =
            std::chrono::milliseconds(std::min<qint64>(deadline.remainingTime(), 200));
        m_timedOut = deadline.hasExpired();
        if (m_timedOut
            || !m_gate.wait(ssh_get_fd(session), short(writing ? POLLIN | POLLOUT : POLLIN), time))
            return SSH_ERROR; // equals SSH_AUTH_ERROR
    }
}

} // namespace slipway
