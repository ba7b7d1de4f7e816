// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "fakeslurm.h"
#include "remote/cluster/cluster.h"

namespace slipway {

/// Short enough for a test to see them run out.
inline Timeouts quick()
{
    using namespace std::chrono_literals;
    return {50ms, 300ms, 30ms, 3000ms};
}

inline SubmitRequest requestFor(const FakeSlurm& slurm)
{
    QDir().mkpath(slurm.runFolder());
    return {slurm.runFolder(), QStringLiteral("job.sh"), QStringLiteral("slipway:abc-1")};
}

inline AllocateRequest allocationFor(const FakeSlurm& slurm)
{
    QDir().mkpath(slurm.runFolder());
    const QStringList options{QStringLiteral("--nodes=1"), QStringLiteral("--job-name=it")};
    return {slurm.runFolder(), options, QStringLiteral("slipway:abc-2")};
}

/// The number, or what went wrong, for a comparison.
inline QString numberOf(const Result<JobId>& id)
{
    return id.ok() ? id->text : id.error().text();
}

inline QString numberOf(const Result<Allocation>& got)
{
    return got.ok() ? got->id.text : got.error().text();
}

} // namespace slipway
