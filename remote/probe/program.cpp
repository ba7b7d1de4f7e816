// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/child.h"
#include "remote/probe/core/text.h"
#include "remote/probe/node.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace slipway::probe {

namespace {

constexpr size_t mostOutput = 64 << 10;

/// The file that the PATH names; empty: none.
std::string onPath(const std::string& program)
{
    for (const std::string& folder : split(environment("PATH"), ':')) {
        const std::string path = folder + '/' + program;
        if (access(path.c_str(), X_OK) == 0)
            return path;
    }
    return {};
}

[[noreturn]] void become(
    const std::string& path, const std::vector<std::string>& command, int output)
{
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(output, 1);
    dup2(output, 2);
    execv(path.c_str(), arguments.data());
    _exit(127);
}

} // namespace

ProgramResult runProgram(const std::vector<std::string>& command, double deadlineSeconds)
{
    ProgramResult result;
    const std::string path = onPath(command[0]);
    int ends[2];
    if (path.empty() || pipe2(ends, O_CLOEXEC) != 0)
        return result;
    result.found = true;
    const auto begin = std::chrono::steady_clock::now();
    const pid_t pid = fork();
    if (pid == 0)
        become(path, command, ends[1]);
    close(ends[1]);
    for (bool open = pid > 0; open;) {
        const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
        const double left = deadlineSeconds - gone.count();
        pollfd waiting{ends[0], POLLIN, 0};
        result.late = left <= 0;
        if (result.late || (poll(&waiting, 1, int(left * 1000) + 1) < 0 && errno != EINTR))
            break;
        char buffer[4096];
        const ssize_t n = waiting.revents ? read(ends[0], buffer, sizeof buffer) : 1;
        open = n > 0;
        if (waiting.revents && n > 0 && result.output.size() < mostOutput)
            result.output.append(buffer, size_t(n));
    }
    close(ends[0]);
    int status = 0;
    if (pid > 0 && result.late)
        kill(pid, SIGKILL);
    if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status))
        result.code = WEXITSTATUS(status);
    return result;
}

} // namespace slipway::probe
