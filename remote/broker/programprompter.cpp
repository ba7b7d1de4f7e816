// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/programprompter.h"

namespace slipway {

namespace {

constexpr qsizetype mostNotices = 64;
constexpr qsizetype longestNotice = 16 * 1024;

} // namespace

QCoro::Task<std::optional<QStringList>> ProgramPrompter::answer(PromptRound round)
{
    std::optional<QStringList> answers;
    const size_t wanted = round.prompts.size();
    if (m_leader) {
        LoginQuestion question;
        question.round = std::move(round);
        answers = co_await m_leader->ask(std::move(question));
    }
    if (answers && size_t(answers->size()) != wanted)
        answers.reset();
    (answers ? m_asked : m_declined) = true;
    co_return answers;
}

QCoro::Task<bool> ProgramPrompter::accepted(LoginQuestion question)
{
    std::optional<QStringList> answers;
    if (m_leader)
        answers = co_await m_leader->ask(std::move(question));
    m_declined |= !answers;
    co_return answers.has_value();
}

QCoro::Task<bool> ProgramPrompter::acceptHostKey(HostKeyQuestion key)
{
    LoginQuestion question;
    question.key = std::move(key);
    const bool yes = co_await accepted(std::move(question));
    co_return yes;
}

QCoro::Task<bool> ProgramPrompter::acceptCommand(CommandQuestion command)
{
    LoginQuestion question;
    question.command = std::move(command);
    const bool yes = co_await accepted(std::move(question));
    co_return yes;
}

void ProgramPrompter::showBanner(const QString& text)
{
    if (m_leader)
        m_leader->send({MessageType::Banner, 0, fieldsOf({text.left(longestNotice)})});
}

void ProgramPrompter::showNotice(const QString& text)
{
    if (m_notices.size() < mostNotices)
        m_notices << text.left(longestNotice);
    if (m_leader)
        m_leader->send({MessageType::Notice, 0, fieldsOf({text.left(longestNotice)})});
}

/// That a person was needed, the answer to the login says to every program.
void ProgramPrompter::noteApproval(const QString& text)
{
    m_asked = true;
    showNotice(text);
}

} // namespace slipway
