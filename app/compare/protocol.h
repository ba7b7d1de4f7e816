// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparisonvalues.h"

namespace slipway {

/// How the two lanes were measured, one line per fact, printed with the result.
QStringList protocolLines(const Comparison& comparison);

} // namespace slipway
