// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "logs.h"

namespace slipway::test {

/// "series/lane @ xName=x: y unit", short enough to spell out a whole log.
inline QString text(const Sample& s)
{
    return QStringLiteral("%1/%2 @ %3=%4: %5 %6")
        .arg(s.series, s.lane, s.xName)
        .arg(s.x, 0, 'g', 12)
        .arg(s.y, 0, 'g', 12)
        .arg(s.unit)
        .trimmed();
}

inline QStringList texts(const std::vector<Sample>& samples, const QString& series = {})
{
    QStringList list;
    for (const Sample& s : samples) {
        if (series.isEmpty() || s.series == series)
            list.append(text(s));
    }
    return list;
}

inline QStringList texts(const std::vector<MetricEvent>& events)
{
    QStringList list;
    for (const MetricEvent& e : events)
        list.append(e.event + QStringLiteral(": ") + e.text);
    return list;
}

inline QStringList lines(std::initializer_list<const char*> texts)
{
    QStringList list;
    for (const char* t : texts)
        list.append(QString::fromUtf8(t));
    return list;
}

} // namespace slipway::test
