// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/channeloutbox.h"

namespace slipway {

namespace {

constexpr qint64 urgentBytes = 256 * 1024;
constexpr int quickReports = 6;
constexpr qsizetype quickBytes = 16 * 1024;

} // namespace

ChannelOutbox::ChannelOutbox(quint64 id)
{
    m_news.id = id;
}

void ChannelOutbox::drop(std::optional<Result<int>> end)
{
    m_news = ChannelNews{m_news.id, {}, {}, false, m_reportedWritten, std::move(end)};
}

bool ChannelOutbox::isEmpty() const
{
    return !m_news.end && !m_news.opened && m_news.out.isEmpty() && m_news.err.isEmpty()
        && m_news.written == m_reportedWritten;
}

bool ChannelOutbox::isUrgent() const
{
    return m_news.end || m_news.out.size() + m_news.err.size() >= urgentBytes
        || m_news.written - m_reportedWritten >= urgentBytes;
}

std::chrono::milliseconds ChannelOutbox::sinceReport() const
{
    // A short answer arrives in a few small pieces; only a stream is limited to the interval.
    const bool small = m_news.out.size() + m_news.err.size() <= quickBytes;
    const bool quick = !m_sinceReport.isValid() || (small && m_reports < quickReports);
    return std::chrono::milliseconds(quick ? 1'000'000 : m_sinceReport.elapsed());
}

ChannelNews ChannelOutbox::take()
{
    const bool isBurst =
        m_sinceReport.isValid() && std::chrono::milliseconds(m_sinceReport.elapsed()) < reportEvery;
    if (!isBurst) {
        m_sinceReport.start();
        m_reports = 0;
    }
    ++m_reports;
    m_reportedWritten = m_news.written;
    ChannelNews news = std::move(m_news);
    m_news = ChannelNews{news.id, {}, {}, false, news.written, {}};
    return news;
}

} // namespace slipway
