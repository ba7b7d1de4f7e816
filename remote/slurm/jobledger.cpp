// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/jobledger.h"

#include "remote/slurm/jobstates.h"

namespace slipway {

namespace {

// reliability: a job that is absent from two successful answers this far apart, without other
// evidence, no longer exists.
constexpr qint64 secondsUntilGone = 30;

using Kind = JobEvent::Kind;

bool sameEstimate(const Job& before, const Job& after)
{
    if (before.started.has_value() != after.started.has_value())
        return false;
    return !before.started || std::abs(before.started->secsTo(*after.started)) < 60;
}

/// The change between two rows of one job, without knowing whether MayReturn states are final.
std::vector<JobEvent> changes(const Job& before, const Job& after)
{
    std::vector<JobEvent> events;
    if (after.restarts > before.restarts)
        events.push_back({Kind::Restarted, before, after});
    if (isTerminal(after.state)) {
        if (!isTerminal(before.state) || after.restarts > before.restarts)
            events.push_back({Kind::Ended, before, after});
        return events;
    }
    if (after.state != before.state || after.stateText != before.stateText)
        events.push_back({Kind::Changed, before, after});
    else if (isWaiting(after.state)
        && (after.reason != before.reason || !sameEstimate(before, after)))
        events.push_back({Kind::ReasonChanged, before, after});
    return events;
}

void append(std::vector<JobEvent>& events, std::vector<JobEvent> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(events));
}

} // namespace

std::vector<JobEvent> diff(const std::vector<Job>& before, const std::vector<Job>& after)
{
    QMap<JobId, Job> old;
    for (const auto& job : before)
        old.insert(job.id, job);
    std::vector<JobEvent> events;
    for (const auto& job : after) {
        const auto found = old.constFind(job.id);
        if (found == old.constEnd()) {
            events.push_back({Kind::Appeared, {}, job});
            if (isTerminal(job.state))
                events.push_back({Kind::Ended, {}, job});
        } else {
            append(events, changes(*found, job));
            old.remove(job.id);
        }
    }
    for (const auto& job : old) {
        if (!isTerminal(job.state))
            events.push_back({Kind::Missing, job, job});
    }
    return events;
}

std::vector<JobEvent> JobLedger::takeRow(const Job& row, const QDateTime& asked)
{
    const auto found = m_entries.find(row.id);
    if (found == m_entries.end()) {
        Entry entry{row, isTerminal(row.state), {}, {}};
        if (finality(row.state) == Finality::MayReturn)
            entry.mayReturnSince = asked;
        m_entries.insert(row.id, entry);
        std::vector<JobEvent> events{{Kind::Appeared, {}, row}};
        if (entry.ended)
            events.push_back({Kind::Ended, {}, row});
        return events;
    }
    Entry& entry = *found;
    const Job before = entry.job;
    const bool endedHere = entry.ended && row.restarts <= before.restarts;
    entry.job = row;
    std::vector<JobEvent> events;
    if (endedHere) { // a late row of a job that has ended; its end state is kept
        entry.job.state = isTerminal(row.state) ? row.state : before.state;
        entry.missingSince.reset();
        return events;
    }
    if (entry.missingSince)
        events.push_back({Kind::Returned, before, row});
    entry.missingSince.reset();
    append(events, changes(before, row));
    entry.ended = isTerminal(row.state);
    if (finality(row.state) != Finality::MayReturn || row.restarts > before.restarts)
        entry.mayReturnSince.reset();
    settle(entry, asked, events);
    return events;
}

/// A preempted job or one whose node failed has ended once it stayed so without a restart.
void JobLedger::settle(Entry& entry, const QDateTime& asked, std::vector<JobEvent>& events)
{
    if (entry.ended || finality(entry.job.state) != Finality::MayReturn)
        return;
    if (!entry.mayReturnSince)
        entry.mayReturnSince = asked;
    if (entry.mayReturnSince->secsTo(asked) < secondsUntilGone)
        return;
    entry.ended = true;
    events.push_back({Kind::Ended, entry.job, entry.job});
}

