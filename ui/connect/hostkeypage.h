// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "remote/shell/prompter.h"

#include <QWidget>

namespace slipway {

class TextLabel;

/// HostKeyPage shows the fingerprint of a server that was never seen, to be compared before
/// anything secret is sent. Nothing is accepted by default: Enter does not press Accept.
class HostKeyPage : public QWidget {
    Q_OBJECT

public:
    explicit HostKeyPage(QWidget* parent = nullptr);
    void setQuestion(const HostKeyQuestion& question);

signals:
    void decided(bool accept);

private:
    TextLabel* m_where;
    TextLabel* m_type;
    TextLabel* m_fingerprint;
};

/// ChangedKeyPage is a hard stop: the server shows another key than it did before. It says what may
/// have happened and the command that forgets the old key; it cannot accept the new one.
class ChangedKeyPage : public QWidget {
    Q_OBJECT

public:
    explicit ChangedKeyPage(QWidget* parent = nullptr);
    void setError(const Error& error);

private:
    TextLabel* m_summary;
    TextLabel* m_remedy;
    TextLabel* m_command;
    QWidget* m_commandRow;
    TextLabel* m_detail;
};

/// The `ssh-keygen -R …` command inside a remedy or raw text; empty when there is none.
QString forgetCommand(const Error& error);

} // namespace slipway
