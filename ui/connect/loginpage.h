// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace slipway {

/// LoginPage asks as whom, and through which login node where a site has several.
class LoginPage : public QWidget {
    Q_OBJECT

public:
    explicit LoginPage(const Site& site, const QString& lastUser, QWidget* parent = nullptr);

    /// The button that goes on; it stands in the dialog's own row.
    QPushButton* action() const { return m_action; }

signals:
    void chosen(const QString& host, const QString& user);

private:
    QComboBox* m_host;
    QLineEdit* m_user;
    QPushButton* m_action;
};

} // namespace slipway
