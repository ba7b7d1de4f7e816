// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/tarstream.h"

#include <QStringBuilder>

#include <algorithm>
#include <array>

namespace slipway {

namespace {

constexpr qsizetype tarBlock = 512;
constexpr qsizetype shortName = 100;

/// Where the fields of a header lie.
struct TarField {
    qsizetype at, size;
};
constexpr TarField nameField{0, 100}, modeField{100, 8}, userField{108, 8}, groupField{116, 8},
    sizeField{124, 12}, timeField{136, 12}, sumField{148, 8}, targetField{157, 100};
constexpr qsizetype typeAt = 156, magicAt = 257;

void putText(QByteArray* block, TarField field, const QByteArray& text)
{
    block->replace(field.at, std::min(field.size, text.size()), text.left(field.size));
}

void putNumber(QByteArray* block, TarField field, qint64 number)
{
    putText(block, field, QByteArray::number(number, 8).rightJustified(field.size - 1, '0'));
}

QByteArray oneHeader(const TarMember& member, char type)
{
    QByteArray block(tarBlock, '\0');
    putText(&block, nameField, member.name);
    const bool open = member.isExecutable || member.type == TarMember::Type::Folder;
    putNumber(&block, modeField, open ? 0700 : 0600);
    putNumber(&block, userField, 0);
    putNumber(&block, groupField, 0);
    putNumber(&block, sizeField, member.bytes);
    putNumber(&block, timeField, member.modified);
    putText(&block, sumField, QByteArray(sumField.size, ' '));
    block[typeAt] = type;
    putText(&block, targetField, member.target);
    block.replace(magicAt, 8, QByteArray("ustar\00000", 8));
    qint64 sum = 0;
    for (const char c : block)
        sum += uchar(c);
    putText(&block, sumField, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0');
    return block;
}

/// GNU's way to give a name of any length: as the content of a member before it.
QByteArray longName(const QByteArray& name, char type)
{
    TarMember carrier;
    carrier.name = "././@LongLink";
    carrier.bytes = name.size() + 1;
    return oneHeader(carrier, type) + name + '\0' + tarPadding(carrier.bytes);
}

quint32 crc32(const QByteArray& bytes)
{
    static const auto table = [] {
        std::array<quint32, 256> rows{};
        for (quint32 i = 0; i < rows.size(); ++i) {
            quint32 row = i;
            for (int bit = 0; bit < 8; ++bit)
                row = (row >> 1) ^ (row & 1 ? 0xedb88320U : 0U);
            rows[i] = row;
        }
        return rows;
    }();
    quint32 crc = 0xffffffffU;
    for (const char c : bytes)
        crc = (crc >> 8) ^ table[(crc ^ uchar(c)) & 0xff];
    return ~crc;
}

QByteArray littleEndian(quint32 number)
{
    QByteArray bytes;
    for (int i = 0; i < 4; ++i)
        bytes += char((number >> (8 * i)) & 0xff);
    return bytes;
}

} // namespace

QByteArray tarHeader(const TarMember& member)
{
    QByteArray header;
    if (member.target.size() > shortName)
        header += longName(member.target, 'K');
    if (member.name.size() > shortName)
        header += longName(member.name, 'L');
    return header + oneHeader(member, char(member.type));
}

QByteArray tarPadding(qint64 bytes)
{
    return QByteArray(qsizetype((tarBlock - bytes % tarBlock) % tarBlock), '\0');
}

QByteArray tarEnd()
{
    return QByteArray(2 * tarBlock, '\0');
}

QByteArray gzipped(const QByteArray& bytes)
{
    // qCompress() gives four bytes of size, then zlib's two bytes of header, the compressed bytes
    // and four of its sum. gzip has the same in the middle.
    // Of nothing it makes nothing.
    const QByteArray zlib = qCompress(bytes, 6);
    const QByteArray deflated =
        bytes.isEmpty() ? QByteArray("\x03\0", 2) : zlib.mid(6, zlib.size() - 10);
    return QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10) + deflated + littleEndian(crc32(bytes))
        + littleEndian(quint32(bytes.size()));
}

} // namespace slipway
