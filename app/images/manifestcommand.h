// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "remote/container/runtime.h"
#include "remote/registry/registrylogin.h"

#include <optional>

namespace slipway {

/// What a learner could type to see the manifest of an image: curl. Of a login it names the user
/// only. Empty: the registry's name is none. Pure.
QString manifestCommand(
    const Site& site, const ImageReference& image, const std::optional<RegistryLogin>& account);

} // namespace slipway
