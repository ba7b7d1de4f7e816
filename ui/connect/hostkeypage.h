// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "remote/shell/prompter.h"

#include <QWidget>

namespace slipway {

class TextLabel;

/// HostKeyPage shows the fingerprint of a server that this computer has not connected to before, to
/// be compared before anything secret is sent. Nothing is accepted by default: Enter does not press
/// Accept. GUI thread; ConnectDialog owns it.
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

/// ChangedKeyPage is shown when the key of a server differs from the known one. It explains what
/// may have happened and shows the command that removes the old key; the new key cannot be accepted
/// here. GUI thread; ConnectDialog owns it.
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

/// The `ssh-keygen -R …` command in the remedy or the raw text of an error; empty if there is none.
QString forgetCommand(const Error& error);

} // namespace slipway
