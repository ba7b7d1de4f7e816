// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/shellquoting.h"

namespace slipway {

QByteArray shellQuoted(const QByteArray& text)
{
    QByteArray quoted = text;
    quoted.replace('\'', "'\\''");
    return '\'' + quoted + '\'';
}

QByteArray shellQuoted(const QString& text)
{
    return shellQuoted(text.toUtf8());
}

} // namespace slipway
