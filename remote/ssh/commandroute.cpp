// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/commandroute.h"

#include "remote/base/tr.h"

#include <QFile>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr qsizetype mostSaid = 4096;

Error commandError(const QString& command)
{
    return {ErrorKind::Io, tr("The ProxyCommand “%1” could not be started.").arg(command),
        tr("Try it in a terminal."), QByteArray(strerror(errno))};
}

/// In the child, between fork and exec: only what is safe there.
[[noreturn]] void becomeCommand(const char* shell, char* const* arguments, int socket, int errors)
{
    ::setsid();
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    // Pipes are ordinary for a command; what Qt or a test ignores is not for it.
    ::signal(SIGPIPE, SIG_DFL);
    ::execv(shell, arguments);
    ::_exit(127);
}

} // namespace

CommandRoute::CommandRoute(QString command, Fd errors, pid_t process)
    : m_command(std::move(command))
    , m_errors(std::move(errors))
    , m_process(process)
{
    m_thread = std::thread([this] { collect(); });
}

/// The group is asked to end, then ended: a command may have started others.
CommandRoute::~CommandRoute()
{
    ::kill(-m_process, SIGHUP);
    ::kill(-m_process, SIGTERM);
    bool isGone = false;
    for (int i = 0; i < 50 && !isGone; ++i) {
        isGone = ::waitpid(m_process, nullptr, WNOHANG) != 0;
        if (!isGone)
            std::this_thread::sleep_for(10ms);
    }
    ::kill(-m_process, SIGKILL);
    if (!isGone)
        ::waitpid(m_process, nullptr, 0);
    m_thread.join();
}

Result<std::unique_ptr<Route>> CommandRoute::open(const QString& command)
{
    std::array<int, 2> pair{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return commandError(command);
    Fd ours(pair[0]);
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    auto route = start(command, Fd(pair[1]));
    if (!route.ok())
        return route.error();
    (*route)->setSocket(std::move(ours));
    return std::unique_ptr<Route>(std::move(*route));
}

std::unique_ptr<Route> CommandRoute::another(Fd near)
{
    ::fcntl(near.get(), F_SETFL, 0); // a command expects to wait
    auto route = start(m_command, near);
    return route.ok() ? std::move(*route) : nullptr;
}

Result<std::unique_ptr<CommandRoute>> CommandRoute::start(const QString& command, const Fd& theirs)
{
    std::array<int, 2> pipe{-1, -1};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return commandError(command);
    Fd errors(pipe[0]);
    const Fd theirErrors(pipe[1]);
    const QByteArray own = qgetenv("SHELL");
    QByteArray shell = own.startsWith('/') ? own : QByteArray("/bin/sh");
    QByteArray dashC("-c");
    QByteArray line = "exec " + QFile::encodeName(command);
    std::array<char*, 4> arguments{shell.data(), dashC.data(), line.data(), nullptr};
    const pid_t process = ::fork();
    if (process < 0)
        return commandError(command);
    if (process == 0)
        becomeCommand(shell.constData(), arguments.data(), theirs.get(), theirErrors.get());
    return std::unique_ptr<CommandRoute>(new CommandRoute(command, std::move(errors), process));
}

/// The thread, until the command and its children have closed their standard error.
void CommandRoute::collect()
{
    std::array<char, 1024> bytes{};
    while (true) {
        const auto n = ::read(m_errors.get(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        const std::lock_guard lock(m_mutex);
        if (n <= 0) {
            m_hasEnded = true;
            m_ended.notify_all();
            return;
        }
        m_said.append(bytes.data(), n);
        m_said = m_said.right(mostSaid);
    }
}

QString CommandRoute::failure() const
{
    std::unique_lock lock(m_mutex);
    if (!m_ended.wait_for(lock, 500ms, [this] { return m_hasEnded; }) && m_said.isEmpty())
        return {};
    const QString said = QString::fromLocal8Bit(m_said).trimmed().section(u'\n', -1).left(300);
    return said.isEmpty() ? tr("The ProxyCommand “%1” ended.").arg(m_command)
                          : tr("The ProxyCommand “%1” says: %2").arg(m_command, said);
}

} // namespace slipway
