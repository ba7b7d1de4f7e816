// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/secretstore.h"
#include "ui/parts/text.h"

#include <QDialog>
#include <QPointer>

class QGridLayout;

namespace slipway {

/// RegistryLoginsDialog lists the registries whose logins are kept in the keychain, and removes
/// them. It reads no secret. GUI thread; it deletes itself when it is closed.
class RegistryLoginsDialog : public QDialog {
    Q_OBJECT

public:
    explicit RegistryLoginsDialog(SecretStore* secrets, QWidget* parent = nullptr);

private:
    void fill();
    QCoro::Task<void> remove(QString name);

    QPointer<SecretStore> m_secrets;
    TextLabel* m_what;
    QGridLayout* m_rows;
};

} // namespace slipway
