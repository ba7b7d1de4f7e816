// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/plan.h"
#include "app/launch/resourceloader.h"

namespace slipway {

/// What a person would fill in, filled in: an account where the site wants one, and the example of
/// each field that nothing else can fill, unless `values` names it. For checks and previews; never
/// launched.
LaunchSpec filledSpec(
    const Recipe& recipe, const Site& site, const QMap<QString, QString>& values = {});

/// Whether Slipway does what a row says, today: each complaint is a sentence that names what is
/// missing. Renders scripts, asks lint, lets the recognisers read. Reads the files of recipes and
/// sites.
QStringList rowComplaints(const DocumentRow& row, const Resources& resources);

} // namespace slipway
