// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/secretstore.h"

#include "remote/base/tr.h"
#include "remote/base/variablenames.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QSaveFile>

namespace slipway {

namespace {

constexpr qsizetype longestSecret = 64 * 1024;
constexpr qint64 largestNamesFile = 1024 * 1024;

Error badName(const QString& name)
{
    return {ErrorKind::Invalid, tr("“%1” cannot be the name of a secret.").arg(name.left(120)),
        tr("Use the environment variable that your program reads, HF_TOKEN for example: letters, "
           "digits and “_”, and no name that the shell, the loader or Slurm uses itself.")};
}

} // namespace

bool isSecretName(const QString& name)
{
    return isFreeVariableName(name);
}

Result<void> checkedSecret(const QString& name, const QByteArray& value)
{
    const auto refused = [](const QString& why) {
        return Error{ErrorKind::Invalid, why, tr("Give the value again, as one line.")};
    };
    if (value.isEmpty())
        return refused(tr("The value of %1 is empty.").arg(name));
    if (value.size() > longestSecret)
        return refused(tr("The value of %1 is longer than 64 KiB.").arg(name));
    if (value.contains('\n') || value.contains('\r') || value.contains('\0'))
        return refused(
            tr("The value of %1 contains a line break or a zero byte, which an environment "
               "variable of a job cannot carry.")
                .arg(name));
    return {};
}

SecretStore::SecretStore(QString folder, QObject* parent)
    : QObject(parent)
    , m_file(folder + u"/secrets.json")
    , m_keychain(makeSystemKeychain())
{
}

SecretStore::~SecretStore() = default;

void SecretStore::setKeychain(std::unique_ptr<Keychain> keychain)
{
    m_keychain = std::move(keychain);
}

Result<QStringList> SecretStore::keys() const
{
    QFile file(m_file);
    if (!file.exists())
        return QStringList();
    const auto broken = [this](const QString& why) {
        return Error{ErrorKind::Invalid,
            tr("%1, which lists the names of your secrets, cannot be read: %2.").arg(m_file, why),
            tr("Rename or delete the file and add the secrets again. It holds names only; the "
               "values are in the keychain.")};
    };
    if (!file.open(QIODevice::ReadOnly))
        return broken(file.errorString());
    const QJsonDocument json = QJsonDocument::fromJson(file.read(largestNamesFile));
    const QJsonValue names = json.object().value(u"names");
    if (!json.isObject() || !names.isArray())
        return broken(tr("it is not the file that Slipway writes"));
    QStringList keys;
    for (const auto& name : names.toArray())
        keys << name.toString();
    keys.removeAll(QString());
    return keys;
}

Result<void> SecretStore::writeKeys(QStringList keys)
{
    keys.removeDuplicates();
    keys.sort();
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file);
    const QByteArray bytes =
        QJsonDocument(QJsonObject{{QStringLiteral("names"), QJsonArray::fromStringList(keys)}})
            .toJson();
    const bool written = file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        && file.write(bytes) == bytes.size() && file.commit();
    if (!written)
        return Error{ErrorKind::Io,
            tr("%1 could not be written: %2.").arg(m_file, file.errorString()),
            tr("The names of secrets are kept there. Free some space, or check who owns the "
               "folder.")};
    emit changed();
    return {};
}

QStringList SecretStore::names() const
{
    const Result<QStringList> all = keys();
    QStringList names = all.ok() ? *all : QStringList();
    names.removeIf([](const QString& key) { return !isSecretName(key); });
    names.sort();
    return names;
}

QString SecretStore::trouble() const
{
    const Result<QStringList> all = keys();
    return all.ok() ? QString() : QStringList{all.error().summary, all.error().remedy}.join(u' ');
}

QCoro::Task<Result<QByteArray>> SecretStore::readKey(QString key)
{
    // A keychain may ask for its password, so it is opened for what it holds only. Without the
    // list of names it has to be asked.
    const Result<QStringList> listed = keys();
    if (listed.ok() && !listed->contains(key))
        co_return Error{ErrorKind::NotFound, tr("%1 is not kept.").arg(key)};
    const std::shared_ptr<Keychain> keychain = m_keychain;
    const auto value = co_await keychain->read(key);
    co_return value;
}

QCoro::Task<Result<void>> SecretStore::keepKey(QString key, QByteArray value)
{
    const QPointer<SecretStore> self(this);
    // A list that cannot be read is not replaced by a shorter one.
    if (const Result<QStringList> before = keys(); !before.ok())
        co_return before.error();
    const std::shared_ptr<Keychain> keychain = m_keychain;
    const auto written = co_await keychain->write(key, value);
    if (!written.ok())
        co_return written.error();
    if (!self)
        co_return programClosed();
    const Result<QStringList> listed = keys();
    if (!listed.ok())
        co_return listed.error();
    co_return writeKeys(*listed + QStringList{key});
}

QCoro::Task<Result<void>> SecretStore::forgetKey(QString key)
{
    const QPointer<SecretStore> self(this);
    const Result<QStringList> before = keys();
    if (!before.ok())
        co_return before.error();
    const std::shared_ptr<Keychain> keychain = m_keychain;
    const auto removed = co_await keychain->remove(key);
    const bool gone = removed.ok() || removed.error().kind == ErrorKind::NotFound;
    if (!gone)
        co_return removed.error();
    if (!self)
        co_return programClosed();
    const Result<QStringList> listed = keys();
    if (!listed.ok())
        co_return listed.error();
    if (!listed->contains(key) && !removed.ok())
        co_return removed.error();
    QStringList left = *listed;
    left.removeAll(key);
    co_return writeKeys(left);
}

QCoro::Task<Result<QByteArray>> SecretStore::read(QString name)
{
    if (!isSecretName(name))
        co_return badName(name);
    const auto value = co_await readKey(name);
    if (!value.ok() && value.error().kind == ErrorKind::NotFound)
        co_return Error{ErrorKind::NotFound, tr("There is no secret %1 in the keychain.").arg(name),
            tr("Keep it there: slipway-cli secret set %1").arg(name)};
    co_return value;
}

QCoro::Task<Result<void>> SecretStore::keep(QString name, QByteArray value)
{
    if (!isSecretName(name))
        co_return badName(name);
    if (const Result<void> checked = checkedSecret(name, value); !checked.ok())
        co_return checked.error();
    const auto kept = co_await keepKey(name, value);
    co_return kept;
}

QCoro::Task<Result<void>> SecretStore::forget(QString name)
{
    if (!isSecretName(name))
        co_return badName(name);
    const auto gone = co_await forgetKey(name);
    if (!gone.ok() && gone.error().kind == ErrorKind::NotFound)
        co_return Error{ErrorKind::NotFound, tr("There is no secret %1 in the keychain.").arg(name),
            tr("List the names: slipway-cli secret list")};
    co_return gone;
}

} // namespace slipway

#include "moc_secretstore.cpp"
