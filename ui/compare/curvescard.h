// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"

#include <QFrame>

namespace slipway {

class CurvesControls;
class CurvesModel;
class MetricChart;
class TextLabel;

/// CurvesCard is the card with the curves of several runs on one axis: the controls, the chart with
/// its legend, which run is best, and which curves are missing. Lives on the GUI thread, owned by
/// the CurvesPage.
class CurvesCard : public QFrame {
    Q_OBJECT

public:
    explicit CurvesCard(CurvesModel* model, QWidget* parent = nullptr);
    ~CurvesCard() override;
    MetricChart* chart() const { return m_chart; }

signals:
    void noted(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshPoints();
    void showNumbers();

    CurvesModel* m_model;
    ChartSpec m_spec; ///< what the chart was last given
    std::vector<int> m_looks; ///< likewise, of its theme
    bool m_isDark = false;
    CurvesControls* m_controls;
    MetricChart* m_chart;
    TextLabel* m_sentence;
    TextLabel* m_missing;
};

} // namespace slipway
