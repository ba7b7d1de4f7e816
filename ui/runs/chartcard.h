// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/runs/runfeed.h"

#include <QFrame>
#include <QPointer>
#include <QPushButton>

class QTabBar;

namespace slipway {

class ElidedText;
class MetricChart;
class ElidedParagraph;

/// ChartCard shows the charts of a recipe, one at a time, with tools: smooth, log y, follow, table,
/// copy, save. A chart whose series have several units is shown as one chart for each, as they
/// arrive. Lives on the GUI thread, owned by the live tab of the run page.
class ChartCard : public QFrame {
    Q_OBJECT

public:
    explicit ChartCard(QWidget* parent = nullptr);

    /// `caption` says in exports what was measured where.
    void setCharts(const std::vector<ChartSpec>& charts, RunFeed* feed, const QString& caption);
    /// Shows only title and curves, for a second chart beside the first.
    void setCompact(bool compact);
    bool isEmpty() const { return m_charts.empty(); }
    MetricChart* chart() const { return m_chart; }

private:
    QWidget* makeTools();
    /// More samples have arrived, perhaps of other series.
    void regroup();
    /// The charts of the recipe by the units of their series.
    std::vector<ChartSpec> parts() const;
    void showTabs();
    void showSummary(const QString& text);
    void choose(int index);
    void showTable();
    void copy();
    void save();

    std::vector<ChartSpec> m_charts; ///< of the recipe
    std::vector<ChartSpec> m_parts; ///< what the tabs show
    quint64 m_shape = 0; ///< of the series, when m_parts was made
    QPointer<RunFeed> m_feed;
    QTabBar* m_names;
    ElidedText* m_title;
    MetricChart* m_chart;
    ElidedParagraph* m_summary;
    QPushButton* m_logarithmic = nullptr;
    QPushButton* m_follow = nullptr;
    QPushButton* m_smooth = nullptr;
    QWidget* m_tools; ///< initialised last: makeTools() creates the buttons above
};

} // namespace slipway
