// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/shelllines.h"

#include <QFrame>

class QComboBox;
class QLineEdit;

namespace slipway {

/// ShellCard offers a shell in the nodes that a run keeps: where a line is to be pasted, the line,
/// and a button that copies it. A terminal in the window would stand in its place. Lives on the GUI
/// thread, owned by the run page.
class ShellCard : public QFrame {
    Q_OBJECT

public:
    explicit ShellCard(QWidget* parent = nullptr);
    /// Hidden where there are none. What was chosen stays chosen.
    void setLines(const ShellLines& lines);

private:
    void showLine();

    QComboBox* m_place;
    QLineEdit* m_line;
};

} // namespace slipway
