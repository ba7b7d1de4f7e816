// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QMap>

#include <vector>

namespace slipway {

/// One way to log in that a server offers in WWW-Authenticate (RFC 9110, 11.6.1). A value.
struct AuthChallenge {
    QByteArray scheme; ///< lower case: "bearer", "basic"
    QMap<QByteArray, QByteArray> parameters; ///< names in lower case, the first of each counts
};

/// All challenges of the header, as far as it can be read; several may share one field, and
/// transports join several fields by commas.
std::vector<AuthChallenge> parseChallenges(const QByteArray& header);

/// The token of a token server's answer: "token", else "access_token". Protocol: there is none that
/// could be put into a header.
Result<QByteArray> parseToken(const QByteArray& json);

} // namespace slipway
