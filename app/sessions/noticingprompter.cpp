// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/noticingprompter.h"

#include "remote/base/tr.h"

namespace slipway {

QCoro::Task<std::optional<QStringList>> NoticingPrompter::answer(PromptRound round)
{
    if (!m_behind) {
        m_asked = true;
        m_declined = round.kind == PromptRound::Kind::Passphrase
            ? tr("The key %1 asks for its passphrase.").arg(round.keyFile)
            : tr("%1 asks for a password or a code.").arg(round.host);
        co_return std::nullopt;
    }
    auto answers = co_await m_behind->answer(round);
    m_asked = m_asked || !round.mayBeKept || !m_behind->keepsAnswer();
    co_return answers;
}

QCoro::Task<bool> NoticingPrompter::acceptHostKey(HostKeyQuestion question)
{
    if (!m_behind) {
        m_declined = tr("%1 has a host key that is not known here.").arg(question.host);
        co_return false;
    }
    const bool accepted = co_await m_behind->acceptHostKey(question);
    co_return accepted;
}

QCoro::Task<bool> NoticingPrompter::acceptCommand(CommandQuestion question)
{
    if (!m_behind) {
        m_declined = tr("The %1 for %2 was not run before.").arg(question.option, question.host);
        co_return false;
    }
    const bool accepted = co_await m_behind->acceptCommand(question);
    co_return accepted;
}

void NoticingPrompter::showBanner(const QString& text)
{
    if (m_behind)
        m_behind->showBanner(text);
}

void NoticingPrompter::showNotice(const QString& text)
{
    m_notices << text;
    if (m_behind)
        m_behind->showNotice(text);
}

void NoticingPrompter::noteApproval(const QString& text)
{
    m_asked = true;
    m_notices << text;
    if (m_behind)
        m_behind->noteApproval(text);
}

} // namespace slipway
