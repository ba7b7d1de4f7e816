// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/route.h"

#include <QByteArray>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace slipway {

/// CommandRoute is the process of a ProxyCommand: the session runs over its standard input and
/// output. It has a session and process group of its own, which end with the route. Lives on the
/// worker; a thread of its own collects what the command says on its standard error.
class CommandRoute : public Route {
public:
    /// Runs `command` as OpenSSH does (ssh_config(5), ProxyCommand): by the account's shell, which
    /// it replaces.
    static Result<std::unique_ptr<Route>> open(const QString& command);
    ~CommandRoute() override;

    /// Waits half a second at most for what the command still has to say: its output may be closed
    /// before that.
    QString failure() const override;
    /// Runs the command once more.
    std::unique_ptr<Route> another(Fd near) override;

private:
    CommandRoute(QString command, Fd errors, pid_t process);
    /// `theirs`: the standard input and output of the command.
    static Result<std::unique_ptr<CommandRoute>> start(const QString& command, const Fd& theirs);
    void collect();

    QString m_command;
    Fd m_errors;
    pid_t m_process;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_ended;
    QByteArray m_said; ///< the last of it
    bool m_hasEnded = false;
    std::thread m_thread;
};

} // namespace slipway
