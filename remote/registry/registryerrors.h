// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/registry/registryaddress.h"
#include "remote/registry/registrytransport.h"

namespace slipway {

/// What was asked, for the sentence about its failure.
struct RegistryQuestion {
    RegistryAddress address;
    QString image; ///< "library/python:3.13"; empty: about the registry itself
    QString user; ///< empty: without a login
    QList<QByteArray> secrets = {}; ///< never to be shown, even if a server repeats them
};

/// What user and password are at this registry.
QString loginAdvice(const RegistryAddress& address);
/// The error for an answer with a status that is not a success, in the words of its cause.
Error statusError(const RegistryQuestion& question, const RegistryAnswer& answer);
/// A registry that needs a login, and none is known.
Error loginNeeded(const RegistryQuestion& question, const RegistryAnswer& answer);
/// A login that the registry does not accept.
Error loginRefused(const RegistryQuestion& question, const RegistryAnswer& answer);
/// A success that is no answer of a registry: a page for people, or something packed.
bool isForeign(const RegistryAnswer& answer);
Error foreignAnswer(const RegistryQuestion& question, const RegistryAnswer& answer);

} // namespace slipway
