// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/loginpasswords.h"

#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

const QString passwordPrefix = QStringLiteral("login:");
const QString passphrasePrefix = QStringLiteral("passphrase:");
constexpr qsizetype longestPassword = 4096; ///< what a login sends at most

/// Words with which servers ask for something that is valid once, or for a choice of how to get it.
bool mentionsSecondFactor(const QString& text)
{
    static const QRegularExpression words(
        QStringLiteral(
            R"(code|token|passcode|\botp\b|one[- ]?time|\bpin\b|verification|duo|factor|)"
            R"(authenticat(or|ion app)|yubi|challenge|response|option)"),
        QRegularExpression::CaseInsensitiveOption);
    return text.contains(words);
}

bool asksForThePassword(const PromptRound& round)
{
    if (round.prompts.size() != 1 || round.prompts.front().echo)
        return false;
    const QString& prompt = round.prompts.front().text;
    return prompt.contains(u"password", Qt::CaseInsensitive)
        && !mentionsSecondFactor(round.title + u'\n' + round.instruction + u'\n' + prompt);
}

} // namespace

LoginPasswords::LoginPasswords(SecretStore* store)
    : m_store(store)
{
}

QString LoginPasswords::nameFor(const PromptRound& round)
{
    QString name;
    if (round.kind == PromptRound::Kind::Passphrase)
        name = passphrasePrefix + round.keyFile;
    else if (round.kind == PromptRound::Kind::Password || asksForThePassword(round))
        name = passwordPrefix + round.user + u'@' + round.host;
    return isName(name) ? name : QString();
}

bool LoginPasswords::isName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral(
        R"(\A(?:login:[^\s@\p{C}]{1,128}@[^\s@\p{C}]{1,253}|passphrase:/[^\p{C}]{1,1000})\z)"));
    return form.match(name).hasMatch();
}

QStringList LoginPasswords::names() const
{
    const Result<QStringList> keys = m_store->keys();
    QStringList names = keys.ok() ? *keys : QStringList();
    names.removeIf([](const QString& key) { return !isName(key); });
    names.sort();
    return names;
}

QCoro::Task<Result<std::optional<QString>>> LoginPasswords::find(QString name)
{
    using Found = std::optional<QString>;
    SecretStore* const store = m_store;
    const auto value = co_await store->readKey(name);
    if (!value.ok() && value.error().kind == ErrorKind::NotFound)
        co_return Found();
    if (!value.ok())
        co_return value.error();
    co_return Found(QString::fromUtf8(*value));
}

QCoro::Task<Result<void>> LoginPasswords::keep(QString name, QString password)
{
    if (!isName(name))
        co_return Error{ErrorKind::Invalid,
            tr("“%1” is not the name of a login.").arg(name.left(120)),
            tr("Write login:USER@HOST, or passphrase: and the path of a key.")};
    if (password.isEmpty() || password.size() > longestPassword || password.contains(u'\n'))
        co_return Error{ErrorKind::Invalid,
            tr("A password is one line of at most %1 characters.").arg(longestPassword),
            tr("Give it again.")};
    SecretStore* const store = m_store;
    const auto kept = co_await store->keepKey(name, password.toUtf8());
    co_return kept;
}

QCoro::Task<Result<void>> LoginPasswords::forget(QString name)
{
    SecretStore* const store = m_store;
    const auto gone = co_await store->forgetKey(name);
    if (!gone.ok() && gone.error().kind == ErrorKind::NotFound)
        co_return Error{ErrorKind::NotFound, tr("The keychain does not keep %1.").arg(name),
            tr("List the names: slipway-cli secret list")};
    co_return gone;
}

} // namespace slipway
