// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/connectionwatch.h"

#include "remote/base/tr.h"

#include <unistd.h>
#include <utility>

namespace slipway {

namespace {

constexpr int longestAway = 600'000; // ms: a script does not wait for ever for a network

} // namespace

void ConnectionWatch::report()
{
    using Phase = ConnectionState::Phase;
    const ConnectionState line = m_context.engine().sessions()->connection(m_siteId);
    if (line.phase == m_printed)
        return;
    const Phase before = std::exchange(m_printed, line.phase);
    const bool waits = line.phase == Phase::Reconnecting;
    if (waits)
        m_away.start();
    if (m_context.out.json || line.phase == Phase::NeedsUser || line.phase == Phase::Disconnected)
        return; // said by whoever ends
    if (waits)
        m_context.out.note(tr("Connection lost (%1); %2. %3")
                               .arg(terminalText(line.error ? line.error->summary : QString()),
                                   line.sentence, m_consequence)
                               .trimmed());
    else if (line.phase == Phase::Stalled)
        m_context.out.note(tr("Stalled: %1.").arg(line.sentence));
    else if (line.phase == Phase::Connected && before == Phase::Reconnecting)
        m_context.out.note(tr("Connected again."));
    else if (line.phase == Phase::Connected && before == Phase::Stalled)
        m_context.out.note(tr("The connection responds again."));
}

QCoro::Task<bool> ConnectionWatch::mayGoOn()
{
    using Phase = ConnectionState::Phase;
    const Phase phase = m_context.engine().sessions()->connection(m_siteId).phase;
    const bool attended = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    if (phase == Phase::Reconnecting)
        co_return attended || m_away.elapsed() < longestAway;
    if (phase != Phase::NeedsUser || !attended)
        co_return phase != Phase::NeedsUser&& phase != Phase::Disconnected;
    const Result<void> again = co_await m_context.connectTo(m_siteId);
    if (!again.ok())
        m_context.out.error(again.error());
    co_return again.ok();
}

} // namespace slipway
