// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/stepclock.h"

#include <optional>

namespace slipway {

/// What a line says of the place of the program: epoch, step, both or neither.
struct LineCounters : PrintedPlace {
    bool isShare = false; ///< the step is a share of the epoch: "[640/60000 (1%)]"

    bool any() const { return epoch || step; }
};

/// RunPlace turns the counters of a line into x. Steps that start again with each epoch are counted
/// on, an epoch may be that of a line above, and a share of an epoch is a fraction. Keeps a small
/// state for each rank.
class RunPlace {
public:
    using Place = StepClock::Reading;

    /// A line with numbers.
    Place read(const LineCounters& counters, int rank);
    /// A line that only counts: "Epoch 3/10" above the lines of its epoch.
    Place open(const LineCounters& counters, int rank);
    /// How many steps of problems that were solved before are in x, below a line that only counts.
    double solved(int rank) const;
    /// For what is printed without a counter, given the x of the last number: the end of an epoch
    /// whose shares were printed.
    double atEnd(double x) const;

private:
    struct State {
        std::optional<double> epoch; ///< of a line above
        double epochs = 0;
        double last = 0; ///< of the steps that stand alone on a line
        double base = 0;
    };

    StepClock m_clock;
    std::map<int, State> m_states;
    std::optional<double> m_first; ///< the number of the first epoch: programs count from 0 or 1
    bool m_shares = false;
};

} // namespace slipway
