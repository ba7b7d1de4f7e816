// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"

namespace slipway {

class Output;

/// TerminalPrompter asks on the terminal: it writes the prompts of the server to stderr and reads
/// the answers from stdin, secrets without echo. stdin does not have to be a terminal. Lives on the
/// main thread and blocks it while the user types; the SSH link has its own thread.
class TerminalPrompter : public Prompter {
public:
    explicit TerminalPrompter(Output* output);

    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override;
    QCoro::Task<bool> acceptHostKey(HostKeyQuestion question) override;
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override;
    void showBanner(const QString& text) override;
    void showNotice(const QString& text) override;

private:
    Output* m_output;
};

} // namespace slipway
