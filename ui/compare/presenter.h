// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparemodel.h"

#include <QTimer>
#include <QWidget>

class QScreen;

namespace slipway {

struct PaperStyle;

/// PresenterView fills a screen with one comparison in type that the back row can read: first the
/// curves, then the number, whether the race was fair, and the table. It is live, like the page.
/// Arrow keys, Space, the page keys and clicks change the step; Esc and F11 close it; an idle
/// pointer is hidden. Lives on the GUI thread, owned by CompareActions.
class PresenterView : public QWidget {
    Q_OBJECT

public:
    enum Step { Curves, Number, Fairness, Table, StepCount };

    explicit PresenterView(CompareModel* model, QWidget* parent = nullptr);
    void showOn(QScreen* screen);
    Step step() const { return m_step; }
    void setStep(int step);
    /// The text of this step, for screen readers.
    QString words() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void paintCurves(QPainter& painter, const QRectF& area, const PaperStyle& style);
    void paintNumber(QPainter& painter, const QRectF& area, const PaperStyle& style);
    void paintFoot(QPainter& painter, const QRectF& area, const PaperStyle& style);
    QRectF paintTitle(QPainter& painter, QRectF area, const PaperStyle& style);
    void announceStep();

    CompareModel* m_model;
    Step m_step = Curves;
    QTimer m_idle;
};

} // namespace slipway
