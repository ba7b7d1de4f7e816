// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/logfollower.h"

#include <QCoroTask>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <vector>

namespace slipway {

class FollowReader;
class Process;
class Shell;

/// RunTail copies the output of all running jobs of a site through one Process: a loop on the
/// cluster polls all files and is woken when one grows. The loop stores nothing there; a changed
/// set of files needs a new loop, started at most once per turn of the event loop, which continues
/// from what was confirmed here. LogFollowers are its files. Lives on the GUI (or main) thread;
/// shared by Cluster and its followers.
class RunTail : public QObject {
    Q_OBJECT

public:
    explicit RunTail(std::shared_ptr<Shell> shell, QObject* parent = nullptr);
    ~RunTail() override;

    /// Takes effect with the next loop.
    void setPace(const FollowPace& pace) { m_pace = pace; }
    const FollowPace& pace() const { return m_pace; }
    /// The number of loops that were started so far.
    int starts() const { return m_starts; }
    bool isRunning() const { return m_process != nullptr; }

private:
    friend class LogFollower;
    void join(LogFollower* file);
    enum class Loop { KnowsIt, ReadsOn };
    void leave(LogFollower* file, Loop loop);
    void restart();
    void attach();
    void take(const QByteArray& bytesOfLoop);
    void processEnded(const Result<int>& exitCode);
    void retry(const QString& why);
    void endAll(const Error& error);
    void dropProcess();

    std::shared_ptr<Shell> m_shell;
    FollowPace m_pace;
    std::vector<LogFollower*> m_files; ///< the files that are followed
    std::vector<LogFollower*> m_numbers; ///< by their number in the loop; null: removed
    std::unique_ptr<Process> m_process;
    std::unique_ptr<FollowReader> m_reader;
    QTimer m_again;
    int m_failures = 0;
    int m_starts = 0;
    QByteArray m_errorText;
};

/// FileWatch lets a coroutine wait until one of some small files has changed, pushed by a RunTail.
/// Lives in the coroutine that waits.
class FileWatch : public QObject {
    Q_OBJECT

public:
    /// Without a tail it only waits.
    FileWatch(const std::shared_ptr<RunTail>& tail, const QStringList& paths);

    /// Waits until a change since the last call, at most for this time.
    QCoro::Task<void> changed(std::chrono::milliseconds atMost);

private:
    void wake();

    std::vector<std::unique_ptr<LogFollower>> m_files;
    QTimer m_timer;
    bool m_woken = false;
};

} // namespace slipway
