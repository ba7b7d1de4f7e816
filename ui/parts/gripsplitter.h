// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QSplitter>

namespace slipway {

/// GripSplitter is a splitter whose divider is visible and can be moved with the keyboard: arrow
/// keys by a line, Page Up and Page Down by several, Home and End as far as it goes. The position
/// is remembered under a key of the settings. GUI thread; its parent owns it.
class GripSplitter : public QSplitter {
    Q_OBJECT

public:
    /// `name` is the accessible name of the divider.
    GripSplitter(
        Qt::Orientation orientation, const QString& key, const QString& name, QWidget* parent);
    /// Once both sides are there: to where it was left the last time.
    void restorePosition();
    /// Whether a person has put it where it is, now or the last time.
    bool isPlaced() const { return m_placed; }
    /// False while one side is as large as it needs to be: then the position says nothing.
    void setRemembers(bool remembers) { m_remembers = remembers; }

protected:
    QSplitterHandle* createHandle() override;

private:
    const QString m_key;
    const QString m_name;
    bool m_remembers = true;
    bool m_placed = false;
};

} // namespace slipway
