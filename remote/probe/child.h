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

/// The child's end of the pipe. What is sent arrives even where the child crashes in its next line.
class ChildPipe {
public:
    explicit ChildPipe(int file)
        : _file(file)
    {
    }
    void send(const Json& line) const;
    void send(const Row& row) const { send(row.toJson()); }
    /// Names what is done next, so that a hang or a crash can be told by it.
    void stage(std::string_view name) const;

private:
    int _file;
};

/// How a child ended, and what it said until then. A value.
struct ChildResult {
    enum class End {
        Done, ///< it returned
        Exited, ///< something in it called exit: `code`
        Crashed, ///< signal `code`
        Late, ///< the deadline passed, and it was killed
        Stuck, ///< as Late, and not even SIGKILL ended it: the kernel holds it
        NotStarted, ///< fork or pipe failed: errno `code`
    };
    End end = End::NotStarted;
    int code = 0;
    double deadline = 0; ///< s that it had
    std::string stage; ///< the last one that was named
    std::vector<Json> lines;

    bool done() const { return end == End::Done; }
    std::vector<Row> rows() const; ///< the lines that are rows
    /// "crashed in cuInit (SIGSEGV)", "did not answer within 10 s in nvmlInit"; empty where it is
    /// done.
    std::string trouble() const;
};

/// Child is a piece of work in a process of its own, with a deadline: a driver that hangs, crashes
/// or calls exit ends that process alone. It leads its own process group, which is killed as a
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

/// What a program prints on stdout and stderr together, at most 64 KiB of it; it is run in a child
/// as well, without a shell and with its input closed. No answer where it is not on the PATH or is
/// late.
struct ProgramResult {
    bool found = false;
    bool late = false;
    int code = -1; ///< exit status; -1: it did not end by itself
    std::string output;
};
ProgramResult runProgram(const std::vector<std::string>& command, double deadlineSeconds);

} // namespace slipway::probe
