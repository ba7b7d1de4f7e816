// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/fields.h"

#include <map>

namespace slipway {

/// StepClock converts the counters of a line into one x that increases through the whole run:
/// programs count steps through all epochs, or start again with each. Which one is known at the
/// first restart; until then both are the same. Back at the first epoch, another training begins.
/// Keeps one small state per rank.
class StepClock {
public:
    struct Reading {
        double x = 0;
        QString name; ///< "step", "iteration", "batch", "update" or "epoch"
        double total = 0; ///< 0: not known
        bool isOfEpoch = false; ///< printed for an epoch as a whole, after its steps
    };
    Reading read(const PrintedPlace& place, int rank);
    /// The same, but what is printed for an epoch as a whole stands at its last step, if its steps
    /// were printed: training and validation share an axis.
    Reading readShared(const PrintedPlace& place, int rank);

private:
    struct State {
        double epoch = 0;
        double first = 0; ///< the epoch of the first line
        double lastStep = -1;
        double base = 0; ///< steps in the epochs before this one
        bool started = false;
        bool restarts = false;
        QString name; ///< of the steps
    };
    std::map<int, State> m_states;
};

} // namespace slipway
