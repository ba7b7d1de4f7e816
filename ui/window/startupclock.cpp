// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/startupclock.h"

#include <QFile>

#include <ctime>
#include <unistd.h>

namespace slipway {

std::optional<qint64> millisecondsSinceStart()
{
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    // The name in parentheses may contain blanks; the start time is the 20th field after it.
    const QByteArray text = file.readAll();
    const QList<QByteArray> fields = text.sliced(text.lastIndexOf(')') + 2).split(' ');
    const long ticks = sysconf(_SC_CLK_TCK);
    timespec now{};
    if (fields.size() < 20 || ticks <= 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) {
        return std::nullopt;
    }
    const qint64 started = fields[19].toLongLong() * 1000 / ticks;
    return qint64(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000 - started;
}

} // namespace slipway
