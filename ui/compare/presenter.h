// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparemodel.h"

#include <QTimer>
#include <QWidget>

class QScreen;

namespace slipway {

struct PaperStyle;

/// PresenterView fills a screen with one comparison in type that the back row reads: the curves,
/// then the number, whether it was fair, the table. Live as the page is, and nothing else is on it.
/// Arrows, space, page keys and a click step; Esc and F11 leave; a pointer at rest is hidden.
class PresenterView : public QWidget {
    Q_OBJECT

public:
    enum Step { Curves, Number, Fairness, Table, StepCount };

    explicit PresenterView(CompareModel* model, QWidget* parent = nullptr);
    void showOn(QScreen* screen);
    Step step() const { return m_step; }
    void setStep(int step);
    /// What this step says, for who hears it.
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
    void tell();

    CompareModel* m_model;
    Step m_step = Curves;
    QTimer m_idle;
};

} // namespace slipway
