// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/ticks.h"

#include <qcustomplot.h>

namespace slipway {

/// ChartTicker provides the ticks of plots/figure to an axis of the plot: powers of two for sizes,
/// prefixes for units. GUI thread; its axis owns it.
class ChartTicker : public QCPAxisTicker {
public:
    void setAxis(const ChartAxis& axis) { m_axis = axis; }
    void setAbout(int ticks) { m_about = ticks; }

    void generate(const QCPRange& range, const QLocale& locale, QChar formatChar, int precision,
        QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* tickLabels) override;

private:
    ChartAxis m_axis;
    int m_about = 5;
};

} // namespace slipway
