// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "plots/metrics/patternspec.h"

#include <QStringList>

#include <vector>

namespace slipway {

/// RunReading is how the log of a run is read and drawn: as a recipe says. A value.
struct RunReading {
    QStringList recognisers; ///< empty: all
    std::vector<PatternSpec> patterns;
    std::vector<ChartSpec> charts;

    bool operator==(const RunReading&) const = default;
};

} // namespace slipway
