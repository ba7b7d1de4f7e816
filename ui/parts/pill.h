// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/words.h"

#include <QWidget>

namespace slipway {

/// StatePill shows a state as sign, word and colour on a soft ground. A change is told to assistive
/// technology.
class StatePill : public QWidget {
    Q_OBJECT

public:
    explicit StatePill(QWidget* parent = nullptr);
    void setState(const StateWord& state);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    /// For delegates: paints one at `topLeft`, and says how wide it is.
    static QSize sizeFor(const StateWord& state, const QFont& font);
    static void paint(QPainter& painter, const QPoint& topLeft, const StateWord& state,
        const QFont& font, const Colours& colours);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StateWord m_state;
};

} // namespace slipway
