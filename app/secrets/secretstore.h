// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/keychain.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace slipway {

/// A key under which a secret may be kept: the name of an environment variable ("HF_TOKEN"), but
/// none that the shell, the loader, Slurm or Slipway itself reads ("PATH", "LD_PRELOAD").
bool isSecretName(const QString& name);

/// What a secret's value may be: one line of at most 64 KiB, not empty. An error says why not and
/// never contains the value.
Result<void> checkedSecret(const QString& name, const QByteArray& value);

/// SecretStore keeps a person's secrets: each value in the keychain, and which there are in a file
/// of names alone, because a keychain cannot be listed. The file is read again for each question,
/// because the window and the terminal program share it. Lives on the GUI (or main) thread; the
/// Engine owns it.
class SecretStore : public QObject {
    Q_OBJECT

public:
    /// `folder` holds secrets.json, the names.
    explicit SecretStore(QString folder, QObject* parent = nullptr);
    ~SecretStore() override;

    /// In place of the desktop's keychain; for tests.
    void setKeychain(std::unique_ptr<Keychain> keychain);

    /// The names that were kept, sorted; logins are not among them.
    QStringList names() const;
    /// Why the file of names cannot be read; empty: it can, or there is none.
    QString trouble() const;
    /// The value. ErrorKind::NotFound, with what to do: it is not kept.
    QCoro::Task<Result<QByteArray>> read(QString name);
    QCoro::Task<Result<void>> keep(QString name, QByteArray value);
    QCoro::Task<Result<void>> forget(QString name);

signals:
    /// names() is different.
    void changed();

private:
    friend class LoginPasswords;
    friend class RegistryLogins;

    /// Keys are "HF_TOKEN", "registry:nvcr.io" and "login:demo@login.example.org".
    Result<QStringList> keys() const;
    Result<void> writeKeys(QStringList keys);
    QCoro::Task<Result<QByteArray>> readKey(QString key);
    QCoro::Task<Result<void>> keepKey(QString key, QByteArray value);
    QCoro::Task<Result<void>> forgetKey(QString key);

    QString m_file;
    std::shared_ptr<Keychain> m_keychain; ///< a task that waits for it holds it as well
};

} // namespace slipway
