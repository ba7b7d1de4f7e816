// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/sshare.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(shares)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    for (const AccountShare& share : parseSshare(input, QStringLiteral("demo"))) {
        if (share.account.isEmpty() || share.limits.size() > 1000)
            std::abort();
        if (share.fairShare && !(*share.fairShare >= 0 && *share.fairShare <= 1))
            std::abort();
        for (const UsageLimit& one : share.limits) {
            if (one.left().count() < 0 || one.left() > one.limit || one.used.count() < 0)
                std::abort();
        }
    }
    return 0;
}
