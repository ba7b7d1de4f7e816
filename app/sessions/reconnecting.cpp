// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/reconnecting.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr std::chrono::milliseconds longestPause = 60s;
constexpr std::chrono::milliseconds betweenAttempts = 5s;
constexpr double jitterPart = 0.2;

} // namespace

bool Reconnecting::mayPass(const Error& error)
{
    switch (error.kind) {
    case ErrorKind::Network:
    case ErrorKind::Timeout:
    case ErrorKind::LinkLost:
    case ErrorKind::Protocol:
    case ErrorKind::Io:
        return true;
    default:
        return false;
    }
}

void Reconnecting::loggedIn(bool askedAPerson)
{
    *this = {};
    m_needsPerson = askedAPerson;
}

std::optional<Reconnecting::Milliseconds> Reconnecting::lost(Milliseconds now, double jitter)
{
    m_attempts = 0;
    m_lastBegan.reset();
    return later(now, jitter);
}

std::optional<Reconnecting::Milliseconds> Reconnecting::failed(
    const Error& error, Milliseconds began, Milliseconds now, double jitter)
{
    ++m_attempts;
    m_lastBegan = began;
    if (!mayPass(error))
        m_needsPerson = true;
    return later(now, jitter);
}

std::optional<Reconnecting::Milliseconds> Reconnecting::later(Milliseconds now, double jitter)
{
    m_due.reset();
    if (m_needsPerson)
        return m_due;
    const Milliseconds pause = m_attempts >= 6
        ? longestPause
        : std::min(longestPause, Milliseconds(1s) * (1 << m_attempts));
    const double part = 1 + jitterPart * std::clamp(jitter, -1.0, 1.0);
    m_due = now + Milliseconds(qint64(double(pause.count()) * part));
    return m_due;
}

std::optional<Reconnecting::Milliseconds> Reconnecting::woken(Milliseconds now, double jitter)
{
    if (!m_due)
        return m_due;
    // The network of a computer that has just woken needs a moment.
    const Milliseconds soon = now + Milliseconds(qint64(1000 * (1 + jitterPart * jitter)));
    const Milliseconds earliest = m_lastBegan ? *m_lastBegan + betweenAttempts : soon;
    m_due = std::min(*m_due, std::max(soon, earliest));
    return m_due;
}

} // namespace slipway
