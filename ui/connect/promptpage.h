// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"

#include <QWidget>

class QCheckBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace slipway {

class TextLabel;

/// PromptPage shows one round of a login: each prompt of the server verbatim, with its own field,
/// which hides the input if the server says so. All texts of the server are shown as plain text.
/// GUI thread; ConnectDialog owns it.
class PromptPage : public QWidget {
    Q_OBJECT

public:
    explicit PromptPage(QWidget* parent = nullptr);
    void setRound(const PromptRound& round);

    /// The button that sends the answers; it is in the button row of the dialog.
    QPushButton* action() const { return m_action; }

signals:
    /// `keep`: the person asked to keep the answer in the keychain.
    void answered(const QStringList& answers, bool keep);

private:
    void submit();

    TextLabel* m_title;
    TextLabel* m_who;
    TextLabel* m_refused;
    TextLabel* m_instruction;
    QVBoxLayout* m_fields;
    QCheckBox* m_keep;
    QPushButton* m_action;
    QList<QLineEdit*> m_edits;
};

} // namespace slipway
