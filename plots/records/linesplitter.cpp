// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/linesplitter.h"

namespace slipway {

void LineSplitter::take(QByteArrayView line, const Sink& sink)
{
    if (m_dropping) {
        m_dropping = false;
        m_pending.clear();
        return;
    }
    if (m_pending.size() + line.size() > longestLine) {
        ++m_dropped;
        m_pending.clear();
        return;
    }
    m_pending.append(line);
    if (m_pending.endsWith('\r'))
        m_pending.chop(1);
    const QByteArray whole = std::exchange(m_pending, {});
    sink(whole);
}

void LineSplitter::feed(QByteArrayView bytes, const Sink& sink)
{
    qsizetype from = 0;
    for (qsizetype newline; (newline = bytes.indexOf('\n', from)) >= 0; from = newline + 1)
        take(bytes.sliced(from, newline - from), sink);
    const QByteArrayView rest = bytes.sliced(from);
    if (!m_dropping && m_pending.size() + rest.size() > longestLine) {
        m_dropping = true;
        ++m_dropped;
        m_pending.clear();
    } else if (!m_dropping) {
        m_pending.append(rest);
    }
}

void LineSplitter::finish(const Sink& sink)
{
    if (!m_pending.isEmpty() || m_dropping)
        take({}, sink);
}

} // namespace slipway
