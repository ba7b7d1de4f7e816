// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"

#include <QJsonArray>
#include <QJsonObject>

namespace slipway {

/// One row of the probe as --json prints it: what is not known is left out.
QJsonObject checkObject(const CheckRow& row);
QJsonArray checkObjects(const NodeReport& report);

} // namespace slipway