/// "42_[3-9]" is not a job but the rest of an array: its name changes with each task that starts,
/// and in a long queue it represents tasks that had their own rows before. Neither counts as an
/// absence.
void JobLedger::removeRegrouped(const QMap<JobId, bool>& present)
{
    QMap<QString, bool> grouped;
    for (auto it = present.begin(); it != present.end(); ++it) {
        if (it.key().text.endsWith(u']'))
            grouped.insert(it.key().text.section(u'_', 0, 0), true);
    }
    for (auto it = m_entries.begin(); it != m_entries.end();) {
        const QString id = it.key().text;
        const bool inGroup = id.contains(u'_') && isWaiting(it->job.state)
            && grouped.contains(id.section(u'_', 0, 0));
        const bool gone = !present.contains(it.key()) && (id.endsWith(u']') || inGroup);
        it = gone ? m_entries.erase(it) : std::next(it);
    }
}

std::vector<JobEvent> JobLedger::take(
    const std::vector<Job>& jobs, const QDateTime& asked, bool whole)
{
    std::vector<JobEvent> events;
    QMap<JobId, bool> present;
    for (const auto& job : jobs) {
        present.insert(job.id, true);
        append(events, takeRow(job, asked));
    }
    removeRegrouped(present);
    for (auto& entry : m_entries) {
        if (entry.ended || present.contains(entry.job.id))
            continue;
        if (!entry.missingSince) {
            entry.missingSince = asked;
            events.push_back({Kind::Missing, entry.job, entry.job});
        } else if (whole && entry.missingSince->secsTo(asked) >= secondsUntilGone) {
            entry.ended = true;
            const bool knownEnd = finality(entry.job.state) == Finality::MayReturn;
            events.push_back({knownEnd ? Kind::Ended : Kind::EndedUnknown, entry.job, entry.job});
        }
    }
    return events;
}

std::vector<JobEvent> JobLedger::onHistory(const std::vector<JobRecord>& records)
{
    QMap<JobId, JobRecord> last; // of several runs with one ID the last row counts
    for (const auto& record : records)
        last.insert(record.id, record);
    std::vector<JobEvent> events;
    for (const auto& record : last) {
        const auto found = m_entries.find(record.id);
        if (found == m_entries.end() || found->ended || !found->missingSince)
            continue;
        // slurmdbd lags behind: a row that still shows RUNNING proves nothing.
        if (finality(record.state) == Finality::Live)
            continue;
        const Job before = found->job;
        found->job.state = record.state;
        found->job.stateText = record.stateText;
        if (record.started)
            found->job.started = record.started;
        if (record.ended)
            found->job.ended = record.ended;
        if (record.elapsed)
            found->job.elapsed = record.elapsed;
        if (!record.nodeList.isEmpty())
            found->job.nodeList = record.nodeList;
        found->ended = true;
        events.push_back({Kind::Ended, before, found->job});
    }
    return events;
}

std::vector<JobEvent> JobLedger::confirmEnded(const JobId& id, JobState state)
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end() || found->ended)
        return {};
    const Job before = found->job;
    found->job.state = state;
    found->job.stateText = jobStateText(state);
    found->ended = true;
    return {{Kind::Ended, before, found->job}};
}

void JobLedger::expect(const Job& job)
{
    if (!m_entries.contains(job.id))
        m_entries.insert(job.id, Entry{job, isTerminal(job.state), {}, {}});
}

void JobLedger::forget(const JobId& id)
{
    m_entries.remove(id);
}

std::vector<Job> JobLedger::jobs() const
{
    std::vector<Job> list;
    for (const auto& entry : m_entries)
        list.push_back(entry.job);
    return list;
}

std::optional<Job> JobLedger::job(const JobId& id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? std::nullopt : std::optional(found->job);
}

std::vector<JobId> JobLedger::missing() const
{
    std::vector<JobId> list;
    for (const auto& entry : m_entries) {
        if (!entry.ended && entry.missingSince)
            list.push_back(entry.job.id);
    }
    return list;
}

bool JobLedger::hasLive() const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [](const Entry& e) { return !e.ended; });
}

} // namespace slipway
