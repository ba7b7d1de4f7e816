// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/shelllines.h"

#include <QFrame>

class QComboBox;
class QLineEdit;

namespace slipway {

/// ShellCard offers what can be done with the nodes that a run keeps: a shell on them, or the steps
/// once more. It has the command, where to paste it, and a button that copies it. Lives on the GUI
/// thread, owned by the run page.
class ShellCard : public QFrame {
    Q_OBJECT

public:
    explicit ShellCard(QWidget* parent = nullptr);
    /// Hidden if there are none. The choice of the person is kept.
    void setLines(const ShellLines& lines);

private:
    void showLine();

    QComboBox* m_place;
    QLineEdit* m_line;
};

} // namespace slipway
