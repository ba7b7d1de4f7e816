// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/protofields.h"

#include "plots/records/checksum.h"

#include <bit>

namespace slipway {

double ProtoField::asDouble() const
{
    return std::bit_cast<double>(value);
}

float ProtoField::asFloat() const
{
    return std::bit_cast<float>(quint32(value));
}

std::optional<quint64> ProtoFields::varint()
{
    quint64 value = 0;
    for (int i = 0; i < 10 && i < m_rest.size(); ++i) {
        const quint8 byte = quint8(m_rest[i]);
        value |= quint64(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            m_rest = m_rest.sliced(i + 1);
            return value;
        }
    }
    return {};
}

std::optional<ProtoField> ProtoFields::end()
{
    m_broken = true;
    m_rest = {};
    return {};
}

std::optional<ProtoField> ProtoFields::next()
{
    if (m_rest.isEmpty())
        return {};
    const auto tag = varint();
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > 0x1FFFFFFF)
        return end();
    ProtoField field;
    field.number = quint32(*tag >> 3);
    field.wire = ProtoField::Wire(*tag & 7);
    qsizetype size = 0;
    switch (field.wire) {
    case ProtoField::Wire::Varint: {
        const auto value = varint();
        if (!value)
            return end();
        field.value = *value;
        return field;
    }
    case ProtoField::Wire::Bytes: {
        const auto length = varint();
        if (!length || *length > quint64(m_rest.size()))
            return end();
        size = qsizetype(*length);
        field.bytes = m_rest.first(size);
        break;
    }
    case ProtoField::Wire::Fixed64:
    case ProtoField::Wire::Fixed32:
        size = field.wire == ProtoField::Wire::Fixed64 ? 8 : 4;
        if (size > m_rest.size())
            return end();
        field.value = size == 8 ? littleEndian64(m_rest) : littleEndian32(m_rest);
        break;
    default: // groups were given up long ago
        return end();
    }
    m_rest = m_rest.sliced(size);
    return field;
}

} // namespace slipway
