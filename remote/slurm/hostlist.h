// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>
#include <QStringList>

namespace slipway {

/// "gpu[01-03,7],login" → gpu01, gpu02, gpu03, gpu7, login; several brackets in one name multiply
/// ("r1i[0-1]n[0-1]"). At most 65536 names and 4 Mi characters; more are ErrorKind::Unsupported,
/// and brackets that do not close ErrorKind::Protocol.
Result<QStringList> expandHostlist(const QString& text);

/// The number of names in a list, without expanding it. At most 10^12 are counted.
Result<qint64> countHostlist(const QString& text);

} // namespace slipway
