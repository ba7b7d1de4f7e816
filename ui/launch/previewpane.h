// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/scriptview.h"

#include <QPushButton>

namespace slipway {

class TextLabel;

/// PreviewPane shows the exact script that will be submitted. Edit lets the person change it by
/// hand; from then on the form no longer changes it, until Revert.
class PreviewPane : public QWidget {
    Q_OBJECT

public:
    explicit PreviewPane(QWidget* parent = nullptr);
    void setScript(const QByteArray& script);
    /// Empty while the script is the form's own.
    QByteArray editedScript() const;
    void revert();
    ScriptView* view() const { return m_view; }

signals:
    void editedChanged();

private:
    void showState();

    QByteArray m_script;
    bool m_edited = false;
    ScriptView* m_view;
    TextLabel* m_note;
    QPushButton* m_edit;
    QPushButton* m_revert;
};

} // namespace slipway
