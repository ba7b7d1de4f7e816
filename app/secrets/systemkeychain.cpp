// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/keychain.h"

#include "remote/base/tr.h"

#include <QCoroSignal>
#include <QScopedPointer>

#include <qt6keychain/keychain.h>

namespace slipway {

namespace {

const QString keychainService = QStringLiteral("slipway");

/// `key` is a name, never a value; what QtKeychain says names no value either.
Error keychainError(const QKeychain::Job& job, const QString& key)
{
    const QByteArray said = job.errorString().toUtf8();
    switch (job.error()) {
    case QKeychain::EntryNotFound:
        return {ErrorKind::NotFound, tr("The keychain has no entry %1.").arg(key)};
    case QKeychain::AccessDeniedByUser:
        return {ErrorKind::Cancelled, tr("The keychain was not unlocked."),
            tr("Try again, and enter the password of the keychain."), said};
    case QKeychain::AccessDenied:
        return {ErrorKind::Unsupported, tr("The keychain denies access to %1.").arg(key),
            tr("Unlock it in the desktop's password manager and try again."), said};
    case QKeychain::NoError:
    case QKeychain::CouldNotDeleteEntry:
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
    case QKeychain::OtherError:
        break;
    }
    return {ErrorKind::Unsupported, tr("No keychain can be used here."),
        tr("Start a desktop session with GNOME Keyring or KWallet, and unlock it. For one launch "
           "without a keychain, set the environment variable of that name for Slipway itself."),
        said};
}

/// A job reads its own members after it has said that it is finished.
template <typename Job> using OwnedJob = std::unique_ptr<Job, QScopedPointerDeleteLater>;

/// Starts a job and waits for its end. The job is the caller's.
QCoro::Task<Result<void>> finishedJob(QKeychain::Job* job, QString key)
{
    job->setAutoDelete(false);
    job->setInsecureFallback(false); // never a file in place of the keychain
    job->setKey(key);
    job->start(); // it begins in the event loop
    co_await qCoro(job, &QKeychain::Job::finished);
    if (job->error() != QKeychain::NoError)
        co_return keychainError(*job, key);
    co_return Result<void>();
}

class SystemKeychain : public Keychain {
public:
    QCoro::Task<Result<QByteArray>> read(QString key) override
    {
        const OwnedJob<QKeychain::ReadPasswordJob> job(
            new QKeychain::ReadPasswordJob(keychainService));
        const auto done = co_await finishedJob(job.get(), key);
        if (!done.ok())
            co_return done.error();
        co_return job->binaryData();
    }

    QCoro::Task<Result<void>> write(QString key, QByteArray value) override
    {
        const OwnedJob<QKeychain::WritePasswordJob> job(
            new QKeychain::WritePasswordJob(keychainService));
        job->setBinaryData(value);
        const auto done = co_await finishedJob(job.get(), key);
        co_return done;
    }

    QCoro::Task<Result<void>> remove(QString key) override
    {
        const OwnedJob<QKeychain::DeletePasswordJob> job(
            new QKeychain::DeletePasswordJob(keychainService));
        const auto done = co_await finishedJob(job.get(), key);
        co_return done;
    }
};

} // namespace

std::unique_ptr<Keychain> makeSystemKeychain()
{
    return std::make_unique<SystemKeychain>();
}

} // namespace slipway
