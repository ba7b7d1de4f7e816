// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"

#include <QJsonObject>

namespace slipway {

/// A run as --json prints it.
QJsonObject runObject(const Run& run);

} // namespace slipway
