// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/secretstore.h"
#include "remote/shell/prompter.h"

#include <optional>

namespace slipway {

/// LoginPasswords keeps the passwords of logins and the passphrases of keys in a SecretStore, if a
/// person asks for it: "login:USER@HOST" and "passphrase:FILE". Second factors are never kept. A
/// value over the store, which outlives it. GUI (or main) thread.
class LoginPasswords {
public:
    explicit LoginPasswords(SecretStore* store);

    /// The name under which the answer to this round may be kept; empty: it may not, because it
    /// asks for several things, shows what is typed, or mentions a code, a token or a second
    /// factor.
    static QString nameFor(const PromptRound& round);
    /// A name as nameFor() makes them.
    static bool isName(const QString& name);

    /// The names of what is kept, sorted.
    QStringList names() const;
    /// Nothing: it is not kept. An error: the keychain refused.
    QCoro::Task<Result<std::optional<QString>>> find(QString name);
    QCoro::Task<Result<void>> keep(QString name, QString password);
    QCoro::Task<Result<void>> forget(QString name);

private:
    SecretStore* m_store;
};

} // namespace slipway
