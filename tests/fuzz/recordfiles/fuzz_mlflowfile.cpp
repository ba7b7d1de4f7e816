// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/recordfiles/readbothways.h"

/// The first byte says how the rest is cut into pieces; both ways must read the same.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    slipway::readBothWays(slipway::RecordKind::MlflowMetric, data, size);
    return 0;
}
