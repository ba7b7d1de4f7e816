// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"

namespace slipway {

class Output;

/// TerminalPrompter asks on the terminal: prompts on stderr as the server sent them, answers from
/// stdin, secrets without echo. Where stdin is no terminal it reads lines all the same. Lives on
/// the main thread and blocks it while a person types; the link has a thread of its own.
class TerminalPrompter : public Prompter {
public:
    explicit TerminalPrompter(Output* output);

    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override;
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override;
    void showBanner(const QString& text) override;

private:
    Output* m_output;
};

} // namespace slipway
