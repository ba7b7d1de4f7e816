// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"

#include <QWidget>

namespace slipway {

class TextLabel;

/// CommandPage shows a command of the SSH configuration before it runs on this computer for the
/// first time; the default is not to run it. GUI thread; ConnectDialog owns it.
class CommandPage : public QWidget {
    Q_OBJECT

public:
    explicit CommandPage(QWidget* parent = nullptr);
    void setQuestion(const CommandQuestion& question);

signals:
    void decided(bool accept);

private:
    TextLabel* m_where;
    TextLabel* m_command;
};

} // namespace slipway
