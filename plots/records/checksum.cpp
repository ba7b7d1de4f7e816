// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/checksum.h"

#include <QtEndian>

#include <array>

namespace slipway {

namespace {

using Table = std::array<quint32, 256>;

constexpr Table tableOf(quint32 reversedPolynomial)
{
    Table table{};
    for (quint32 byte = 0; byte < 256; ++byte) {
        quint32 value = byte;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) ? reversedPolynomial : 0);
        table[byte] = value;
    }
    return table;
}

constexpr Table ieee = tableOf(0xEDB88320U);
constexpr Table castagnoli = tableOf(0x82F63B78U);

quint32 checksum(const Table& table, QByteArrayView bytes, quint32 before)
{
    quint32 value = ~before;
    for (const char byte : bytes)
        value = (value >> 8) ^ table[(value ^ quint8(byte)) & 0xFF];
    return ~value;
}

} // namespace

quint32 crc32(QByteArrayView bytes, quint32 before)
{
    return checksum(ieee, bytes, before);
}

quint32 crc32c(QByteArrayView bytes, quint32 before)
{
    return checksum(castagnoli, bytes, before);
}

quint32 maskedCrc32c(QByteArrayView bytes)
{
    const quint32 crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

quint32 littleEndian32(QByteArrayView bytes)
{
    return qFromLittleEndian<quint32>(bytes.data());
}

quint64 littleEndian64(QByteArrayView bytes)
{
    return qFromLittleEndian<quint64>(bytes.data());
}

} // namespace slipway
