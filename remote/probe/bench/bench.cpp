// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/bench.h"

namespace slipway::probe {

void addBenchChecks(std::vector<Check>&) {}

int race(const std::vector<std::string>&, RowWriter&) { return 2; }

} // namespace slipway::probe
