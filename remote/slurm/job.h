// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDateTime>
#include <QString>

#include <chrono>
#include <optional>
#include <vector>

namespace slipway {

/// A Slurm job ID as text, with its array task if there is one ("42", "42_7"). A type of its own,
/// so that it is never confused with another string.
struct JobId {
    QString text;
    bool isValid() const { return !text.isEmpty(); }
    bool operator==(const JobId&) const = default;
    bool operator<(const JobId& other) const { return text < other.text; }
};

/// The states of squeue(1), in the order of a job's life. Unknown keeps its raw text and is never
/// treated as an end.
enum class JobState {
    Pending,
    Configuring,
    Running,
    Suspended,
    Completing,
    Requeued,
    Held,
    SignalOrStaging,
    Completed,
    Failed,
    Cancelled,
    TimedOut,
    OutOfMemory,
    NodeFailed,
    Preempted,
    BootFailed,
    DeadlineMissed,
    Revoked,
    Unknown,
};

/// One row of squeue: one job. Text fields are untrusted bytes, already decoded leniently; show
/// them only as plain text.
struct Job {
    JobId id;
    JobState state = JobState::Unknown;
    QString stateText; ///< as printed by the scheduler
    QString reason; ///< "Priority", "None"…
    QString partition, qos, account;
    int nodes = 0;
    int cpus = 0;
    QString tres;
    std::optional<std::chrono::seconds> elapsed;
    std::optional<std::chrono::seconds> timeLimit; ///< none: unlimited or unknown
    std::optional<QDateTime> submitted, started,
        ended; ///< started may be an estimate while pending
    QString nodeList, batchHost;
    int restarts = 0;
    QString output, workDir, comment, name;
};

} // namespace slipway
