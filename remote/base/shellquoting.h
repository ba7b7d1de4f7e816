// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

namespace slipway {

/// `text` as one word for /bin/sh: in single quotes, quotes inside escaped. Any bytes except NUL.
QByteArray shellQuoted(const QByteArray& text);
QByteArray shellQuoted(const QString& text);

} // namespace slipway
