// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/feedlines.h"

#include "app/runs/logstages.h"

#include <algorithm>
#include <utility>

namespace slipway {

void FeedLines::append(QString text, qint64 number)
{
    constexpr size_t mostHeaders = 5000;
    if (const QString title = headerTitle(text); !title.isEmpty() && m_headers.size() < mostHeaders)
        m_headers.push_back({number, title});
    add(std::move(text), 2 * number);
}

void FeedLines::add(QString text, qint64 place)
{
    m_lines.append(std::move(text));
    m_places.push_back(place);
    ++m_new;
}

int FeedLines::trim(qsizetype most)
{
    // In large pieces, because each removal from the front moves the whole list.
    if (m_lines.size() > most + most / 10) {
        const qsizetype surplus = m_lines.size() - most;
        m_lines.remove(0, surplus);
        m_places.erase(m_places.begin(), m_places.begin() + surplus);
        m_first += surplus;
    }
    return int(std::min(std::exchange(m_new, 0), m_lines.size()));
}

qsizetype FeedLines::indexOf(qint64 number) const
{
    const auto place = std::lower_bound(m_places.begin(), m_places.end(), 2 * number);
    return place != m_places.end() && *place == 2 * number ? place - m_places.begin() : -1;
}

} // namespace slipway
