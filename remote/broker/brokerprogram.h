// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/broker/messagefields.h"
#include "remote/broker/messagestream.h"
#include "remote/broker/sharedprocess.h"
#include "remote/shell/gate.h"

#include <deque>
#include <map>
#include <memory>

namespace slipway {

/// BrokerProgram is one program at the broker: its login, its questions, its processes. When the
/// program is gone, so are they, and no others. Lives on the broker's main thread, owned by
/// BrokerServer.
class BrokerProgram : public QObject {
    Q_OBJECT

public:
    BrokerProgram(quint64 number, std::unique_ptr<MessageStream> stream);
    ~BrokerProgram() override;

    quint64 number() const { return m_number; }
    const QString& name() const { return m_name; } ///< "slipway-cli (4711)"
    /// It has asked for the connection, and has it or waits for it.
    bool isUser() const { return m_target.has_value(); }
    bool isWelcome() const { return m_shell != nullptr; }
    bool leaves() const { return m_leaves; } ///< and wants no connection kept
    const ConnectTarget& target() const { return *m_target; }

    void send(const Message& message) { m_stream->send(message); }
    void welcome(std::shared_ptr<Shell> shell, bool asked);
    void failLogin(const Error& error);
    void sayClosed(const Error& error);
    /// Declines its questions and ends its processes.
    void endAll();
    /// The answers; none: declined, or the program is gone.
    QCoro::Task<std::optional<QStringList>> ask(LoginQuestion question);

    /// Whether other programs use the connection too: then its commands leave them some sessions.
    void setShared(bool shared);
    struct OwnStream {
        SharedStream stream;
        quint64 id;
    };
    std::vector<OwnStream> streams() const;
    void refuseStream(quint64 id, const Error& error);

signals:
    void loginWanted();
    void infoWanted();
    void endWanted();
    void streamWaits();
    /// It is gone.
    void ended();

private:
    struct Question {
        Gate gate;
        std::optional<QStringList> answers;
    };
    struct Queued {
        quint64 id;
        Invocation invocation;
    };
    void handle(const Message& message);
    void hello(const Message& message);
    void addScript(const Message& message);
    void start(const Message& message);
    void startNext();
    void begin(std::unique_ptr<Process> process, quint64 id, SharedProcess::Kind kind);
    void drop(quint64 id);
    void breakOff();

    quint64 m_number;
    std::unique_ptr<MessageStream> m_stream;
    QString m_name;
    bool m_greeted = false;
    bool m_leaves = false;
    bool m_shared = false;
    std::optional<ConnectTarget> m_target;
    std::shared_ptr<Shell> m_shell;
    std::map<quint64, std::shared_ptr<Question>> m_questions;
    quint64 m_lastQuestion = 0;
    std::map<quint64, QByteArray> m_scripts; ///< parts so far
    std::deque<Queued> m_queue; ///< commands that wait for one of their own program
    std::map<quint64, std::unique_ptr<SharedProcess>> m_processes;
};

} // namespace slipway
