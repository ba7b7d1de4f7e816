// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/agentmessages.h"

#include <QtEndian>

namespace slipway {

QByteArray withLength(const QByteArray& bytes)
{
    QByteArray length(4, Qt::Uninitialized);
    qToBigEndian(quint32(bytes.size()), length.data());
    return length + bytes;
}

std::optional<QByteArray> takeString(const QByteArray& message, qsizetype& at)
{
    if (message.size() - at < 4)
        return std::nullopt;
    const qsizetype size = qFromBigEndian<quint32>(message.constData() + at);
    if (size > message.size() - at - 4)
        return std::nullopt;
    at += 4 + size;
    return message.mid(at - size, size);
}

bool wantsTouch(const QByteArray& request)
{
    qsizetype at = 1;
    const auto blob = takeString(request, at);
    qsizetype inside = 0;
    const auto type = blob ? takeString(*blob, inside) : std::nullopt;
    return type && type->startsWith("sk-");
}

QByteArray filteredIdentities(const QByteArray& answer, const QList<QByteArray>& blobs, bool only)
{
    qsizetype at = 5;
    QList<QByteArray> first;
    QList<QByteArray> rest;
    while (at < answer.size()) {
        const auto blob = takeString(answer, at);
        const auto comment = takeString(answer, at);
        if (!blob || !comment)
            break;
        const QByteArray entry = withLength(*blob) + withLength(*comment);
        if (blobs.contains(*blob))
            first.append(entry);
        else if (!only)
            rest.append(entry);
    }
    first += rest;
    QByteArray count(4, Qt::Uninitialized);
    qToBigEndian(quint32(first.size()), count.data());
    return QByteArray(1, identitiesAnswer) + count + first.join();
}

} // namespace slipway
