// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

#include <optional>

class QGridLayout;
class QTabBar;

namespace slipway {

class GripSplitter;

/// LaunchPanes places the gallery, the form and the script side by side, with a border between form
/// and script that can be moved and is remembered. In a narrow window tabs choose between form and
/// script, in a very narrow one the gallery is a tab too. GUI thread; LaunchPage owns it.
class LaunchPanes : public QWidget {
    Q_OBJECT

public:
    enum class Part { Recipes, Form, Script };

    LaunchPanes(QWidget* gallery, QWidget* form, QWidget* script, QWidget* parent = nullptr);
    /// Turns to the tab of a part; nothing changes where it is visible anyway.
    void showPart(Part part);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// How much fits side by side.
    enum class Room { Wide, Narrow, Slim };

    void fold();
    void place(Room room);

    QWidget* m_gallery;
    QWidget* m_form;
    QWidget* m_script;
    QTabBar* m_tabs;
    GripSplitter* m_split;
    QGridLayout* m_grid;
    std::optional<Room> m_room;
};

} // namespace slipway
