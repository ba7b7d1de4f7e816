// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/curves.h"
#include "plots/figure/theme.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "remote/base/result.h"

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QRectF>
#include <QSize>

#include <optional>

class QPainter;

namespace slipway {

/// How a still picture of a chart looks, beyond what the chart itself says.
struct FigureOptions {
    ChartTheme theme = ChartTheme::light();
    QFont font; ///< its family; the sizes are the figure's own
    QString caption; ///< how it was measured, below the plot: "median of 7 runs · bars: smallest to
                     ///< largest"
    double smoothing =
        0; ///< weight of the moving average, 0 to 0.99; the raw curve stays faintly behind
    std::optional<ValueRange> xRange; ///< a section; else everything
    std::optional<ValueRange> yRange;
    bool legend = false; ///< besides the labels at the ends of the curves
};

/// Paints the chart into the rectangle. Needs a QGuiApplication for the fonts, and no widget.
void paintFigure(QPainter& painter, const QRectF& rect, const ChartSpec& spec,
    const SeriesStore& store, const FigureOptions& options);

/// size in logical pixels; the image has size × scale.
QImage renderChart(const ChartSpec& spec, const SeriesStore& store, QSize size, double scale,
    const FigureOptions& options);
QByteArray renderChartSvg(
    const ChartSpec& spec, const SeriesStore& store, QSize size, const FigureOptions& options);
QByteArray renderChartPdf(
    const ChartSpec& spec, const SeriesStore& store, QSize size, const FigureOptions& options);

/// Writes the chart as its suffix says: .png, .svg, .pdf or .csv.
Result<void> saveChart(const QString& path, const ChartSpec& spec, const SeriesStore& store,
    QSize size, double scale, const FigureOptions& options);

/// "GFLOP/s, higher is better".
QString axisCaption(const ChartSpec& spec, const QString& unit);

} // namespace slipway
