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

/// How an exported picture of a chart looks, in addition to what the chart specifies.
struct FigureOptions {
    ChartTheme theme = ChartTheme::light();
    QFont font; ///< only its family; the sizes are fixed
    QString caption; ///< how it was measured, below the plot: "median of 7 runs · bars: smallest to
                     ///< largest"
    double smoothing =
        0; ///< weight of the moving average, 0 to 0.99; the raw curve stays visible, faintly
    std::optional<ValueRange> xRange; ///< the visible range; nullopt: everything
    std::optional<ValueRange> yRange;
    bool legend = false; ///< in addition to the labels at the ends of the curves
};

/// Paints the chart into the rectangle. Needs a QGuiApplication for the fonts, but no widget.
void paintFigure(QPainter& painter, const QRectF& rect, const ChartSpec& spec,
    const SeriesStore& store, const FigureOptions& options);

/// Removes what XML cannot hold; a program may have named a lane with it, and QSvgGenerator writes
/// it as it is.
void removeControlCharacters(QByteArray* xml);

/// size in logical pixels; the image has size × scale.
QImage renderChart(const ChartSpec& spec, const SeriesStore& store, QSize size, double scale,
    const FigureOptions& options);
QByteArray renderChartSvg(
    const ChartSpec& spec, const SeriesStore& store, QSize size, const FigureOptions& options);
QByteArray renderChartPdf(
    const ChartSpec& spec, const SeriesStore& store, QSize size, const FigureOptions& options);

/// Writes the chart in the format of the suffix: .png, .svg, .pdf or .csv.
Result<void> saveChart(const QString& path, const ChartSpec& spec, const SeriesStore& store,
    QSize size, double scale, const FigureOptions& options);

/// "performance, GFLOP/s · higher is better"; without a direction if nobody said which is better.
QString axisCaption(const ChartSpec& spec, const QString& unit);

} // namespace slipway
