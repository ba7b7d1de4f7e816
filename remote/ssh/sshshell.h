// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/shell.h"
#include "remote/ssh/linkchannel.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/mainthreadposter.h"
#include "remote/ssh/sshconfig.h"

#include <QHash>
#include <QPointer>

#include <coroutine>
#include <memory>

namespace slipway {

class SshProcess;
class WorkerThread;

/// SshShell is a Shell over one SSH connection. It lives on the GUI (or main) thread and never
/// calls libssh: its worker thread logs in, then runs the link, and the two exchange values. The
/// worker outlives the shell by the time that it needs to stop; only the connector waits for it.
class SshShell : public Shell {
    Q_OBJECT

public:
    SshShell(ResolvedTarget target, Prompter* prompter);
    ~SshShell() override;

    /// Awaits the end of the login; to be awaited once, by the Connector.
    struct LoginAwaiter {
        SshShell* shell;
        bool await_ready() const noexcept { return shell->m_login.has_value(); }
        void await_suspend(std::coroutine_handle<> waiting) { shell->m_waiting = waiting; }
        Result<void> await_resume() { return *shell->m_login; }
    };
    LoginAwaiter loggedIn() { return {this}; }

    /// For the connector, which waits for it when the program ends.
    std::shared_ptr<WorkerThread> worker() const { return m_worker; }

    QString displayName() const override { return m_target.displayName(); }
    LinkState linkState() const override { return m_state; }
    std::unique_ptr<Process> start(Invocation invocation) override;
    void close() override;
    QString account() const override { return m_target.displayName(); }
    std::unique_ptr<Process> startKept() override;

private:
    friend class SshProcess;
    std::unique_ptr<Process> startChannel(ChannelRequest request, bool takesInput);
    static void work(ResolvedTarget target, std::shared_ptr<LinkGate> gate,
        std::shared_ptr<MainThreadPoster> door, SshShell* shell, Prompter* prompter);
    void loginEnded(const Result<void>& result);
    void deliver(const std::vector<ChannelNews>& news);
    void setState(LinkState state);
    void linkEnded(const Error& error);

    ResolvedTarget m_target;
    std::shared_ptr<LinkGate> m_gate;
    std::shared_ptr<MainThreadPoster> m_door;
    std::shared_ptr<WorkerThread> m_worker;
    QHash<quint64, SshProcess*> m_processes;
    quint64 m_lastId = 0;
    LinkState m_state = LinkState::Up;
    std::optional<Error> m_ended;
    std::optional<Result<void>> m_login;
    std::coroutine_handle<> m_waiting;
};

/// SshProcess is the GUI side of one channel. Owned by the caller; may be deleted at any time.
class SshProcess : public Process {
    Q_OBJECT

public:
    SshProcess(SshShell* shell, quint64 id, bool takesInput);
    ~SshProcess() override;

    void write(const QByteArray& bytes) override;
    void closeInput() override;
    bool isWaiting() const override { return !m_opened; }
    qint64 bytesToWrite() const override { return m_given - m_written; }
    void cancel() override;
    void setHeld(bool held) override;

    /// False when this was deleted by one of its slots.
    bool deliver(const ChannelNews& news);
    /// Counts bytes as consumed; returns their number once there are enough to report to the
    /// worker.
    qint64 takeConsumed(qint64 more);
    /// Ends from the event loop, never during start() or cancel().
    void endLater(const Error& error);

private:
    void end(const Result<int>& result);

    QPointer<SshShell> m_shell;
    quint64 m_id;
    bool m_takesInput;
    bool m_opened = false;
    bool m_ending = false;
    bool m_ended = false;
    bool m_held = false;
    qint64 m_given = 0;
    qint64 m_written = 0;
    qint64 m_consumed = 0;
};

} // namespace slipway
