// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/secretstore.h"
#include "ui/parts/text.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace slipway {

/// SecretsDialog lists the names of the secrets in the keychain, adds one, replaces one and removes
/// one. It never shows a value. GUI thread; it deletes itself when it is closed.
class SecretsDialog : public QDialog {
    Q_OBJECT

public:
    /// `store` outlives the dialog.
    explicit SecretsDialog(SecretStore* store, QWidget* parent = nullptr);

private:
    void addList();
    void addButtons();
    void showNames();
    void showButtons();
    void say(const QString& text, Tint tint);
    void sayError(const Error& error);
    QCoro::Task<void> keep();
    QCoro::Task<void> remove();

    SecretStore* m_store;
    QListWidget* m_list;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_value = nullptr;
    QPushButton* m_keep;
    QPushButton* m_remove;
    TextLabel* m_said;
    bool m_busy = false; ///< the keychain is asked, and may wait for its password
};

} // namespace slipway
