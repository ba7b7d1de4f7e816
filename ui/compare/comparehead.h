// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

class QPushButton;

namespace slipway {

class CompareModel;
class ElidedLabel;
class FlowLayout;
class TextLabel;
class ViewSwitch;

/// CompareHead is the top of the Compare page: the title, what ran where, a note on the last
/// action, and the buttons. It only reports which button was pressed; CompareActions does the work.
/// Lives on the GUI thread, owned by the page.
class CompareHead : public QWidget {
    Q_OBJECT

public:
    /// `canAdd`: whether there are runs to choose from.
    explicit CompareHead(bool canAdd, QWidget* parent = nullptr);
    void refresh(const CompareModel& model);
    /// Shows the note and announces it; an empty text hides it.
    void setNote(const QString& text);
    /// Whether the curves of the same runs can be chosen.
    void setSwitchVisible(bool visible);
    ViewSwitch* viewSwitch() const { return m_switch; }

signals:
    void addRequested();
    void copyRequested();
    void saveRequested();
    /// `menuAt` is the position for a menu, in global coordinates.
    void presentRequested(const QPoint& menuAt);
    void curvesRequested();

private:
    QPushButton* addButton(const QString& text, const QString& name);

    ViewSwitch* m_switch;
    TextLabel* m_title;
    ElidedLabel* m_subtitle;
    TextLabel* m_note;
    FlowLayout* m_buttons;
    QPushButton* m_present;
};

} // namespace slipway
