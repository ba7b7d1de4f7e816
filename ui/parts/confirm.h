// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/text.h"

#include <QDialog>

namespace slipway {

/// Confirm asks one question before something that cannot be undone: one sentence says what will
/// happen, and a button names the action. Enter presses the button that has the focus, and at first
/// that is the one that goes back. GUI thread; it deletes itself when it is closed.
class Confirm : public QDialog {
    Q_OBJECT

public:
    Confirm(const QString& question, const QString& what, const QString& verb, ButtonKind kind,
        QWidget* parent = nullptr);
    /// The affected items, one per line, to be read before the answer.
    void setList(const QStringList& lines, const QString& name);
};

} // namespace slipway
