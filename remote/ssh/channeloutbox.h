// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QElapsedTimer>

#include <chrono>
#include <optional>

namespace slipway {

/// An event of a channel for the GUI thread; passed as a value.
struct ChannelNews {
    quint64 id = 0;
    QByteArray out = {};
    QByteArray err = {};
    bool opened = false; ///< the server has opened the session: no longer queued
    qint64 written = 0; ///< bytes of input passed to the session so far
    std::optional<Result<int>> end = {};
};

/// The interval at which a stream is reported to the GUI thread.
inline constexpr std::chrono::milliseconds reportEvery{33};

/// ChannelOutbox collects the news of a channel until it is time to report them. A value on the
/// worker thread; LinkChannel owns one.
class ChannelOutbox {
public:
    explicit ChannelOutbox(quint64 id);

    ChannelNews& news() { return m_news; }
    /// Drops what was not reported; only `end` remains.
    void drop(std::optional<Result<int>> end);

    bool isEmpty() const;
    /// Whether there is enough for an event, or the end.
    bool isUrgent() const;
    /// The time since the last report; very long if the news need not wait for the interval.
    std::chrono::milliseconds sinceReport() const;
    ChannelNews take();

private:
    ChannelNews m_news;
    qint64 m_reportedWritten = 0;
    QElapsedTimer m_sinceReport; ///< since the first report of the current burst
    int m_reports = 0; ///< of that burst
};

} // namespace slipway
