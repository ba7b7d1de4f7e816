// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace slipway::probe {

namespace {

constexpr double killTimeout = 0.5; ///< s for a killed process to end
constexpr size_t mostLine = 1 << 20;

double since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

[[noreturn]] void runWork(const Child::Work& work, int file, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGPIPE})
        ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (const int nothing = open("/dev/null", O_RDWR); nothing >= 0) {
        // Output of a library is not a row.
        for (const int standard : {0, 1, 2})
            dup2(nothing, standard);
        if (nothing > 2)
            close(nothing);
    }
    const ChildPipe pipe(file);
    work(pipe);
    pipe.send(Json(true)); // the end: nothing else sends a plain true
    _exit(0);
}

std::string signalName(int signal)
{
    switch (signal) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGABRT:
        return "SIGABRT";
    case SIGILL:
        return "SIGILL";
    case SIGFPE:
        return "SIGFPE";
    case SIGKILL:
        return "SIGKILL: perhaps out of memory";
    default:
        return "signal " + std::to_string(signal);
    }
}

} // namespace

void ChildPipe::send(const Json& line) const
{
    const std::string text = line.write() + '\n';
    for (size_t at = 0; at < text.size();) {
        const ssize_t n = write(_file, text.data() + at, text.size() - at);
        if (n < 0 && errno != EINTR)
            return;
        at += n > 0 ? size_t(n) : 0;
    }
}

void ChildPipe::stage(std::string_view name) const
{
    send(Json().set("stage", name));
}

std::vector<Row> ChildResult::rows() const
{
    std::vector<Row> rows;
    for (const Json& line : lines) {
        if (std::optional<Row> row = Row::fromJson(line))
            rows.push_back(std::move(*row));
    }
    return rows;
}

std::string ChildResult::trouble() const
{
    const std::string in = stage.empty() ? std::string() : " in " + stage;
    char time[32];
    std::snprintf(time, sizeof time, "%.3g s", std::round(deadline * 10) / 10);
    switch (end) {
    case End::Done:
        return {};
    case End::Exited:
        return "ended the program" + in + " (exit " + std::to_string(code) + ")";
    case End::Crashed:
        return "crashed" + in + " (" + signalName(code) + ")";
    case End::Late:
        return "did not answer within " + std::string(time) + in;
    case End::Stuck:
        return "did not answer within " + std::string(time) + in
            + ", and cannot be killed: the kernel waits for the device";
    case End::NotStarted:
        break;
    }
    return "could not be tried: " + std::string(std::strerror(code));
}

Child::~Child()
{
    if (running())
        reap(true);
    if (_file >= 0)
        close(_file);
}

void Child::start(const Work& work, double deadlineSeconds)
{
    _begin = std::chrono::steady_clock::now();
    _result.deadline = deadlineSeconds;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        _result.code = errno;
        return;
    }
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); // it need not wait for a parent that waits for another
    const pid_t parent = getpid();
    _pid = fork();
    if (_pid == 0) {
        close(ends[0]);
        runWork(work, ends[1], parent);
    }
    close(ends[1]);
    _file = ends[0];
    if (_pid < 0)
        _result.code = errno;
    else
        setpgid(_pid, _pid); // in both, so that neither is too early
}

double Child::secondsLeft() const
{
    return _result.deadline - since(_begin);
}

void Child::take(const std::function<void(const Json&)>& live)
{
    size_t begin = 0;
    for (size_t end; (end = _partial.find('\n', begin)) != _partial.npos; begin = end + 1) {
        std::optional<Json> line =
            Json::read(std::string_view(_partial).substr(begin, end - begin));
        if (!line)
            continue;
        if (line->boolean()) {
            _result.end = ChildResult::End::Done;
        } else if (line->has("stage")) {
            _result.stage = (*line)["stage"].text();
        } else {
            if (live)
                live(*line);
            _result.lines.push_back(std::move(*line));
        }
    }
    _partial.erase(0, begin);
    if (_partial.size() > mostLine)
        _partial.clear();
}

/// False at the end of the pipe.
bool Child::readSome(const std::function<void(const Json&)>& live, int milliseconds)
{
    pollfd waiting{_file, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) {
        // A helper of a driver may hold the pipe open when the child itself is gone.
        siginfo_t gone{};
        return !(waitid(P_PID, id_t(_pid), &gone, WEXITED | WNOHANG | WNOWAIT) == 0
            && gone.si_pid == _pid);
    }
    char buffer[65536];
    const ssize_t n = read(_file, buffer, sizeof buffer);
    if (n <= 0)
        return n < 0 && errno == EINTR;
    _partial.append(buffer, size_t(n));
    _received += size_t(n);
    take(live);
    return true;
}

bool Child::ready()
{
    if (running() && !_ended && _result.end != ChildResult::End::Done)
        _ended = !readSome({}, 0);
    return !running() || _ended || _result.end == ChildResult::End::Done || secondsLeft() <= 0;
}

const ChildResult& Child::wait(const std::function<void(const Json&)>& live)
{
    if (!running())
        return _result;
    // Output before the deadline counts, even if it is read later.
    for (bool more = true; more && !_ended && _result.end != ChildResult::End::Done;) {
        const double left = std::fmax(secondsLeft(), 0);
        const size_t before = _received;
        _ended = !readSome(live, int(std::ceil(std::fmin(left, 0.1) * 1000)));
        more = left > 0 || _received > before;
    }
    reap(_result.end != ChildResult::End::Done && !_ended);
    return _result;
}

/// Kills the whole group, even after a normal end: a driver may have started its own helper
/// processes.
void Child::reap(bool late)
{
    int status = 0;
    pid_t ended = 0;
    const auto begin = std::chrono::steady_clock::now();
    if (late || _result.end == ChildResult::End::Done)
        kill(-_pid, SIGKILL);
    const double killAfter = late || _result.end == ChildResult::End::Done
        ? killTimeout
        : std::fmax(secondsLeft(), killTimeout);
    while ((ended = waitpid(_pid, &status, WNOHANG)) == 0 && since(begin) < killAfter)
        usleep(1000);
    if (ended == 0)
        kill(-_pid, SIGKILL);
    if (_result.end != ChildResult::End::Done) {
        using End = ChildResult::End;
        _result.end = ended == 0  ? End::Stuck
            : late                ? End::Late
            : WIFSIGNALED(status) ? End::Crashed
                                  : End::Exited;
        _result.code = late ? 0 : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    kill(-_pid, SIGKILL);
    close(_file);
    _pid = _file = -1;
}

ChildResult runInChild(
    const Child::Work& work, double deadlineSeconds, const std::function<void(const Json&)>& live)
{
    Child child;
    child.start(work, deadlineSeconds);
    return child.wait(live);
}

} // namespace slipway::probe
