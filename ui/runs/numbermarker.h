// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/taughtpattern.h"

#include <QObject>

class QAction;
class QPlainTextEdit;

namespace slipway {

/// NumberMarker lets a person choose a number of a log to be drawn: by its context menu, which has
/// the usual entries as well, or by a key. Lives on the GUI thread; the view owns it.
class NumberMarker : public QObject {
    Q_OBJECT

public:
    explicit NumberMarker(QPlainTextEdit* view);

signals:
    void marked(const QString& line, const slipway::TaughtNumber& taught);

private:
    void showMenu(const QPoint& place);
    void choose();

    QPlainTextEdit* m_view;
    QAction* m_draw;
};

} // namespace slipway
