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

/// How often the scheduler is asked. The defaults suit a shared cluster; a site of one's own (the
/// demo cluster) may set them lower.
struct WatchPace {
    std::chrono::milliseconds busy{10'000}; ///< a job changed in the last minute, or someone looks
    std::chrono::milliseconds calm{30'000};
    std::chrono::milliseconds hidden{120'000};
    std::chrono::milliseconds longest{300'000}; ///< after errors: doubled up to this
    std::chrono::milliseconds leastBetween{3'000}; ///< refresh() sooner than this is put off
    int callsAMinute = 12;
    bool eager = false; ///< busy as long as any job has not ended and the window is not hidden

    /// 2 s while a job is pending or running and the window shows it.
    static WatchPace demo();
};

/// JobWatcher keeps what is known of all of the user's jobs on one cluster with one squeue for all
/// of them, at a pace that the site can bear, and turns answers into events. It never takes an
/// error or an absence for an end. Lives on the GUI (or main) thread; owned by Cluster. A worker
/// thread reads the answers: a queue of fifty thousand rows takes half a second.
class JobWatcher : public QObject {
    Q_OBJECT

public:
    enum class Attention {
        Watched,
        Normal,
        Hidden
    }; ///< who looks: a page of a job, the window, nobody

    explicit JobWatcher(std::shared_ptr<SlurmContext> side, QObject* parent = nullptr);
    ~JobWatcher() override;

    void setPace(const WatchPace& pace);
    void setAttention(Attention attention);
    /// Slurm keeps a history here (sacct answers); from ClusterInfo::accounting.
    void setAccounting(bool on);

    /// Asks now and from now on. stop() ends asking; what is known stays.
    void start();
    void stop();
    bool isRunning() const;
    /// Asks soon: at once, or as soon as leastBetween allows. Call it after a submission.
    void refresh();
    /// The job has written that it ends (its exit.json is there): asks at once, whenever it asked
    /// last, and a few times more until the scheduler says so too. Within the budget all the same.
    void endExpected(const JobId& id);

    /// A job of an earlier session, or one just submitted: it will be missed when it is absent.
    void expect(const Job& job);
    void forget(const JobId& id);

    std::vector<Job> jobs() const;
    std::optional<Job> job(const JobId& id) const;
    QDateTime lastAsked() const; ///< of the last successful answer
    /// Rows of the last answer that could not be read: none of them is a job here.
    int oddRows() const;
    int callsLastMinute() const;
    /// Set while the scheduler does not answer.
    std::optional<Error> trouble() const;
    /// When the next question goes out, from now; for tests and the status line.
    std::chrono::milliseconds nextIn() const;

signals:
    /// What happened since the previous answer, in order.
    void events(const std::vector<slipway::JobEvent>& events);
    void asked(const QDateTime& when);
    /// The scheduler does not answer; nothing is known to have changed. Repeated while it lasts.
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
