// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

namespace slipway {

/// The facts of a site, by their names in the hints: "site", "modules", "driver", "purge_days"…
/// Pure.
QMap<QString, QString> siteFacts(const Site& site);

} // namespace slipway
