// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "tests/support/paths.h"

#include <QByteArray>
#include <QFile>

namespace slipway {

/// What a command of Slurm 24.11 printed, as it was captured: tests/data/slurm/24.11.5/NAME.
inline QByteArray captured(const char* name)
{
    QFile file(sourcePath(QStringLiteral("/tests/data/slurm/24.11.5/")) + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(file.fileName()));
    return file.readAll();
}

} // namespace slipway
