// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/mainthreadposter.h"

#include <memory>

namespace slipway {

/// PromptProxy forwards the prompts of a login, which runs on the worker, to the Prompter on the
/// GUI thread and waits for the answer; the GUI never waits. Every prompt ends when the gate is
/// stopped.
class PromptProxy {
public:
    PromptProxy(
        std::shared_ptr<MainThreadPoster> door, std::shared_ptr<LinkGate> gate, Prompter* prompter);

    std::optional<QStringList> answer(const PromptRound& round);
    bool acceptHostKey(const HostKeyQuestion& question);
    bool acceptCommand(const CommandQuestion& question);
    void showBanner(const QString& text);
    void showNotice(const QString& text);
    void noteApproval(const QString& text);

private:
    std::shared_ptr<MainThreadPoster> m_door;
    std::shared_ptr<LinkGate> m_gate;
    Prompter* m_prompter; // used on the GUI thread only
};

} // namespace slipway
