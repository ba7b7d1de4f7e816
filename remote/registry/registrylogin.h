// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// A person's login at a registry. Never stored, logged or shown.
struct RegistryLogin {
    QString user;
    QString secret;
};

} // namespace slipway
