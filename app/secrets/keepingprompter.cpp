// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/keepingprompter.h"

#include "remote/base/tr.h"

#include <utility>

namespace slipway {

namespace {

QString usedSentence(const PromptRound& round)
{
    if (round.kind == PromptRound::Kind::Passphrase)
        return tr("The passphrase of %1 comes from the keychain.").arg(round.keyFile);
    return tr("The password for %1@%2 comes from the keychain.").arg(round.user, round.host);
}

void wipe(QMap<QString, QString>* answers)
{
    for (QString& answer : *answers)
        answer.fill(QChar(0));
    answers->clear();
}

} // namespace

KeepingPrompter::KeepingPrompter(Prompter* behind, SecretStore* store)
    : m_behind(behind)
    , m_store(store)
{
}

KeepingPrompter::~KeepingPrompter()
{
    wipe(&m_answers);
}

QCoro::Task<std::optional<QString>> KeepingPrompter::kept(QString name)
{
    if (!m_store || m_used.contains(name))
        co_return std::nullopt;
    m_used << name;
    const auto found = co_await LoginPasswords(m_store).find(name);
    if (!found.ok()) {
        m_behind->showNotice(tr("The keychain cannot be read: %1").arg(found.error().summary));
        co_return std::nullopt;
    }
    co_return *found;
}

QCoro::Task<std::optional<QStringList>> KeepingPrompter::answer(PromptRound round)
{
    m_led = true;
    const QString name = m_store ? LoginPasswords::nameFor(round) : QString();
    // A password that was just refused is not sent again.
    if (!name.isEmpty() && round.attempt == 1) {
        const auto known = co_await kept(name);
        if (known) {
            m_behind->showNotice(usedSentence(round));
            co_return QStringList{*known};
        }
    }
    m_answers.remove(name);
    round.mayBeKept = !name.isEmpty();
    const auto answers = co_await m_behind->answer(round);
    if (round.mayBeKept && answers && m_behind->keepsAnswer())
        m_answers.insert(name, answers->value(0));
    co_return answers;
}

QMap<QString, QString> KeepingPrompter::takeAnswers()
{
    return std::exchange(m_answers, {});
}

QCoro::Task<Result<void>> KeepingPrompter::keep(
    QPointer<SecretStore> store, QMap<QString, QString> answers)
{
    for (auto it = answers.cbegin(); it != answers.cend() && store; ++it) {
        const auto kept = co_await LoginPasswords(store).keep(it.key(), it.value());
        if (!kept.ok())
            co_return kept.error();
    }
    wipe(&answers);
    co_return Result<void>();
}

QCoro::Task<bool> KeepingPrompter::acceptHostKey(HostKeyQuestion question)
{
    const bool accepted = co_await m_behind->acceptHostKey(question);
    co_return accepted;
}

QCoro::Task<bool> KeepingPrompter::acceptCommand(CommandQuestion question)
{
    const bool accepted = co_await m_behind->acceptCommand(question);
    co_return accepted;
}

void KeepingPrompter::showBanner(const QString& text)
{
    m_behind->showBanner(text);
}

void KeepingPrompter::showNotice(const QString& text)
{
    m_behind->showNotice(text);
}

} // namespace slipway
