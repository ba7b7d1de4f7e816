// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/broker/messagestream.h"
#include "remote/shell/shell.h"

#include <QHash>
#include <QPointer>

#include <memory>
#include <optional>

namespace slipway {

class BrokeredProcess;

/// BrokeredShell is a Shell over a connection that another process holds, the broker; what it
/// starts are channels there. Lives on the GUI (or main) thread. It begins once the broker has
/// logged in.
class BrokeredShell : public Shell {
    Q_OBJECT

public:
    BrokeredShell(std::unique_ptr<MessageStream> stream, QString name, LinkState state);
    ~BrokeredShell() override;

    QString displayName() const override { return m_name; }
    LinkState linkState() const override { return m_state; }
    std::unique_ptr<Process> start(Invocation invocation) override;
    void close() override;
    void hangUp() override;
    QString account() const override { return m_name; }
    std::unique_ptr<Process> startKept() override;

private:
    friend class BrokeredProcess;
    std::unique_ptr<BrokeredProcess> newProcess(bool takesInput);
    void handle(const Message& message);
    void handleProcess(const Message& message);
    void end(const Error& error);
    void leave();

    std::unique_ptr<MessageStream> m_stream;
    QString m_name;
    QHash<quint64, BrokeredProcess*> m_processes;
    quint64 m_lastId = 0;
    LinkState m_state;
    std::optional<Error> m_ended;
};

/// BrokeredProcess is the program's side of one process of the broker. Owned by the caller; may be
/// deleted at any time. At most 4 MiB of its input are at the broker, and the broker sends at most
/// that much output before it hears that some was used.
class BrokeredProcess : public Process {
    Q_OBJECT

public:
    BrokeredProcess(BrokeredShell* shell, quint64 id, bool takesInput);
    ~BrokeredProcess() override;

    void write(const QByteArray& bytes) override;
    void closeInput() override;
    qint64 bytesToWrite() const override { return m_given - m_written; }
    void cancel() override;
    bool isWaiting() const override { return !m_started; }

    /// A message for it. It may be deleted by a receiver of its signals.
    void handle(const Message& message);
    /// Ends from the event loop.
    void endLater(const Error& error);

private:
    void send(MessageType type, const QByteArray& bytes = {});
    void sendInput();
    void take(const QByteArray& bytes, bool isError);
    void end(const Result<int>& result);

    QPointer<BrokeredShell> m_shell;
    quint64 m_id;
    bool m_takesInput;
    bool m_inputEnds = false;
    bool m_started = false;
    bool m_ending = false;
    bool m_ended = false;
    QByteArray m_waiting; ///< input that was not sent yet
    qint64 m_given = 0;
    qint64 m_sent = 0;
    qint64 m_written = 0;
    qint64 m_used = 0;
};

} // namespace slipway
