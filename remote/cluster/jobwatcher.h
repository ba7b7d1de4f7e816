// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/error.h"
#include "remote/slurm/jobledger.h"

#include <QCoroTask>
#include <QObject>

#include <chrono>
#include <memory>
#include <vector>

namespace slipway {

struct QueueReading;
struct SlurmContext;

/// How often the scheduler is polled. The defaults suit a shared cluster; a private one (the demo
/// cluster) may use shorter ones.
struct WatchPace {
    std::chrono::milliseconds busy{10'000}; ///< a job changed in the last minute, or is displayed
    std::chrono::milliseconds calm{30'000};
    std::chrono::milliseconds hidden{120'000};
    std::chrono::milliseconds longest{300'000}; ///< after errors, doubled up to this
    std::chrono::milliseconds leastBetween{3'000}; ///< an earlier refresh() is deferred
    int callsAMinute = 12;
    bool eager = false; ///< busy while any job has not ended and the window is not hidden

    /// 2 s while a job is pending or running and the window shows it.
    static WatchPace demo();
};

/// JobWatcher tracks all of the user's jobs on one cluster with one squeue for all of them, at a
/// rate that is acceptable for the site, and turns answers into events. It never treats an error or
/// an absence as an end. Lives on the GUI (or main) thread; owned by Cluster. A worker thread reads
/// the answers: a queue of fifty thousand rows takes half a second.
class JobWatcher : public QObject {
    Q_OBJECT

public:
    enum class Attention {
        Watched,
        Normal,
        Hidden
    }; ///< what is visible: a page of a job, the window, nothing

    explicit JobWatcher(std::shared_ptr<SlurmContext> side, QObject* parent = nullptr);
    ~JobWatcher() override;

    void setPace(const WatchPace& pace);
    void setAttention(Attention attention);
    /// Accounting is available (sacct works); from ClusterInfo::accounting.
    void setAccounting(bool on);

    /// Polls now and from now on. stop() ends polling; what is known is kept.
    void start();
    void stop();
    bool isRunning() const;
    /// Polls soon: at once, or as soon as leastBetween allows. Call it after a submission.
    void refresh();
    /// The job has written its exit record (exit.json): polls at once, regardless of the last call,
    /// and a few times more until the scheduler confirms the end. Still within the budget.
    void endExpected(const JobId& id);

    /// A job of an earlier session, or one just submitted: its absence will be noticed.
    void expect(const Job& job);
    void forget(const JobId& id);
    /// The engine read the job's exit.json. Ended follows in events().
    void confirmEnded(const JobId& id, JobState state);

    std::vector<Job> jobs() const;
    std::optional<Job> job(const JobId& id) const;
    QDateTime lastAsked() const; ///< of the last successful answer
    /// The number of rows of the last answer that could not be parsed; they are not jobs here.
    int oddRows() const;
    int callsLastMinute() const;
    /// Set while the scheduler does not respond.
    std::optional<Error> trouble() const;
    /// Time until the next call; for tests and the status line.
    std::chrono::milliseconds nextIn() const;

signals:
    /// What happened since the answer before, in order. Missing: read exit.json, then
    /// confirmEnded().
    void events(const std::vector<slipway::JobEvent>& events);
    /// jobs() has changed.
    void jobsChanged();
    void asked(const QDateTime& when);
    /// The scheduler does not respond; nothing is known to have changed. Repeated while this lasts.
    void unreachable(const slipway::Error& error);

private:
    QCoro::Task<void> ask();
    void answered(QueueReading& reading, const QDateTime& asked);
    void failed(const Error& error);
    void tell(const std::vector<JobEvent>& list);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace slipway
