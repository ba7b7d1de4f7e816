// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/text.h"

#include <QDialog>

namespace slipway {

/// Confirm asks one question before something that cannot be taken back: what happens, in a
/// sentence, and a button that says the verb. Nothing is done by Enter alone.
class Confirm : public QDialog {
    Q_OBJECT

public:
    Confirm(const QString& question, const QString& what, const QString& verb, ButtonKind kind,
        QWidget* parent = nullptr);
    /// What it happens to, a line each, to be read before the answer.
    void setList(const QStringList& lines, const QString& name);
};

} // namespace slipway
