// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>
#include <QPointF>

#include <optional>

class QCustomPlot;
class QEvent;
class QWidget;

namespace slipway {

/// ChartNavigation pans and zooms a plot with mouse, wheel and keyboard and reports where the
/// pointer is. GUI thread; MetricChart owns it.
class ChartNavigation : public QObject {
    Q_OBJECT

public:
    /// `chart` is the widget that the plot is a part of, and that has the focus.
    ChartNavigation(QCustomPlot* plot, QWidget* chart);
    /// Arrow keys pan, + and - zoom; false: the key does nothing here.
    bool press(int key);

signals:
    /// The person is about to choose a section.
    void sectionChosen();
    void everythingRequested();
    void pointerMoved(std::optional<QPointF> pointer);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void pan(double dx, double dy);
    void zoom(double factor, std::optional<QPointF> centre = {});
    bool filterWheel(QEvent* event);

    QCustomPlot* m_plot;
    QWidget* m_chart;
};

} // namespace slipway
