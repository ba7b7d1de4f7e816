// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/hostlist.h"
#include "remote/slurm/jobspec.h"
#include "remote/slurm/jobstates.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(names)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString text = QString::fromUtf8(input);
    const auto count = countHostlist(text);
    if (count.ok() && (*count < 0 || *count > 1'000'000'000'000))
        std::abort();
    if (!isLegalJobName(legalJobName(text)))
        std::abort();
    jobState(text);
    return 0;
}
