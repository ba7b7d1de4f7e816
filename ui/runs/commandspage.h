// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace slipway {

class ElidedText;

/// CommandsPage lists the commands behind the actions of a run, each with a button that copies it
/// alone: submitting and cancelling are not pasted together. Lives on the GUI thread, owned by the
/// tabs of the run page.
class CommandsPage : public QWidget {
    Q_OBJECT

public:
    explicit CommandsPage(QWidget* parent = nullptr);
    void setCommands(const QStringList& commands);

private:
    void addRow(const QString& command);

    QStringList m_commands;
    QVBoxLayout* m_rows;
    ElidedText* m_note; ///< what was copied
};

} // namespace slipway
