// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/connectionwatch.h"

#include "app/cli/connectionnote.h"

#include <unistd.h>
#include <utility>

namespace slipway {

namespace {

constexpr int longestAway = 600'000; // ms: a script does not wait for ever for a network

bool isAttended()
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

} // namespace

void ConnectionWatch::report()
{
    using Phase = ConnectionState::Phase;
    const ConnectionState line = m_context.engine().sessions()->connection(m_siteId);
    if (line.phase == m_printed)
        return;
    const Phase before = std::exchange(m_printed, line.phase);
    if (line.phase == Phase::Reconnecting)
        m_away.start();
    const QString note = connectionNote(before, line, m_consequence);
    if (!m_context.out.json && !note.isEmpty())
        m_context.out.note(note);
}

bool ConnectionWatch::mayWait() const
{
    using Phase = ConnectionState::Phase;
    const Phase phase = m_context.engine().sessions()->connection(m_siteId).phase;
    if (phase == Phase::Reconnecting)
        return isAttended() || m_away.elapsed() < longestAway;
    return phase != Phase::NeedsUser && phase != Phase::Disconnected;
}

QCoro::Task<bool> ConnectionWatch::mayGoOn()
{
    const auto phase = m_context.engine().sessions()->connection(m_siteId).phase;
    if (phase != ConnectionState::Phase::NeedsUser || !isAttended())
        co_return mayWait();
    const Result<void> again = co_await m_context.connectTo(m_siteId);
    if (!again.ok())
        m_context.out.error(again.error());
    co_return again.ok();
}

} // namespace slipway
