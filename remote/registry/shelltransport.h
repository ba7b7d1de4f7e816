// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/registrytransport.h"

#include <memory>

namespace slipway {

class Shell;

/// ShellTransport asks registries from a machine of a cluster, with the curl that is there: for
/// registries that only the cluster reaches. Addresses and headers travel on the standard input of
/// curl, so no token is ever in a list of processes, an environment or a file. Lives on the Shell's
/// thread.
class ShellTransport : public RegistryTransport {
public:
    /// `place`: "login1", "the login node of Demo cluster".
    ShellTransport(std::shared_ptr<Shell> shell, QString place);

    QString place() const override { return m_place; }
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override;

private:
    std::shared_ptr<Shell> m_shell;
    QString m_place;
};

/// The settings of a request as `curl --config -` reads them.
QByteArray curlSettings(const RegistryRequest& request);
/// What `curl --include` printed: headers and body. Interim answers (100, and those of a proxy) are
/// skipped. Protocol: it is not an answer of HTTP.
Result<RegistryAnswer> parseCurlOutput(const QByteArray& output);

} // namespace slipway
