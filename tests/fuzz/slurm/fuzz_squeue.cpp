// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/reasons.h"
#include "remote/slurm/squeue.h"
#include "tests/fuzz/target.h"

using namespace slipway;

SLIPWAY_FUZZ_TARGET(squeue)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    static const auto separators = Separators::of("0123456789abcdef0123456789abcdef");
    const auto jobs = parseSqueue(input, separators);
    if (jobs.ok()) {
        for (const auto& job : *jobs)
            reasonSentence(job, QDateTime::fromSecsSinceEpoch(1'795'000'000));
    }
    (void)parseTaggedJobs(input, separators);
    return 0;
}
