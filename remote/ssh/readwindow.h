// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QElapsedTimer>

namespace slipway {

/// ReadWindow decides how much of a channel is read at once, so that the window of the channel
/// holds what arrives during a round trip at the observed rate. A value on the worker thread;
/// LinkChannel owns one.
class ReadWindow {
public:
    ReadWindow() { m_clock.start(); }

    /// The opening of the session was requested.
    void sessionRequested() { m_clock.restart(); }
    void sessionOpened() { begin(m_clock.elapsed()); }
    /// The session was opened by another channel.
    void sessionTaken(const ReadWindow& other);

    /// The number of bytes to request in the next read.
    quint32 wantedCount(qsizetype scratchSize);
    void noteRead(qint64 bytes);

private:
    void begin(qint64 roundTrip);

    QElapsedTimer m_clock;
    qint64 m_roundTrip = 1; // ms
    qint64 m_window = 0;
    qint64 m_readSinceAdjust = 0;
    qint64 m_readInSpan = 0;
    qint64 m_spanStart = 0;
};

/// The count of a read that leaves the window as it is.
inline constexpr quint32 smallCount = 64 * 1024;

} // namespace slipway
