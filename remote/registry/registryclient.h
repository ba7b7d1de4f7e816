// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/imagedescription.h"
#include "remote/registry/registrylogin.h"
#include "remote/registry/registrytransport.h"
#include "remote/registry/taglist.h"

#include <memory>
#include <optional>

namespace slipway {

/// What the test of a login has shown. A value.
struct LoginCheck {
    enum class State { Accepted, Refused, Unknown };
    State state = State::Unknown;
    std::optional<Error> why; ///< of a refusal, and of what could not be known
};
/// An answer of RegistryClient::checkLogin(): only what the registry said of the login itself is a
/// refusal.
LoginCheck loginCheck(const Result<void>& answer);

/// RegistryClient reads what a registry says of an image (OCI distribution specification 1.1):
/// anonymous and personal bearer tokens, basic logins, redirects that never take a token to another
/// host, digests that are checked, and bounds on everything that is read. Lives on the GUI (or
/// main) thread; tasks own what they need, so it may be deleted while one is running.
class RegistryClient {
public:
    /// `plainHttp`: registries without TLS ("login:5000"). All others are asked over TLS alone.
    explicit RegistryClient(
        std::shared_ptr<RegistryTransport> transport, QStringList plainHttp = {});

    /// The description of the image for `wanted`, or for the first platform where it is not
    /// offered. NotFound: no such image or tag; Authentication: a login is necessary or wrong (many
    /// registries say no more of an image that does not exist); Refused: a rate limit; Unsupported:
    /// no docker:// image, or an artifact that is none.
    QCoro::Task<Result<ImageDescription>> describe(
        ImageReference image, ImagePlatform wanted, std::optional<RegistryLogin> login = {}) const;

    /// The tags of the image's repository, at most taglimits::mostTags. Errors as above.
    QCoro::Task<Result<TagList>> tags(
        ImageReference image, std::optional<RegistryLogin> login = {}) const;

    /// Whether a login is accepted. Nothing is pulled. Unsupported: the registry answers everybody,
    /// so it cannot be known.
    QCoro::Task<Result<void>> checkLogin(QString registry, RegistryLogin login) const;

private:
    std::shared_ptr<RegistryTransport> m_transport;
    QStringList m_plainHttp;
};

} // namespace slipway
