// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>

#include <random>

namespace slipway::bench {

/// What a busy training job writes: half of it numbers, the rest lines of real logs, failures among
/// them. Always the same text.
inline QByteArray mixedLog(int lines)
{
    QByteArrayList noise;
    const QDir folder(QStringLiteral(SLIPWAY_SOURCE_DIR "/tests/data/logs"));
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files)) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::ReadOnly) && !name.startsWith(QLatin1String("tqdm")))
            noise += file.readAll().split('\n');
    }
    std::mt19937 random(1);
    QByteArray log;
    for (int i = 0; i < lines; ++i) {
        const QByteArray n = QByteArray::number(i);
        const QByteArray y = QByteArray::number(0.1 + double(random() % 100000) / 1e5, 'f', 4);
        switch (i % 8) {
        case 0:
            log += "Epoch [1/5], Step [" + n + "/9999999], Train Loss: " + y + ", Valid Loss: " + y
                + '\n';
            break;
        case 2:
            log += "0: step " + n + " loss " + y + " lr 1e-4\n";
            break;
        case 4:
            log += "2026-11-20 21:01:31,595 INFO iter=" + n + " | loss=" + y
                + " | grad_norm=1.5 | 812.5 img/s\n";
            break;
        case 6:
            log += "\x1b[32mEpoch " + n + "\x1b[0m, Loss: " + y
                + ", Accuracy: 95.98, Test Loss: " + y + '\n';
            break;
        default:
            log += noise[qsizetype(random() % size_t(noise.size()))] + '\n';
        }
    }
    return log;
}

} // namespace slipway::bench
