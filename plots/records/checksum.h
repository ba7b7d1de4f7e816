// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArrayView>

namespace slipway {

/// CRC-32 of Ethernet and zip (IEEE 802.3). `before` is that of the bytes in front.
quint32 crc32(QByteArrayView bytes, quint32 before = 0);
/// CRC-32C (Castagnoli).
quint32 crc32c(QByteArrayView bytes, quint32 before = 0);
/// CRC-32C as LevelDB and TFRecord store it: a checksum of bytes that contain checksums is weak.
quint32 maskedCrc32c(QByteArrayView bytes);

/// A little-endian number at the beginning of the bytes, of which there are enough.
quint32 littleEndian32(QByteArrayView bytes);
quint64 littleEndian64(QByteArrayView bytes);

} // namespace slipway
