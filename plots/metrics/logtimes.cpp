// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/logtimes.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype mostDigits = 15; ///< sizes and times that are exact as double, too

std::optional<qint64> digits(QByteArrayView text)
{
    if (text.isEmpty() || text.size() > mostDigits)
        return {};
    qint64 number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return {};
        number = 10 * number + (c - '0');
    }
    return number;
}

} // namespace

qsizetype LogTimes::read(QByteArrayView text)
{
    qsizetype begin = 0;
    for (qsizetype end; (end = text.indexOf('\n', begin)) >= 0; begin = end + 1)
        readLine(text.sliced(begin, end - begin));
    return begin;
}

void LogTimes::readLine(QByteArrayView line)
{
    const qsizetype space = line.indexOf(' ');
    if (space < 0 || m_entries.size() >= mostEntries)
        return;
    const auto size = digits(line.first(space)), time = digits(line.sliced(space + 1));
    if (!size || !time || *size == 0 || *time == 0)
        return;
    if (m_entries.empty())
        m_entries.push_back({*size, *time});
    else if (*size > m_entries.back().size) // a clock that was set back does not turn a curve
        m_entries.push_back({*size, std::max(*time, m_entries.back().time)});
}

std::optional<qint64> LogTimes::at(qint64 place) const
{
    const auto entry = std::upper_bound(m_entries.begin(), m_entries.end(), place,
        [](qint64 wanted, const Entry& one) { return wanted < one.size; });
    return place < 0 || entry == m_entries.end() ? std::nullopt : std::optional(entry->time);
}

std::optional<qint64> LogTimes::last() const
{
    return m_entries.empty() ? std::nullopt : std::optional(m_entries.back().time);
}

} // namespace slipway
