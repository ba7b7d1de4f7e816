// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace slipway {

class TextLabel;

/// CompareEmpty is what the Compare page shows while it has no run: what to do, with a button for
/// each way. Lives on the GUI thread, owned by the page.
class CompareEmpty : public QWidget {
    Q_OBJECT

public:
    explicit CompareEmpty(QWidget* parent = nullptr);
    /// Why the chosen runs are not shown; an empty text hides the note.
    void setNote(const QString& text);

signals:
    void launchRequested();
    void pickRequested();

private:
    TextLabel* m_note;
};

} // namespace slipway
