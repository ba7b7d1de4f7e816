// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

/// What a person would fill in, filled in: an account where the site wants one, and the example of
/// each field that nothing else can fill, unless `values` names it. For checks and previews; never
/// launched.
LaunchSpec filledSpec(
    const Recipe& recipe, const Site& site, const QMap<QString, QString>& values = {});

} // namespace slipway
