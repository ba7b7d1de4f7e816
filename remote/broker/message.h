// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <optional>

namespace slipway {

/// What programs and the broker say to each other. The comment names the sender: P, a program; B,
/// the broker. A change of meaning needs another `brokerVersion`; Hello stays as it is for ever.
enum class MessageType : quint8 {
    Hello = 1, ///< P, then B: version and name
    Login, ///< P: the target
    Ask, ///< B: a question of the login; `id` counts them
    Answer, ///< P: to the question `id`
    Banner, ///< B
    Notice, ///< B
    LoggedIn, ///< B: name of the connection, its state, whether a person was asked
    LoginFailed, ///< B: an error
    Script, ///< P: a part of the script of process `id`
    Start, ///< P: the parts are complete
    StartKept, ///< P
    Write, ///< P: bytes of standard input
    CloseInput, ///< P
    Cancel, ///< P: the process is no longer wanted
    Consumed, ///< P: how many bytes of output were used
    Started, ///< B: a process no longer waits
    Output, ///< B
    ErrorOutput, ///< B
    Written, ///< B: how many bytes of input have left
    Finished, ///< B: exit code or error
    State, ///< B: of the link
    FewSessions, ///< B: no persistent shell, or again
    Closed, ///< B: an error; nothing follows
    Leave, ///< P: and the connection is not to be kept if this was the last program
    Info, ///< P asks; B answers
    End, ///< P: end the connection for all
    Last = End,
};

inline constexpr quint32 brokerVersion = 1;

/// One message. A value.
struct Message {
    MessageType type = MessageType::Hello;
    quint64 id = 0; ///< of a process or question
    QByteArray bytes = {}; ///< raw, or fields (messagefields.h)
};

inline constexpr qsizetype largestMessage = 1024 * 1024; ///< of `bytes`
inline constexpr qsizetype messagePiece = 256 * 1024; ///< of a stream in one message

/// The frame of a message: its length in four bytes, its type in one, its id in eight, its bytes.
QByteArray frameOf(const Message& message);

/// Overwrites bytes that nothing else shares, and empties them: for answers.
void wipe(QByteArray& bytes);

/// MessageReader reads frames from pieces of any size. It is broken once a frame is longer than
/// allowed or of an unknown type, and then reads no more. What held an answer is overwritten. Pure;
/// any thread.
class MessageReader {
public:
    ~MessageReader() { wipe(m_pending); }

    void feed(const QByteArray& bytes);
    /// The next complete message, if there is one.
    std::optional<Message> next();
    bool isBroken() const { return m_broken; }

private:
    QByteArray m_pending;
    qsizetype m_at = 0; ///< where the next frame begins in it
    bool m_broken = false;
};

} // namespace slipway
