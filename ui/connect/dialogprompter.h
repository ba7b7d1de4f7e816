// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"
#include "ui/connect/connectdialog.h"

#include <QObject>
#include <QPointer>

namespace slipway {

/// DialogPrompter passes the questions of a login to a ConnectDialog. It outlives the dialog: a
/// login in progress keeps it, and after the dialog is gone every question counts as cancelled. GUI
/// thread.
class DialogPrompter : public QObject, public Prompter {
    Q_OBJECT

public:
    explicit DialogPrompter(ConnectDialog* dialog);

    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override;
    bool keepsAnswer() const override { return m_dialog && m_dialog->keepsAnswer(); }
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override;
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override;
    void showBanner(const QString& text) override;
    void showNotice(const QString& text) override;

    /// Whether the person was asked about a host key, so that a refusal was their decision.
    bool hostKeyAsked() const { return m_hostKeyAsked; }

signals:
    void answered(const std::optional<QStringList>& answers);
    void hostKeyDecided(bool accept);
    void commandDecided(bool accept);

private:
    QPointer<ConnectDialog> m_dialog;
    bool m_hostKeyAsked = false;
    bool m_givenUp = false;
};

} // namespace slipway
