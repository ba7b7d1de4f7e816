// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/words.h"

#include <QWidget>

namespace slipway {

/// StatePill shows a state as sign, word and colour on a tinted background. A change is announced
/// to assistive technology. GUI thread; the page that shows it owns it.
class StatePill : public QWidget {
    Q_OBJECT

public:
    explicit StatePill(QWidget* parent = nullptr);
    void setState(const StateWord& state);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    /// For delegates: paints a pill at `topLeft` and returns its width.
    static QSize sizeFor(const StateWord& state, const QFont& font);
    static void paint(QPainter& painter, const QPoint& topLeft, const StateWord& state,
        const QFont& font, const Colours& colours);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StateWord m_state;
};

} // namespace slipway
