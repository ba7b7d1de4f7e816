// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/bearerchallenge.h"
#include "remote/registry/registryerrors.h"
#include "remote/registry/registrylogin.h"

#include <QDeadlineTimer>

#include <memory>
#include <optional>

namespace slipway {

/// RegistrySession is one conversation with one registry: it logs in when the registry asks for it,
/// follows redirects and never lets a login or a token go to another host. Ends after a minute,
/// however many questions there are. Lives in the coroutine that owns it, which awaits each call
/// before the next.
class RegistrySession {
public:
    RegistrySession(std::shared_ptr<RegistryTransport> transport, RegistryQuestion about,
        std::optional<RegistryLogin> login);

    /// A success, after a login where one was asked for; every other status is its Error.
    /// `repository`: for the scope of a token; empty: the registry itself.
    QCoro::Task<Result<RegistryAnswer>> get(
        QString path, QString repository, QByteArray accept, qint64 mostBytes);

    /// Whether the registry asked for a login before it answered.
    bool wasChallenged() const { return m_wasChallenged; }
    const RegistryQuestion& about() const { return m_about; }

private:
    struct Followed {
        RegistryAnswer answer;
        bool isOfOrigin = true; ///< it is the registry's own, not that of a redirect's target
    };
    /// With `authorization` as long as scheme, host and port stay the same.
    QCoro::Task<Result<Followed>> follow(RegistryRequest request, QByteArray authorization);
    /// Sets m_authorization as the challenge wants it.
    QCoro::Task<Result<void>> authorise(RegistryAnswer challenge, QString repository);
    QCoro::Task<Result<void>> fetchToken(AuthChallenge challenge, QString repository);
    Result<QByteArray> basicLogin() const;

    std::shared_ptr<RegistryTransport> m_transport;
    RegistryQuestion m_about;
    std::optional<RegistryLogin> m_login;
    QByteArray m_authorization;
    QDeadlineTimer m_end;
    bool m_wasChallenged = false;
};

/// The scope to ask a token for: what the registry named if it is for reading, else pull of the
/// repository.
QByteArray tokenScope(const QByteArray& named, const QString& repository);

} // namespace slipway
