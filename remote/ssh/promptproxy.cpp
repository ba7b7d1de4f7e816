// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/promptproxy.h"

using namespace std::chrono_literals;

namespace slipway {

namespace {

/// An answer on its way from the GUI thread to the worker.
template <typename T> struct Pending {
    std::optional<T> value; // written before `done`, read after it
    std::atomic<bool> done = false;
};

template <typename T> void settle(Pending<T>& pending, LinkGate& gate, T value)
{
    pending.value = std::move(value);
    pending.done = true;
    gate.wake();
}

using Answers = std::optional<QStringList>;

QCoro::Task<void> askRound(Prompter* prompter, PromptRound round,
    std::shared_ptr<Pending<Answers>> pending, std::shared_ptr<LinkGate> gate)
{
    Answers answers = co_await prompter->answer(round);
    settle(*pending, *gate, std::move(answers));
}

QCoro::Task<void> askHostKey(Prompter* prompter, HostKeyQuestion question,
    std::shared_ptr<Pending<bool>> pending, std::shared_ptr<LinkGate> gate)
{
    const bool accepted = co_await prompter->acceptHostKey(question);
    settle(*pending, *gate, accepted);
}

QCoro::Task<void> askCommand(Prompter* prompter, CommandQuestion question,
    std::shared_ptr<Pending<bool>> pending, std::shared_ptr<LinkGate> gate)
{
    const bool accepted = co_await prompter->acceptCommand(question);
    settle(*pending, *gate, accepted);
}

template <typename T> bool waitFor(const Pending<T>& pending, LinkGate& gate)
{
    while (!pending.done)
        if (!gate.wait(-1, 0, 1min))
            return false;
    return true;
}

} // namespace

PromptProxy::PromptProxy(
    std::shared_ptr<MainThreadPoster> door, std::shared_ptr<LinkGate> gate, Prompter* prompter)
    : m_door(std::move(door))
    , m_gate(std::move(gate))
    , m_prompter(prompter)
{
}

std::optional<QStringList> PromptProxy::answer(const PromptRound& round)
{
    if (!m_prompter)
        return std::nullopt;
    auto pending = std::make_shared<Pending<Answers>>();
    m_door->post([prompter = m_prompter, round, pending, gate = m_gate] {
        askRound(prompter, round, pending, gate);
    });
    return waitFor(*pending, *m_gate) ? *pending->value : std::nullopt;
}

bool PromptProxy::acceptHostKey(const HostKeyQuestion& question)
{
    if (!m_prompter)
        return false;
    auto pending = std::make_shared<Pending<bool>>();
    m_door->post([prompter = m_prompter, question, pending, gate = m_gate] {
        askHostKey(prompter, question, pending, gate);
    });
    return waitFor(*pending, *m_gate) && *pending->value;
}

bool PromptProxy::acceptCommand(const CommandQuestion& question)
{
    if (!m_prompter)
        return false;
    auto pending = std::make_shared<Pending<bool>>();
    m_door->post([prompter = m_prompter, question, pending, gate = m_gate] {
        askCommand(prompter, question, pending, gate);
    });
    return waitFor(*pending, *m_gate) && *pending->value;
}

void PromptProxy::showBanner(const QString& text)
{
    if (m_prompter)
        m_door->post([prompter = m_prompter, text] { prompter->showBanner(text); });
}

void PromptProxy::showNotice(const QString& text)
{
    if (m_prompter)
        m_door->post([prompter = m_prompter, text] { prompter->showNotice(text); });
}

void PromptProxy::noteApproval(const QString& text)
{
    if (m_prompter)
        m_door->post([prompter = m_prompter, text] { prompter->noteApproval(text); });
}

} // namespace slipway
