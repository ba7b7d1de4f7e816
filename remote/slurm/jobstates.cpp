// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/jobstates.h"

#include <QStringList>

#include <array>

namespace slipway {

namespace {

struct StateName {
    const char* compact;
    const char* word;
    JobState state;
};

// squeue(1), JOB STATE CODES; the list is the same from 22.05 to 26.05.
constexpr std::array stateNames{
    StateName{"PD", "PENDING", JobState::Pending},
    StateName{"CF", "CONFIGURING", JobState::Configuring},
    StateName{"PO", "POWER_UP_NODE", JobState::Configuring},
    StateName{"R", "RUNNING", JobState::Running},
    StateName{"RS", "RESIZING", JobState::Running},
    StateName{"S", "SUSPENDED", JobState::Suspended},
    StateName{"ST", "STOPPED", JobState::Suspended},
    StateName{"CG", "COMPLETING", JobState::Completing},
    StateName{"RQ", "REQUEUED", JobState::Requeued},
    StateName{"RF", "REQUEUE_FED", JobState::Requeued},
    StateName{"RH", "REQUEUE_HOLD", JobState::Held},
    StateName{"RD", "RESV_DEL_HOLD", JobState::Held},
    StateName{"SE", "SPECIAL_EXIT", JobState::Held},
    StateName{"SI", "SIGNALING", JobState::SignalOrStaging},
    StateName{"SO", "STAGE_OUT", JobState::SignalOrStaging},
    StateName{"CD", "COMPLETED", JobState::Completed},
    StateName{"F", "FAILED", JobState::Failed},
    StateName{"CA", "CANCELLED", JobState::Cancelled},
    StateName{"TO", "TIMEOUT", JobState::TimedOut},
    StateName{"OOM", "OUT_OF_MEMORY", JobState::OutOfMemory},
    StateName{"NF", "NODE_FAIL", JobState::NodeFailed},
    StateName{"PR", "PREEMPTED", JobState::Preempted},
    StateName{"BF", "BOOT_FAIL", JobState::BootFailed},
    StateName{"DL", "DEADLINE", JobState::DeadlineMissed},
    StateName{"RV", "REVOKED", JobState::Revoked},
};

JobState stateOfWord(const QString& word)
{
    for (const auto& name : stateNames) {
        if (word.compare(QLatin1String(name.compact), Qt::CaseInsensitive) == 0
            || word.compare(QLatin1String(name.word), Qt::CaseInsensitive) == 0)
            return name.state;
    }
    return JobState::Unknown;
}

/// sacct cuts a narrow column and marks it: "OUT_OF_ME+".
JobState stateOfCutWord(const QString& start)
{
    if (start.size() < 4)
        return JobState::Unknown;
    for (const auto& name : stateNames) {
        if (QLatin1String(name.word).startsWith(start, Qt::CaseInsensitive))
            return name.state;
    }
    return JobState::Unknown;
}

} // namespace

JobState jobState(const QString& text)
{
    const QString word = text.trimmed().section(QLatin1Char(' '), 0, 0); // "CANCELLED by 1001"
    const QStringList parts = word.split(QLatin1Char('+'), Qt::SkipEmptyParts);
    if (parts.isEmpty())
        return JobState::Unknown;
    // Flags follow the base state: "RUNNING+COMPLETING". A completing job still holds nodes.
    for (const auto& flag : parts.mid(1)) {
        if (const auto state = stateOfWord(flag);
            finality(state) == Finality::Live && state != JobState::Unknown)
            return state;
    }
    const auto state = stateOfWord(parts.first());
    if (state == JobState::Unknown && word.endsWith(QLatin1Char('+')))
        return stateOfCutWord(parts.first());
    return state;
}

Finality finality(JobState state)
{
    switch (state) {
    case JobState::Completed:
    case JobState::Failed:
    case JobState::Cancelled:
    case JobState::TimedOut:
    case JobState::OutOfMemory:
    case JobState::BootFailed:
    case JobState::DeadlineMissed:
    case JobState::Revoked:
        return Finality::Final;
    case JobState::NodeFailed:
    case JobState::Preempted:
        return Finality::MayReturn;
    default:
        return Finality::Live;
    }
}

bool isTerminal(JobState state)
{
    return finality(state) == Finality::Final;
}

bool holdsNodes(JobState state)
{
    return state == JobState::Configuring || state == JobState::Running
        || state == JobState::Suspended || state == JobState::Completing
        || state == JobState::SignalOrStaging;
}

bool isWaiting(JobState state)
{
    return state == JobState::Pending || state == JobState::Requeued || state == JobState::Held;
}

QString jobStateText(JobState state)
{
    static constexpr std::array texts{"queued", "node is starting", "running", "suspended",
        "finishing", "queued again", "held", "staging", "completed", "failed", "cancelled",
        "time limit reached", "out of memory", "node failed", "preempted", "node did not start",
        "deadline missed", "revoked", "unknown"};
    static_assert(texts.size() == std::size_t(JobState::Unknown) + 1);
    return QLatin1String(texts[std::size_t(state)]);
}

} // namespace slipway
