// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/broker/messagestream.h"
#include "remote/shell/connector.h"

#include <QTimer>

#include <coroutine>
#include <memory>
#include <optional>

namespace slipway {

/// BrokerLogin is a program's side of the conversation that ends with a BrokeredShell: it greets
/// the broker, asks for the connection and takes the login's questions to the person. Lives on the
/// main thread, in the coroutine that awaits it. No answer is kept here.
class BrokerLogin : public QObject {
    Q_OBJECT

public:
    struct Outcome {
        enum class Kind {
            LoggedIn,
            Failed, ///< the login; `error` says why
            OtherVersion, ///< the broker is of another version of the program
            Silent, ///< no answer to the greeting
            Gone, ///< it ended before it answered: there may be a new one
        };
        Kind kind = Kind::Gone;
        std::shared_ptr<Shell> shell = {};
        Error error = {};
    };

    BrokerLogin(std::unique_ptr<MessageStream> stream, ConnectTarget target, Prompter* prompter);
    ~BrokerLogin() override;

    /// The awaitable of `co_await login.ended()`; to be awaited once.
    struct Awaiter {
        BrokerLogin* login;
        bool await_ready() const noexcept { return login->m_outcome.has_value(); }
        void await_suspend(std::coroutine_handle<> waiting) { login->m_waiting = waiting; }
        Outcome await_resume() { return std::move(*login->m_outcome); }
    };
    Awaiter ended() { return {this}; }

private:
    void handle(const Message& message);
    QCoro::Task<void> ask(Message message);
    void end(Outcome outcome);

    std::unique_ptr<MessageStream> m_stream;
    ConnectTarget m_target;
    Prompter* m_prompter;
    QTimer m_patience;
    bool m_greeted = false;
    std::optional<Outcome> m_outcome;
    std::coroutine_handle<> m_waiting;
};

/// The greeting, which every conversation with a broker begins with.
Message helloMessage();

} // namespace slipway
