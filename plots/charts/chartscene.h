// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/charts/chartticker.h"
#include "plots/figure/curvepainter.h"
#include "plots/figure/endlabels.h"

#include <map>
#include <memory>
#include <optional>

namespace slipway {

/// How a live chart looks, in addition to what its ChartSpec says. A value.
struct ChartLook {
    bool legend = false;
    bool endLabels = true;
    std::optional<QString> axisCaption; ///< above the y axis; nullopt: its unit and direction
    double smoothing = 0; ///< weight of the moving average
};

/// ChartScene paints the series of a store, their names and the crosshair on the layers of a plot,
/// and sets the margins that the names need. GUI thread; MetricChart owns it, and the store must
/// outlive it or be taken away first.
class ChartScene {
public:
    /// `corner` is a widget in the top right corner, for which the legend leaves room.
    ChartScene(QCustomPlot* plot, const QWidget* corner);

    void setStore(const SeriesStore* store);
    /// The store; an empty one if there is none.
    const SeriesStore& store() const;
    void setSpec(const ChartSpec& spec);
    const ChartSpec& spec() const { return m_spec; }
    void setLook(const ChartLook& look);
    const ChartLook& look() const { return m_look; }
    void setTheme(const ChartTheme& theme);
    const ChartTheme& theme() const { return m_theme; }
    /// Shows the values at this point of the plot; nullopt: none.
    void setPointer(std::optional<QPointF> pointer);

    /// Whether the store has changed since update().
    bool isOutdated() const;
    void update();
    /// The ranges that show everything.
    ChartRanges ranges() const { return rangesOf(m_spec, m_curves); }
    void layOut();
    /// Otherwise the margins only grow, so that the plot does not jump.
    void resetLabelWidth() { m_labelWidth = 0; }
    qint64 framesDrawn() const { return m_frames; }

private:
    void resetMargins() { m_labelWidth = m_tickWidth = 0; }
    void layOutTicks();
    void styleAxes();
    void paintCurvesAndNames(QPainter& painter);
    void paintAxisNames(QPainter& painter, const QRectF& plot);
    void paintPointer(QPainter& painter);
    /// The name of the x axis with the unit of its labels.
    QString xTitle() const;
    QFont smallFont() const;
    QRectF legendArea(double height) const;

    QCustomPlot* m_plot;
    const QWidget* m_chart; ///< the widget that the plot is a part of
    const QWidget* m_corner;
    QSharedPointer<ChartTicker> m_xTicker;
    QSharedPointer<ChartTicker> m_yTicker;
    const SeriesStore* m_store = nullptr;
    ChartSpec m_spec;
    ChartLook m_look;
    ChartTheme m_theme = ChartTheme::light();
    std::vector<Curve> m_curves;
    std::map<const MetricSeries*, std::unique_ptr<SmoothedSeries>> m_smoothed;
    CurveCanvas m_canvas;
    double m_labelWidth = 0;
    double m_tickWidth = 0;
    double m_legendHeight = 0;
    std::optional<QPointF> m_pointer;
    quint64 m_drawnRevision = 0;
    quint64 m_generation = 0; ///< of the store, when `m_curves` was made
    qint64 m_frames = 0;
};

/// The section of an axis that is visible.
ValueRange visibleRange(const QCPAxis* axis);

} // namespace slipway
