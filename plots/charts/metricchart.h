// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/charts/chartpicture.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/summary.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace slipway {

struct ChartLook;

/// MetricChart shows the series of a store while they grow: ChartScene paints them, ChartNavigation
/// pans and zooms. The owner of the store calls refresh() after it has added samples; the chart
/// redraws at most once every 16 ms, and never while it is hidden. It follows new samples until the
/// person zooms or pans; then it keeps the section until it follows again. Keys: arrows pan, + and
/// - zoom, Home shows everything, F follows, L switches the y axis between linear and logarithmic,
/// T asks for the numbers as a table. GUI thread; its parent owns it, and the store must outlive
/// the chart or be taken away first.
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
    /// How it was measured, for the text below the plot in exported pictures.
    void setCaption(const QString& caption);
    void setLegendVisible(bool visible);
    /// Without these labels the curves use the whole width, and their names must be shown
    /// elsewhere.
    void setEndLabelsVisible(bool visible);
    /// The text above the y axis, in place of its unit and of the direction that is better.
    void setAxisCaption(const std::optional<QString>& caption);
    /// While the chart follows, the y axis shows exactly this range, for example 0 to 100 for
    /// percentages. Only on the screen; exported pictures show the range of the values.
    void setFollowedY(const std::optional<ValueRange>& range);
    /// Without its own theme the chart uses the palette of the application.
    void setTheme(const std::optional<ChartTheme>& theme);

    /// The visible section. After it was set, the chart does not follow.
    ValueRange xRange() const;
    ValueRange yRange() const;
    void setRanges(const ValueRange& x, const ValueRange& y);

    /// The chart as text and its values, for screen readers and tables.
    QString summaryText() const;
    ChartTable dataTable() const;

    /// For an export: the visible section, with title and caption.
    ChartPicture picture() const;

    /// Draws a frame at once instead of within 16 ms, for pictures of the window and benchmarks.
    void drawNow();
    qint64 framesDrawn() const; ///< for tests: how often the curves were painted
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    /// The store may have changed. Cheap; call it as often as samples arrive.
    void refresh();
    void setFollow(bool follow);
    void setLogarithmicY(bool logarithmic);
    /// 0 draws only the raw curves; 0.88 averages over about eight values.
    void setSmoothing(double weight);
    void showEverything();

signals:
    void followChanged(bool follow);
    void logarithmicYChanged(bool logarithmic);
    void smoothingChanged(double weight);
    void summaryChanged(const QString& summary);
    void tableRequested();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Private;

    void connectPlot();
    void setScales();
    void redraw();
    void setLook(const ChartLook& look);
    void applyTheme();
    void announce();

    std::unique_ptr<Private> m;
};

} // namespace slipway
