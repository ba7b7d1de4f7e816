// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

class QPushButton;

namespace slipway {

/// What the Compare page shows of its runs.
enum class CompareKind { Race, Curves };

/// ViewSwitch chooses between the race of lanes and the curves of runs, where both make sense. GUI
/// thread; its parent owns it.
class ViewSwitch : public QWidget {
    Q_OBJECT

public:
    explicit ViewSwitch(QWidget* parent = nullptr);
    void setKind(CompareKind kind);
    /// Puts the focus on the chosen button, after the other view was left by the keyboard.
    void focusChosen();

signals:
    void chosen(slipway::CompareKind kind);

private:
    QPushButton* m_race;
    QPushButton* m_curves;
};

} // namespace slipway
