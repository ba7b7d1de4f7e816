// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/registrylogins.h"

#include "remote/base/tr.h"
#include "remote/registry/registryaddress.h"

#include <QRegularExpression>

namespace slipway {

namespace {

const QString loginPrefix = QStringLiteral("registry:");

/// "registry:docker.io"; empty: this is not the name of a registry.
QString loginKey(const QString& registry)
{
    static const QRegularExpression form(QStringLiteral(
        "\\A(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\\[[0-9a-f:.]{2,45}\\])(?::[0-9]{1,5})?\\z"));
    const QString host = registry.trimmed().toLower();
    const Result<RegistryAddress> address = RegistryAddress::of(host, {});
    if (address.ok() && address->isHub)
        return loginPrefix + QStringLiteral("docker.io");
    return form.match(host).hasMatch() ? QString(loginPrefix + host) : QString();
}

Error badRegistry(const QString& registry)
{
    return {ErrorKind::Invalid, tr("“%1” is not the name of a registry.").arg(registry.left(120)),
        tr("Give its host, with a port if it has one: nvcr.io, ghcr.io, localhost:5000.")};
}

Error badLogin(const QString& registry, const QString& why)
{
    return {ErrorKind::Invalid, tr("The login for %1 cannot be kept: %2").arg(registry, why)};
}

bool hasLineBreak(const QString& text)
{
    return text.contains(u'\n') || text.contains(u'\r') || text.contains(QChar(0));
}

} // namespace

RegistryLogins::RegistryLogins(SecretStore* store)
    : m_store(store)
{
}

QStringList RegistryLogins::registries() const
{
    const Result<QStringList> keys = m_store->keys();
    QStringList hosts;
    for (const QString& key : keys.ok() ? *keys : QStringList()) {
        const QString host = key.mid(loginPrefix.size());
        if (key.startsWith(loginPrefix) && loginKey(host) == key)
            hosts << host;
    }
    hosts.sort();
    return hosts;
}

QCoro::Task<Result<std::optional<RegistryLogin>>> RegistryLogins::find(QString registry)
{
    using Found = std::optional<RegistryLogin>;
    const QString key = loginKey(registry);
    if (key.isEmpty())
        co_return badRegistry(registry);
    SecretStore* const store = m_store;
    const auto value = co_await store->readKey(key);
    if (!value.ok() && value.error().kind == ErrorKind::NotFound)
        co_return Found();
    if (!value.ok())
        co_return value.error();
    const QString text = QString::fromUtf8(*value);
    const qsizetype end = text.indexOf(u'\n');
    if (end <= 0)
        co_return Error{ErrorKind::Invalid,
            tr("What the keychain holds for %1 is not a login.").arg(registry),
            tr("Log in again.")};
    co_return Found(RegistryLogin{text.left(end), text.mid(end + 1)});
}

QCoro::Task<Result<void>> RegistryLogins::keep(QString registry, RegistryLogin login)
{
    const QString key = loginKey(registry);
    if (key.isEmpty())
        co_return badRegistry(registry);
    if (login.user.isEmpty() || login.secret.isEmpty())
        co_return badLogin(registry, tr("the user name or the password is empty."));
    if (hasLineBreak(login.user) || hasLineBreak(login.secret))
        co_return badLogin(registry, tr("it contains a line break or a zero byte."));
    SecretStore* const store = m_store;
    const QByteArray value = QString(login.user + u'\n' + login.secret).toUtf8();
    const auto kept = co_await store->keepKey(key, value);
    co_return kept;
}

QCoro::Task<Result<void>> RegistryLogins::forget(QString registry)
{
    const QString key = loginKey(registry);
    if (key.isEmpty())
        co_return badRegistry(registry);
    SecretStore* const store = m_store;
    const auto gone = co_await store->forgetKey(key);
    if (!gone.ok() && gone.error().kind == ErrorKind::NotFound)
        co_return Error{
            ErrorKind::NotFound, tr("There is no login for %1 in the keychain.").arg(registry)};
    co_return gone;
}

} // namespace slipway
