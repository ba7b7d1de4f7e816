// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <functional>
#include <utility>

namespace slipway {

/// LineSplitter cuts bytes that arrive in pieces into lines without their end. A line beyond the
/// limit is dropped whole. A value without thread or disk; the readers of text own one.
class LineSplitter {
public:
    static constexpr qsizetype longestLine = 1024 * 1024;
    using Sink = std::function<void(QByteArrayView line)>;

    void feed(QByteArrayView bytes, const Sink& sink);
    /// The text has ended: what is left is a line.
    void finish(const Sink& sink);
    /// What was not ended yet, for an owner that reads on without lines.
    QByteArray takeRest() { return std::exchange(m_pending, {}); }
    qint64 dropped() const { return m_dropped; }

private:
    void take(QByteArrayView line, const Sink& sink);

    QByteArray m_pending;
    qint64 m_dropped = 0;
    bool m_dropping = false;
};

} // namespace slipway
