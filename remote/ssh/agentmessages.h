// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace slipway {

// The messages of an SSH agent (draft-miller-ssh-agent), without their length. Pure.

inline constexpr char requestIdentities = 11; // section 5.1
inline constexpr char identitiesAnswer = 12;
inline constexpr char signRequest = 13;

/// An SSH string of these bytes; a message on its way is one, too.
QByteArray withLength(const QByteArray& bytes);

/// The SSH string at `at`, which is advanced past it; nullopt when the message is too short.
std::optional<QByteArray> takeString(const QByteArray& message, qsizetype& at);

/// Whether a request to sign is for a key on a security key (FIDO): "sk-ssh-ed25519@openssh.com",
/// "sk-ecdsa-sha2-…".
bool wantsTouch(const QByteArray& request);

/// The agent's list of identities with the public keys `blobs` first; with `only`, no other key is
/// in it.
QByteArray filteredIdentities(const QByteArray& answer, const QList<QByteArray>& blobs, bool only);

} // namespace slipway
