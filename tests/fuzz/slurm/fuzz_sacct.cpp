// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/sacct.h"
#include "tests/fuzz/target.h"

using namespace slipway;

SLIPWAY_FUZZ_TARGET(sacct)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    static const auto separators = Separators::of("0123456789abcdef0123456789abcdef");
    (void)parseSacct(input, separators);
    return 0;
}
