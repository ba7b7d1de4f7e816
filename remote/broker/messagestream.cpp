// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/messagestream.h"

#include <QPointer>

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>

namespace slipway {

namespace {

constexpr qsizetype readAtOnce = 256 * 1024;
constexpr int readsInARow = 8; ///< then the event loop has its turn

bool mayBeLater(int why)
{
    return why == EAGAIN || why == EWOULDBLOCK || why == EINTR;
}

} // namespace

MessageStream::MessageStream(Fd socket)
    : m_socket(std::move(socket))
{
    ::fcntl(m_socket.get(), F_SETFL, ::fcntl(m_socket.get(), F_GETFL) | O_NONBLOCK);
    ::fcntl(m_socket.get(), F_SETFD, FD_CLOEXEC);
    m_readable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    m_writable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Write);
    m_writable->setEnabled(false);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &MessageStream::read);
    connect(m_writable.get(), &QSocketNotifier::activated, this, &MessageStream::write);
}

MessageStream::~MessageStream()
{
    for (Piece& piece : m_pieces)
        if (piece.secret)
            wipe(piece.bytes);
}

void MessageStream::send(const Message& message)
{
    if (!isOpen() || m_ending)
        return;
    m_pieces.push_back({frameOf(message), 0, message.type == MessageType::Answer});
    m_unsent += m_pieces.back().bytes.size();
    if (!m_writable->isEnabled())
        write();
}

void MessageStream::write()
{
    while (!m_pieces.empty()) {
        Piece& piece = m_pieces.front();
        const auto left = piece.bytes.size() - piece.done;
        const auto n = ::send(m_socket.get(), piece.bytes.constData() + piece.done, size_t(left),
            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0) {
            // A socket that is gone is noticed by its reader, after what it still holds.
            m_writable->setEnabled(mayBeLater(errno));
            return;
        }
        piece.done += n;
        m_unsent -= n;
        if (piece.done < piece.bytes.size())
            continue;
        if (piece.secret)
            wipe(piece.bytes);
        m_pieces.pop_front();
    }
    m_writable->setEnabled(false);
    if (m_ending)
        end();
    emit drained(); // the last thing: a slot may delete this
}

void MessageStream::endWhenSent()
{
    m_ending = true;
    if (m_pieces.empty())
        end();
}

void MessageStream::read()
{
    const QPointer<MessageStream> self(this);
    for (int i = 0; i < readsInARow; ++i) {
        QByteArray bytes(readAtOnce, Qt::Uninitialized);
        const auto n = ::recv(m_socket.get(), bytes.data(), size_t(readAtOnce), MSG_DONTWAIT);
        if (n < 0 && mayBeLater(errno))
            return;
        if (n > 0) {
            bytes.truncate(n);
            m_reader.feed(bytes);
            wipe(bytes); // only if the reader has copied it
            if (!deliver() || !self || !isOpen())
                return;
        }
        if (n <= 0 || m_reader.isBroken()) {
            end();
            if (!m_ending)
                emit ended();
            return;
        }
        if (n < readAtOnce)
            return;
    }
}

/// False: a receiver has deleted this.
bool MessageStream::deliver()
{
    const QPointer<MessageStream> self(this);
    while (auto message = m_reader.next()) {
        emit received(*message);
        if (!self)
            return false;
        if (message->type == MessageType::Answer)
            wipe(message->bytes);
    }
    return true;
}

void MessageStream::end()
{
    // A notifier may be in the middle of its signal.
    for (auto* notifier : {&m_readable, &m_writable})
        if (*notifier) {
            (*notifier)->setEnabled(false);
            notifier->release()->deleteLater();
        }
    m_socket.reset();
}

} // namespace slipway

#include "moc_messagestream.cpp"
