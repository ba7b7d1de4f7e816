// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/readwindow.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 libsshWindow = 1'280'000; // the window that libssh maintains by itself
constexpr qint64 smallestWindow = 256 * 1024;
constexpr qint64 largestWindow = 16 * 1024 * 1024;

} // namespace

void ReadWindow::begin(qint64 roundTrip)
{
    m_roundTrip = std::max<qint64>(1, roundTrip);
    m_spanStart = m_clock.elapsed();
}

void ReadWindow::sessionTaken(const ReadWindow& other)
{
    m_clock.restart();
    begin(other.m_roundTrip);
}

/// The number of bytes to request. Only a read with a large count enlarges the window in libssh
/// 0.10, and each one that finds it smaller sends a message; so a large read is made each time a
/// quarter was used.
quint32 ReadWindow::wantedCount(qsizetype scratchSize)
{
    if (m_window <= libsshWindow || m_readSinceAdjust < m_window / 4)
        return smallCount;
    m_readSinceAdjust = 0;
    return quint32(std::min<qint64>(m_window, scratchSize));
}

void ReadWindow::noteRead(qint64 bytes)
{
    m_readSinceAdjust += bytes;
    m_readInSpan += bytes;
    const auto span = m_clock.elapsed() - m_spanStart;
    if (span < std::max<qint64>(m_roundTrip, 20))
        return;
    const auto wanted = 2 * m_roundTrip * m_readInSpan / span;
    m_window = std::clamp(std::max(m_window, wanted), smallestWindow, largestWindow);
    m_readInSpan = 0;
    m_spanStart = m_clock.elapsed();
}

} // namespace slipway
