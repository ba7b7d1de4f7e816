// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace slipway {

class TextLabel;

/// OwnHostPage asks where a cluster of the person's own is: host, user name, port.
class OwnHostPage : public QWidget {
    Q_OBJECT

public:
    explicit OwnHostPage(QWidget* parent = nullptr);
    /// The button that goes on; it stands in the dialog's own row.
    QPushButton* action() const { return m_action; }

signals:
    void chosen(const QString& host, const QString& user, int port);

private:
    void choose();

    QLineEdit* m_host;
    QLineEdit* m_user;
    QLineEdit* m_port;
    TextLabel* m_complaintLabel;
    QPushButton* m_action;
};

} // namespace slipway
