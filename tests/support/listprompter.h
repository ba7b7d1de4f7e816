// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"

#include <QList>

namespace slipway {

/// ListPrompter answers a login from a list, in order, and keeps the questions. When the list is
/// used up it gives up, as a person who closes the dialog.
class ListPrompter : public Prompter {
public:
    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override
    {
        rounds.append(round);
        std::optional<QStringList> reply;
        if (!answers.isEmpty())
            reply = answers.takeFirst();
        co_return reply;
    }
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override
    {
        keys.append(question);
        co_return bool(accept);
    }
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override
    {
        commands.append(question);
        co_return bool(acceptCommands);
    }
    void showBanner(const QString& text) override { banners.append(text); }
    void showNotice(const QString& text) override { notices.append(text); }
    void noteApproval(const QString& text) override { approvals.append(text); }

    QList<QStringList> answers;
    bool accept = false;
    bool acceptCommands = false;
    QList<PromptRound> rounds;
    QList<HostKeyQuestion> keys;
    QList<CommandQuestion> commands;
    QStringList banners;
    QStringList notices;
    QStringList approvals; ///< that a person had to give elsewhere
};

} // namespace slipway
