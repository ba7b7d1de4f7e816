// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/chartticker.h"

namespace slipway {

void ChartTicker::generate(const QCPRange& range, const QLocale&, QChar, int,
    QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels)
{
    ticks.clear();
    if (subTicks)
        subTicks->clear();
    if (tickLabels)
        tickLabels->clear();
    for (const Tick& tick : makeTicks({range.lower, range.upper}, m_axis, m_about).ticks) {
        if (tick.label.isEmpty()) {
            if (subTicks)
                subTicks->append(tick.value);
            continue;
        }
        ticks.append(tick.value);
        if (tickLabels)
            tickLabels->append(tick.label);
    }
}

} // namespace slipway
