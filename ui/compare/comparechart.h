// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QFrame>

#include <memory>

namespace slipway {

class CompareControls;
class CompareModel;
class ElidedLabel;
class MetricChart;
class SeriesStore;
struct ChartSpec;

/// CompareChart is the card with the curves of all shown lanes on one axis: the controls, the
/// chart, the lanes to show and hide, and the last value of each. It draws from its own store,
/// which refresh() fills from the model. Lives on the GUI thread, owned by the page.
class CompareChart : public QFrame {
    Q_OBJECT

public:
    explicit CompareChart(CompareModel* model, QWidget* parent = nullptr);
    ~CompareChart() override;
    void refresh();
    MetricChart* chart() const { return m_chart; }

private:
    void showNumbers();

    CompareModel* m_model;
    std::unique_ptr<SeriesStore> m_store;
    std::unique_ptr<ChartSpec> m_spec; ///< the spec that the chart has now
    CompareControls* m_controls;
    MetricChart* m_chart;
    ElidedLabel* m_summary;
};

} // namespace slipway
