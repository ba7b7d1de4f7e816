// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/channeloutbox.h"
#include "remote/ssh/readwindow.h"
#include "remote/ssh/sshhandles.h"

#include <libssh/callbacks.h>

#include <QByteArray>
#include <QElapsedTimer>

#include <chrono>
#include <optional>

namespace slipway {

/// The parameters of a channel.
struct ChannelRequest {
    /// Only a Stream may be ended to make room, and only a stream's processes are ended with it: an
    /// abandoned command (a submission) continues.
    enum class Kind { Command, Stream, PersistentShell };
    quint64 id = 0;
    QByteArray command;
    QByteArray input = {};
    bool inputEnds = false;
    Kind kind = Kind::Command;
};

/// LinkChannel is one exec channel of a session, from its opening to its end. Lives on the worker,
/// owned by Link, which calls advance() after every wake-up. Reading pauses while the GUI thread
/// has more than 8 MiB of unread data, so that large output fills the window and not the memory.
class LinkChannel {
public:
    enum class State { Queued, Opening, Requesting, Running, Leaving, Ended };

    LinkChannel(ssh_session session, ChannelRequest request);
    ~LinkChannel();
    LinkChannel(const LinkChannel&) = delete;

    quint64 id() const { return m_request.id; }
    ChannelRequest::Kind kind() const { return m_request.kind; }
    State state() const { return m_state; }
    /// The server refused another channel (MaxSessions): it may be tried again later.
    bool wasRefused() const { return m_refused; }
    void requeue();

    void open()
    {
        m_state = State::Opening;
        m_since.start();
    }
    /// For how long the server has not answered; none: nothing is waited for.
    std::optional<std::chrono::milliseconds> unanswered() const
    {
        if (!m_since.isValid() || (m_state != State::Opening && m_state != State::Requesting))
            return {};
        return std::chrono::milliseconds(m_since.elapsed());
    }
    void write(const QByteArray& bytes) { m_request.input += bytes; }
    void endInput() { m_request.inputEnds = true; }
    void consumed(qint64 bytes) { m_unconsumed -= bytes; }
    void end(Result<int> result);
    /// Ends the remote command and keeps the channel until the server has closed it, because until
    /// then it counts the session. `result` is for the GUI thread, if it is still connected.
    void leave(std::optional<Result<int>> result = {});

    /// Processes as much as possible without waiting; true if there was progress.
    bool advance(char* scratch, qsizetype scratchSize);
    /// The first part of it: only opens the session.
    bool openChannel();
    /// Uses the session that `other` has opened but not used.
    void takeSession(LinkChannel& other);

    ChannelOutbox& outbox() { return m_outbox; }
    const ChannelOutbox& outbox() const { return m_outbox; }
    int countRefusal() { return ++m_refusals; }

private:
    bool drain(char* scratch);
    bool closeOnceOpen();
    bool request();
    bool writeInput();
    bool readStream(bool isError, char* scratch, qsizetype scratchSize);
    bool finishIfClosed();
    void listen();
    void dropChannel();
    void opened();

    ssh_session m_session;
    ChannelRequest m_request;
    ChannelHandle m_channel;
    ssh_channel_callbacks_struct m_callbacks{};
    State m_state = State::Queued;
    ChannelOutbox m_outbox;
    bool m_refused = false;
    bool m_inputEnded = false;
    bool m_closed = false; ///< by the server
    bool m_leavesOpening = false; ///< it was abandoned before the server had confirmed it
    std::optional<int> m_exitCode;
    qint64 m_unconsumed = 0;
    ReadWindow m_window;
    QElapsedTimer m_since; ///< it was asked for, or left
    int m_refusals = 0; ///< while no other channel was open
};

} // namespace slipway
