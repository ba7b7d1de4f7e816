// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArrayView>

#include <optional>

namespace slipway {

/// One field of a protobuf message.
struct ProtoField {
    enum class Wire { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
    quint32 number = 0;
    Wire wire = Wire::Varint;
    quint64 value = 0; ///< of Varint, Fixed64 and Fixed32
    QByteArrayView bytes = {}; ///< of Bytes; points into the message

    double asDouble() const; ///< of Fixed64
    float asFloat() const; ///< of Fixed32
};

/// ProtoFields walks the fields of one protobuf message in the order of its bytes; nested messages
/// are fields of bytes. What is malformed ends it. A value that points into the message.
class ProtoFields {
public:
    explicit ProtoFields(QByteArrayView message)
        : m_rest(message)
    {
    }
    /// None: at the end, or the rest is malformed.
    std::optional<ProtoField> next();
    bool isBroken() const { return m_broken; }

private:
    std::optional<quint64> varint();
    std::optional<ProtoField> end();

    QByteArrayView m_rest;
    bool m_broken = false;
};

} // namespace slipway
