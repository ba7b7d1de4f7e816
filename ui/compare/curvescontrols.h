// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QHash>
#include <QStringList>
#include <QWidget>

class QCheckBox;
class QPushButton;
class QSlider;

namespace slipway {

class CurvesModel;
class FlowLayout;
class TextLabel;

/// CurvesControls is the strip above the curves of several runs: it chooses the series and the axis
/// in the model, and how strongly the chart smooths, which is remembered. Lives on the GUI thread,
/// owned by the CurvesCard.
class CurvesControls : public QWidget {
    Q_OBJECT

public:
    explicit CurvesControls(CurvesModel* model, QWidget* parent = nullptr);
    void refresh();
    double smoothing() const;
    void setLogarithmic(bool on);

signals:
    void smoothingChanged(double weight);
    void logarithmicChanged(bool on);
    void tableRequested();
    /// A sentence about what a choice has changed besides itself; empty: nothing.
    void noted(const QString& text);

private:
    void buildSeries();
    void buildAxes();
    QWidget* makeTools();
    void chooseSeries(const QString& series, bool shown);

    CurvesModel* m_model;
    FlowLayout* m_series;
    FlowLayout* m_axes;
    QStringList m_builtSeries, m_builtAxes;
    bool m_showsAll = false; ///< every series has a box, not only the first ones
    QHash<QString, QCheckBox*> m_boxes;
    QHash<QString, QPushButton*> m_axisButtons;
    QSlider* m_slider;
    TextLabel* m_weight;
    QPushButton* m_logarithmic;
};

} // namespace slipway
