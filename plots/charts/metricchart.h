// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/figure.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/summary.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace slipway {

/// MetricChart draws the series of a store while they grow. The owner of the store calls refresh()
/// after it added samples; the chart redraws at most once in 16 ms, and never while hidden. It
/// follows what arrives until a person zooms or pans: then it holds the view until follow is set
/// again. Keys: arrows pan, + and - zoom, Home shows everything, F follows, L switches the y axis
/// between linear and logarithmic. GUI thread; the store must outlive the chart or be taken away
/// first.
class MetricChart : public QWidget {
    Q_OBJECT

public:
    explicit MetricChart(QWidget* parent = nullptr);
    ~MetricChart() override;

    void setStore(const SeriesStore* store);
    void setSpec(const ChartSpec& spec);
    const ChartSpec& spec() const;

    bool isFollowing() const;
    bool isLogarithmicY() const;
    double smoothing() const;
    /// How it was measured: stands below the plot in exported pictures.
    void setCaption(const QString& caption);
    void setLegendVisible(bool visible);
    /// Without them the curves have the width to themselves; whoever does that names them
    /// elsewhere.
    void setEndLabelsVisible(bool visible);
    /// What stands above the y axis, in place of its unit and of which way is better.
    void setAxisCaption(const std::optional<QString>& caption);
    /// While it follows, the y axis shows this and no other section: per cent stay 0 to 100. Of the
    /// widget only; what is exported spans its numbers.
    void setFollowedY(const std::optional<ValueRange>& range);
    /// A theme of its own; without one the chart follows the palette of the application.
    void setTheme(const std::optional<ChartTheme>& theme);

    /// The visible section. Setting one holds the view.
    ValueRange xRange() const;
    ValueRange yRange() const;
    void setRanges(const ValueRange& x, const ValueRange& y);

    /// The chart in words, and its numbers: for screen readers and tables.
    QString summaryText() const;
    ChartTable dataTable() const;

    // Exports show the section that is visible, with title and caption.
    QImage image(QSize size, double scale = 2) const;
    QByteArray svg(QSize size) const;
    QByteArray pdf(QSize size) const;
    QByteArray csv() const;
    /// As the suffix says: .png, .svg, .pdf or .csv.
    Result<void> save(const QString& path, QSize size, double scale = 2) const;

    /// Draws a frame now instead of within 16 ms: for pictures of the window and for benches.
    void drawNow();
    qint64 framesDrawn() const; ///< for tests: how often the curves were painted
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    /// The store may have changed. Cheap; call it as often as samples arrive.
    void refresh();
    void setFollow(bool follow);
    void setLogarithmicY(bool logarithmic);
    /// 0 draws the raw curves only; 0.88 remembers about eight values.
    void setSmoothing(double weight);
    void showEverything();

signals:
    void followChanged(bool follow);
    void logarithmicYChanged(bool logarithmic);
    void smoothingChanged(double weight);
    void summaryChanged(const QString& summary);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Private;

    // metricchart_paint.cpp
    void drawFrame();
    void applyTheme();
    void updateCurves();
    void layOut();
    void paintBelow(QPainter& painter);
    void paintAbove(QPainter& painter);
    FigureOptions figureOptions() const;
    // metricchart_input.cpp
    void hold();
    void pan(double dx, double dy);
    void zoom(double factor, std::optional<QPointF> centre = {});
    bool filterWheel(QEvent* event);
    void moveCrosshair(std::optional<QPointF> pointer);
    void announce();

    std::unique_ptr<Private> m;
};

} // namespace slipway
