// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QCryptographicHash>
#include <QFile>
#include <QRandomGenerator>
#include <QString>

#include <algorithm>

namespace slipway {

constexpr qint64 mebibyte = 1024 * 1024;

/// Fills a file with what cannot be compressed, the same for the same seed. Returns its SHA-256;
/// empty: the file cannot be written.
inline QByteArray fillFile(const QString& path, qint64 bytes, quint32 seed = 7)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    QRandomGenerator generator(seed);
    QByteArray block(int(mebibyte), Qt::Uninitialized);
    QCryptographicHash sum(QCryptographicHash::Sha256);
    for (; bytes > 0; bytes -= block.size()) {
        generator.fillRange(reinterpret_cast<quint32*>(block.data()), block.size() / 4);
        block.resize(int(std::min(bytes, mebibyte)));
        if (file.write(block) != block.size())
            return {};
        sum.addData(block);
    }
    return sum.result();
}

/// The SHA-256 of a file; empty where it cannot be read.
inline QByteArray sumOf(const QString& path)
{
    QFile file(path);
    QCryptographicHash sum(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !sum.addData(&file))
        return {};
    return sum.result();
}

} // namespace slipway
