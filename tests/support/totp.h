// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDateTime>
#include <QMessageAuthenticationCode>
#include <QString>
#include <QtEndian>

namespace slipway {

/// The bytes of a base32 text, as secrets of one-time codes are written.
inline QByteArray fromBase32(const QByteArray& text)
{
    static const QByteArray letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
    QByteArray bytes;
    quint32 bits = 0;
    int held = 0;
    for (const char letter : text) {
        const auto value = letters.indexOf(letter);
        if (value < 0)
            continue; // padding, a newline
        bits = (bits << 5) | quint32(value);
        if (held += 5; held >= 8) {
            held -= 8;
            bytes += char((bits >> held) & 0xff);
        }
    }
    return bytes;
}

/// The six digits that an authenticator shows for a secret at a time (RFC 6238, SHA-1, 30 seconds).
inline QString totpCode(
    const QByteArray& base32Secret, qint64 secondsSinceEpoch = QDateTime::currentSecsSinceEpoch())
{
    QByteArray counter(8, '\0');
    qToBigEndian(quint64(secondsSinceEpoch / 30), counter.data());
    const QByteArray digest = QMessageAuthenticationCode::hash(
        counter, fromBase32(base32Secret), QCryptographicHash::Sha1);
    const quint32 number =
        qFromBigEndian<quint32>(digest.constData() + (digest.back() & 15)) & 0x7fffffff;
    return QString::number(number % 1000000).rightJustified(6, u'0');
}

} // namespace slipway
