// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/row.h"

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace slipway::probe {

/// The child's end of the pipe. What is sent arrives even if the child crashes in the next line.
class ChildPipe {
public:
    explicit ChildPipe(int file)
        : _file(file)
    {
    }
    void send(const Json& line) const;
    void send(const Row& row) const { send(row.toJson()); }
    /// Names the next stage, which identifies a hang or a crash.
    void stage(std::string_view name) const;

private:
    int _file;
};

/// How a child ended, and its output until then. A value.
struct ChildResult {
    enum class End {
        Done, ///< it returned
        Exited, ///< something in it called exit: `code`
        Crashed, ///< signal `code`
        Late, ///< the deadline passed, and it was killed
        Stuck, ///< as Late, and not even SIGKILL ended it: it is blocked in the kernel
        NotStarted, ///< fork or pipe failed: errno `code`
    };
    End end = End::NotStarted;
    int code = 0;
    double deadline = 0; ///< s that it had
    std::string stage; ///< the last stage that was named
    std::vector<Json> lines;

    bool done() const { return end == End::Done; }
    std::vector<Row> rows() const; ///< the lines that are rows
    /// "crashed in cuInit (SIGSEGV)", "did not answer within 10 s in nvmlInit"; empty where it is
    /// done.
    std::string trouble() const;
};

/// Child runs work in its own process, with a deadline: a driver that hangs, crashes
/// or calls exit ends only that process. It leads its own process group, which is killed as a
/// whole, and the kernel kills it when the probe dies. Used by one thread; the work must not start
/// before other threads of the parent have ended.
class Child {
public:
    using Work = std::function<void(const ChildPipe&)>;
    Child() = default;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child(); ///< kills what still runs

    void start(const Work& work, double deadlineSeconds);
    bool running() const { return _pid > 0; }
    int file() const { return _file; } ///< to poll; -1: nothing more comes
    bool ready(); ///< wait() would return at once
    /// Waits for its end, at most to its deadline. `live` gets each line as it comes.
    const ChildResult& wait(const std::function<void(const Json&)>& live = {});

private:
    bool readSome(const std::function<void(const Json&)>& live, int milliseconds);
    void take(const std::function<void(const Json&)>& live);
    void reap(bool late);
    double secondsLeft() const;

    pid_t _pid = -1;
    int _file = -1;
    std::chrono::steady_clock::time_point _begin;
    size_t _received = 0;
    bool _ended = false; ///< nothing more comes from it
    std::string _partial;
    ChildResult _result;
};

/// Start and wait in one.
ChildResult runInChild(const Child::Work& work, double deadlineSeconds,
    const std::function<void(const Json&)>& live = {});

/// The output of a program on stdout and stderr together, at most 64 KiB; it runs in a child as
/// well, without a shell and with its input closed. No result if it is not on the PATH or exceeds
/// the deadline.
struct ProgramResult {
    bool found = false;
    bool late = false;
    int code = -1; ///< exit code; -1: it did not exit by itself
    std::string output;
};
ProgramResult runProgram(const std::vector<std::string>& command, double deadlineSeconds);

} // namespace slipway::probe
