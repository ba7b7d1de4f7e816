// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace slipway {

/// LoginPage asks for the user name, and for the login node if the site has several or none is
/// known. GUI thread; ConnectDialog owns it.
class LoginPage : public QWidget {
    Q_OBJECT

public:
    explicit LoginPage(const Site& site, const QString& lastUser, QWidget* parent = nullptr);

    /// The button that continues; it is in the button row of the dialog.
    QPushButton* action() const { return m_action; }

signals:
    void chosen(const QString& host, const QString& user);

private:
    void fillFields(const Site& site, const QString& lastUser);

    QComboBox* m_host;
    QLineEdit* m_user;
    QPushButton* m_action;
};

} // namespace slipway
