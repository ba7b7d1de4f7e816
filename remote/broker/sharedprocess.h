// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/broker/fairstreams.h"
#include "remote/broker/message.h"
#include "remote/shell/shell.h"

#include <functional>
#include <memory>

namespace slipway {

/// SharedProcess is the broker's side of one process of a program: it passes messages to it, and
/// what it says back. Holds it while the program does not keep up, so that at most 12 MiB of its
/// output are here. Lives on the broker's main thread, owned by its BrokerProgram.
class SharedProcess : public QObject {
    Q_OBJECT

public:
    using Send = std::function<void(const Message&)>;
    enum class Kind { Command, Stream, Kept };

    SharedProcess(std::unique_ptr<Process> process, quint64 id, Kind kind, Send send);

    /// A message of the program for it.
    void handle(const Message& message);
    /// It ends as if the server had refused it; the program may start it again.
    void refuse(const Error& error);
    /// Nobody waits for it any more: cancels it silently.
    void endProcess();
    Kind kind() const { return m_kind; }
    /// For the decision about who makes room.
    SharedStream asStream(quint64 program) const;

signals:
    /// The end was sent.
    void ended(quint64 id);

private:
    void pass(MessageType type, const QByteArray& bytes);
    void finish(const Result<int>& exitCode);

    std::unique_ptr<Process> m_process;
    quint64 m_id;
    Kind m_kind;
    Send m_send;
    qint64 m_unused = 0; ///< output that the program has not used yet
    qint64 m_given = 0;
    std::chrono::milliseconds m_since;
};

/// The clock of SharedStream::since.
std::chrono::milliseconds streamClock();

} // namespace slipway
