// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

namespace slipway {

/// The number of names in a list of nodes: "gpu[01-03,7],login" has 5, and several brackets in one
/// name multiply ("r1i[0-1]n[0-1]" has 4). Nothing is expanded. The result is at most 10^12;
/// brackets that do not close are ErrorKind::Protocol.
Result<qint64> countHostlist(const QString& text);

} // namespace slipway
