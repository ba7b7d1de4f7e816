// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/sacct.h"

#include <QMap>
#include <QMetaType>

#include <vector>

namespace slipway {

/// A change of a job between two answers of the scheduler.
struct JobEvent {
    enum class Kind {
        Appeared, ///< seen for the first time, in whatever state
        Changed, ///< another state
        ReasonChanged, ///< waits for a different reason, or the estimated start changed
        Restarted, ///< requeued with the same ID; its log may be restarted
        Missing, ///< not in an answer: unknown, not finished
        Returned, ///< it was missing and is listed again
        Ended, ///< finished for certain; `after.state` says how
        EndedUnknown, ///< certainly ended, but how is unknown
    };
    Kind kind = Kind::Appeared;
    Job before; ///< empty for Appeared
    Job after; ///< the job as known now
};

/// What changed from one answer to the next. Pure. A job that is not in `after` is Missing, never
/// finished; a state that may return (preempted, node failed) is Changed, not Ended.
std::vector<JobEvent> diff(const std::vector<Job>& before, const std::vector<Job>& after);

/// JobLedger tracks the jobs over time: known, missing or ended. A value. It receives only
/// successful answers, so an error never ends a job. A job has ended when squeue or sacct shows a
/// final state, when its own trailer was read (confirmEnded), or when it was absent from two
/// answers at least 30 s apart with neither: that is EndedUnknown.
class JobLedger {
public:
    /// A successful squeue for all jobs, at `asked`. `whole` false: a row could not be parsed, so
    /// an absent job is Missing as usual, but its absence does not end it.
    std::vector<JobEvent> take(
        const std::vector<Job>& jobs, const QDateTime& asked, bool whole = true);
    /// A successful sacct. Rows of jobs that are in the queue are ignored.
    std::vector<JobEvent> onHistory(const std::vector<JobRecord>& records);
    /// The job's own exit.json was read.
    std::vector<JobEvent> confirmEnded(const JobId& id, JobState state);

    /// A job whose absence must be noticed, though no answer has shown it yet (a submission of an
    /// earlier session).
    void expect(const Job& job);
    void forget(const JobId& id);

    std::size_t size() const { return std::size_t(m_entries.size()); }
    std::vector<Job> jobs() const;
    std::optional<Job> job(const JobId& id) const;
    /// Jobs that are absent but have not ended: sacct may know them.
    std::vector<JobId> missing() const;
    bool hasLive() const; ///< any job that has not ended

private:
    struct Entry {
        Job job;
        bool ended = false;
        std::optional<QDateTime> missingSince;
        std::optional<QDateTime> mayReturnSince;
    };
    std::vector<JobEvent> takeRow(const Job& row, const QDateTime& asked);
    void removeRegrouped(const QMap<JobId, bool>& present);
    void settle(Entry& entry, const QDateTime& asked, std::vector<JobEvent>& events);
    QMap<JobId, Entry> m_entries;
};

} // namespace slipway

Q_DECLARE_METATYPE(slipway::JobEvent)
