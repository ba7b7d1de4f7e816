// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/progresspace.h"

#include "plots/metrics/recogniser.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr qint64 paceWindow = 60'000; // ms
constexpr qint64 shortestPace = 2'000; // ms: below it, a burst of lines would count as speed
constexpr qint64 patience = 10'000; // ms
constexpr double longestLeft = 1e7; // s: beyond, an estimate means nothing

} // namespace

void ProgressPace::note(const MetricProgress& progress, qint64 now)
{
    const bool same = progress.name == m_name && progress.total == m_total;
    if (!same || progress.done < m_last.done) {
        m_repeats = same;
        m_name = progress.name;
        m_total = progress.total;
        m_from = m_middle = m_last = Mark{progress.done, now};
        return;
    }
    if (progress.done == m_last.done)
        return;
    m_last = Mark{progress.done, now};
    if (now - m_middle.when > paceWindow) {
        m_from = m_middle;
        m_middle = m_last;
    }
}

std::optional<RunProgress> ProgressPace::at(qint64 now) const
{
    if (m_name.isEmpty())
        return {};
    return RunProgress{m_name, m_last.done, m_total, left(now)};
}

std::optional<std::chrono::seconds> ProgressPace::left(qint64 now) const
{
    const qint64 span = m_last.when - m_from.when;
    const qint64 silent = now - m_last.when;
    const double grown = m_last.done - m_from.done;
    if (m_repeats || span < shortestPace || !(grown > 0) || silent > span + patience)
        return {};
    const double rest = (m_total - m_last.done) / grown * double(span) - double(silent);
    if (!(rest > 0) || rest / 1000 > longestLeft)
        return {};
    return std::chrono::seconds(qint64(std::ceil(rest / 1000)));
}

QString roughTime(std::chrono::seconds duration)
{
    const qint64 seconds = std::max<qint64>(1, duration.count());
    if (seconds < 55)
        return tr("about %1 s").arg(seconds < 10 ? seconds : (seconds + 2) / 5 * 5);
    const qint64 minutes = (seconds + 30) / 60;
    if (minutes < 60)
        return tr("about %1 min").arg(minutes);
    return tr("about %1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

} // namespace slipway
