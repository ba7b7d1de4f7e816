// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runsecrets.h"

#include "app/plan/plansecrets.h"
#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <QRandomGenerator>

namespace slipway {

namespace {

/// The launch is refused: it would run without the secret.
Error missingSecret(const QString& name, const std::optional<Error>& ofKeychain)
{
    const bool refused = ofKeychain && ofKeychain->kind != ErrorKind::NotFound;
    Error error;
    error.kind = refused ? ofKeychain->kind : ErrorKind::NotFound;
    error.summary = refused
        ? tr("The secret %1 could not be read, and Slipway's environment has no variable of that "
             "name: %2")
              .arg(name, ofKeychain->summary)
        : tr("The secret %1 is neither in the keychain nor a variable in Slipway's environment.")
              .arg(name);
    error.remedy = tr("Keep it in the keychain: slipway-cli secret set %1").arg(name);
    if (refused && !ofKeychain->remedy.isEmpty())
        error.remedy = ofKeychain->remedy;
    return error;
}

/// One value: from the keychain, else from the environment.
QCoro::Task<Result<QByteArray>> secretValue(RunFlow flow, QString name)
{
    std::optional<Error> ofKeychain;
    if (flow.secrets) {
        const auto kept = co_await flow.secrets->read(name);
        if (kept.ok())
            co_return *kept;
        ofKeychain = kept.error();
    }
    const QByteArray variable = name.toLatin1();
    if (qEnvironmentVariableIsEmpty(variable.constData()))
        co_return missingSecret(name, ofKeychain);
    co_return qgetenv(variable.constData());
}

} // namespace

QByteArray freshSalt()
{
    QByteArray bytes(16, '\0');
    for (char& byte : bytes)
        byte = char(QRandomGenerator::system()->bounded(256));
    return bytes.toHex();
}

Result<LaunchFile> secretsFile(const std::vector<SecretValue>& secrets, const QByteArray& salt)
{
    QByteArray text =
        "# Variables of this run with secrets. Removed when the job has ended. " + salt + '\n';
    for (const auto& [name, value] : secrets) {
        if (!isSecretName(name))
            return Error{
                ErrorKind::Invalid, tr("“%1” cannot be the name of a secret.").arg(name.left(80))};
        if (const Result<void> checked = checkedSecret(name, value); !checked.ok())
            return checked.error();
        text += "export " + name.toLatin1() + '=' + shellQuoted(value) + '\n';
    }
    return LaunchFile{QString::fromLatin1(secretFiles[0]), text, 0600};
}

QCoro::Task<Result<std::optional<LaunchFile>>> readSecrets(RunFlow flow, Plan plan)
{
    using Read = std::optional<LaunchFile>;
    const QStringList names = secretNames(plan);
    if (names.isEmpty())
        co_return Read();
    std::vector<SecretValue> secrets;
    for (const QString& name : names) {
        const auto value = co_await secretValue(flow, name);
        if (flow.over())
            co_return connectionGone();
        if (!value.ok())
            co_return value.error();
        secrets.emplace_back(name, *value);
    }
    const Result<LaunchFile> file = secretsFile(secrets, freshSalt());
    if (!file.ok())
        co_return file.error();
    co_return Read(*file);
}

QCoro::Task<void> removeSecrets(RunFlow flow)
{
    if (flow.record->run.folder.isEmpty())
        co_return;
    const RunFolder there(flow.cluster->shell(), flow.record->run.folder);
    const auto removed = co_await there.readLastExit();
    Q_UNUSED(removed.ok()) // the folder may not exist yet
}

} // namespace slipway
