// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/sweepcurves.h"

#include <QFrame>

namespace slipway {

class CurvesModel;
class TextLabel;

/// ParallelView paints the runs of a sweep over several fields: one upright axis for each field and
/// one for the result, one line for each run in the look of its curve. GUI thread; its parent owns
/// it.
class ParallelView : public QWidget {
    Q_OBJECT

public:
    explicit ParallelView(QWidget* parent = nullptr);
    void setPlot(const ParallelPlot& plot);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double roomAt(size_t axis) const;
    double axisX(size_t axis) const;
    QRectF plotArea() const;
    void paintLines(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;

    ParallelPlot m_plot;
};

/// ParallelCard shows the ParallelView where two fields or more differ between the runs, and is
/// hidden otherwise. Lives on the GUI thread, owned by the CurvesPage.
class ParallelCard : public QFrame {
    Q_OBJECT

public:
    explicit ParallelCard(CurvesModel* model, QWidget* parent = nullptr);

private:
    void refresh();

    CurvesModel* m_model;
    TextLabel* m_title;
    ParallelView* m_view;
};

} // namespace slipway
