// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/secrets/secretstore.h"
#include "remote/registry/registrylogin.h"

#include <optional>

namespace slipway {

/// RegistryLogins keeps a person's logins at registries in a SecretStore, under "registry:HOST".
/// A value over the store, which outlives it. GUI (or main) thread.
class RegistryLogins {
public:
    explicit RegistryLogins(SecretStore* store);

    /// The registries with a login, sorted: "nvcr.io", "login:5000". Docker Hub is "docker.io".
    QStringList registries() const;
    /// Nothing: there is no login for this registry. An error: the keychain refused.
    QCoro::Task<Result<std::optional<RegistryLogin>>> find(QString registry);
    QCoro::Task<Result<void>> keep(QString registry, RegistryLogin login);
    QCoro::Task<Result<void>> forget(QString registry);

private:
    SecretStore* m_store;
};

} // namespace slipway
