// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace slipway {

class TextLabel;

/// OwnHostPage asks where to log in to a cluster that has no site file: host, user name, port. GUI
/// thread; AddCluster owns it.
class OwnHostPage : public QWidget {
    Q_OBJECT

public:
    explicit OwnHostPage(QWidget* parent = nullptr);
    /// The button that continues; it is in the button row of the dialog.
    QPushButton* action() const { return m_action; }

signals:
    void chosen(const QString& host, const QString& user, int port);

private:
    void choose();

    QLineEdit* m_host;
    QLineEdit* m_user;
    QLineEdit* m_port;
    TextLabel* m_problemLabel;
    QPushButton* m_action;
};

} // namespace slipway
