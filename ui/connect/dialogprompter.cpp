// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/connect/dialogprompter.h"

#include <QCoroSignal>

namespace slipway {

DialogPrompter::DialogPrompter(ConnectDialog* dialog)
    : m_dialog(dialog)
{
    connect(dialog, &ConnectDialog::answered, this, &DialogPrompter::answered);
    connect(dialog, &ConnectDialog::hostKeyDecided, this, &DialogPrompter::hostKeyDecided);
    connect(dialog, &ConnectDialog::commandDecided, this, &DialogPrompter::commandDecided);
    connect(dialog, &ConnectDialog::cancelled, this, [this] { m_givenUp = true; });
    connect(dialog, &QObject::destroyed, this, [this] {
        m_givenUp = true;
        emit answered(std::nullopt);
        emit hostKeyDecided(false);
        emit commandDecided(false);
    });
}

QCoro::Task<std::optional<QStringList>> DialogPrompter::answer(PromptRound round)
{
    if (!m_dialog || m_givenUp) {
        co_return std::nullopt;
    }
    m_dialog->ask(round);
    const std::optional<QStringList> answers = co_await qCoro(this, &DialogPrompter::answered);
    co_return answers;
}

QCoro::Task<bool> DialogPrompter::acceptHostKey(HostKeyQuestion question)
{
    if (!m_dialog || m_givenUp) {
        co_return false;
    }
    m_hostKeyAsked = true;
    m_dialog->askHostKey(question);
    const bool accepted = co_await qCoro(this, &DialogPrompter::hostKeyDecided);
    co_return accepted;
}

QCoro::Task<bool> DialogPrompter::acceptCommand(CommandQuestion question)
{
    if (!m_dialog || m_givenUp) {
        co_return false;
    }
    m_dialog->askCommand(question);
    const bool accepted = co_await qCoro(this, &DialogPrompter::commandDecided);
    co_return accepted;
}

void DialogPrompter::showNotice(const QString& text)
{
    if (m_dialog && !m_givenUp) {
        m_dialog->showProgress(text);
    }
}

void DialogPrompter::showBanner(const QString& text)
{
    if (m_dialog) {
        m_dialog->showBanner(text);
    }
}

} // namespace slipway

#include "moc_dialogprompter.cpp"
