// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/seriesstore.h"

#include "logs.h"

namespace slipway::test {

/// The curves of a log, a line each: name and lane, the name of x, the number of points, the last
/// point and the unit.
inline QStringList curvesOf(const QByteArray& log)
{
    SeriesStore store;
    store.add(readWhole(log).samples);
    QStringList curves;
    for (const auto& one : store.all()) {
        if (one->empty()) { // nothing but NaN
            curves.append(QStringLiteral("%1 @ %2, 0").arg(one->series(), one->xName()));
            continue;
        }
        const SeriesPoint last = one->at(one->size() - 1);
        curves.append(QStringLiteral("%1%2 @ %3, %4: %5:%6 %7")
                          .arg(one->series(),
                              one->lane().isEmpty() ? QString() : u'/' + one->lane(), one->xName())
                          .arg(one->size())
                          .arg(last.x, 0, 'g', 8)
                          .arg(last.y, 0, 'g', 6)
                          .arg(one->unit())
                          .trimmed());
    }
    return curves;
}

} // namespace slipway::test
