// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/message.h"

#include <QtEndian>

#include <cstring>

namespace slipway {

namespace {

constexpr qsizetype headSize = 4 + 1 + 8;

} // namespace

QByteArray frameOf(const Message& message)
{
    QByteArray frame(headSize + message.bytes.size(), Qt::Uninitialized);
    char* const at = frame.data();
    qToBigEndian(quint32(message.bytes.size()), at);
    at[4] = char(message.type);
    qToBigEndian(message.id, at + 5);
    std::memcpy(at + headSize, message.bytes.constData(), size_t(message.bytes.size()));
    return frame;
}

void wipe(QByteArray& bytes)
{
    if (!bytes.isEmpty() && bytes.isDetached())
        ::explicit_bzero(bytes.data(), size_t(bytes.size()));
    bytes.clear();
}

void MessageReader::feed(const QByteArray& bytes)
{
    if (m_broken)
        return;
    if (m_at == m_pending.size()) {
        m_pending = bytes;
        m_at = 0;
        return;
    }
    // A copy of its own, so that what held an answer can be overwritten here.
    QByteArray rest = m_pending.mid(m_at);
    wipe(m_pending);
    m_pending = std::move(rest);
    m_pending += bytes;
    m_at = 0;
}

std::optional<Message> MessageReader::next()
{
    if (m_broken || m_pending.size() - m_at < headSize)
        return {};
    const char* const at = m_pending.constData() + m_at;
    const auto size = qsizetype(qFromBigEndian<quint32>(at));
    const auto type = quint8(at[4]);
    if (size > largestMessage || type < 1 || type > quint8(MessageType::Last)) {
        m_broken = true;
        wipe(m_pending);
        m_at = 0;
        return {};
    }
    if (m_pending.size() - m_at < headSize + size)
        return {};
    Message message{
        MessageType(type), qFromBigEndian<quint64>(at + 5), QByteArray(at + headSize, size)};
    m_at += headSize + size;
    if (message.type == MessageType::Answer)
        ::explicit_bzero(m_pending.data() + m_at - size, size_t(size));
    return message;
}

} // namespace slipway
