// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/recordfiles/readbothways.h"
#include "tests/fuzz/target.h"

/// The first byte says how the rest is cut into pieces; both ways must read the same.
SLIPWAY_FUZZ_TARGET(jsonfile)
{
    slipway::readBothWays(slipway::RecordKind::Json, data, size);
    return 0;
}
