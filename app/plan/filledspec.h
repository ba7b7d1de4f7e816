// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

/// A form filled with examples: an account where the site requires one, and the example of each
/// field without another value, unless `values` sets it. For checks and previews; never launched.
LaunchSpec filledSpec(
    const Recipe& recipe, const Site& site, const QMap<QString, QString>& values = {});

} // namespace slipway
