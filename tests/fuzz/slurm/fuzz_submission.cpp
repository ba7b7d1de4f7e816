// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/submission.h"
#include "tests/fuzz/target.h"

using namespace slipway;

SLIPWAY_FUZZ_TARGET(submission)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    parseSubmitted(input);
    parseSalloc(input);
    submitError(input);
    return 0;
}
