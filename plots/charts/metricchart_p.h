// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/charts/chartlayer.h"
#include "plots/charts/chartticker.h"
#include "plots/charts/crosshair.h"
#include "plots/charts/metricchart.h"
#include "plots/figure/endlabels.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>

class QToolButton;

namespace slipway {

/// What MetricChart keeps between its three files; nobody else includes this.
struct MetricChart::Private {
    const SeriesStore* store = nullptr;
    ChartSpec spec;
    QString caption;
    bool legend = false;
    bool endLabels = true;
    std::optional<ValueRange> followedY;
    std::optional<QString> axisCaption;
    double smoothing = 0;
    bool follow = true;
    bool settingRanges = false; ///< the chart moves its own axes; nobody zoomed
    std::optional<ChartTheme> ownTheme;
    ChartTheme theme = ChartTheme::light();

    QCustomPlot* plot = nullptr; ///< child of the chart
    QToolButton* resume = nullptr;
    QSharedPointer<ChartTicker> xTicker;
    QSharedPointer<ChartTicker> yTicker;
    QTimer frame;
    QElapsedTimer announced;

    std::vector<Curve> curves;
    std::map<const MetricSeries*, std::unique_ptr<SmoothedSeries>> smoothed;
    CurveCanvas canvas;
    std::vector<EndLabel> labels;
    double labelWidth = 0; ///< only grows while the chart lives on, so that nothing jumps
    double tickWidth = 0;
    double legendHeight = 0;
    std::optional<QPointF> pointer;
    QString summary;
    quint64 drawnRevision = 0;
    quint64 generation = 0; ///< of the store, when `curves` was made
    bool stale = true; ///< the store or the looks changed since the last frame
    qint64 frames = 0;
};

} // namespace slipway
