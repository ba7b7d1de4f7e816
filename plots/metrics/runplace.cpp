// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/runplace.h"

#include "plots/metrics/scan.h"

#include <cmath>

namespace slipway {

RunPlace::Place RunPlace::read(const LineCounters& counters, int rank)
{
    static const QString epochName = QStringLiteral("epoch");
    if (counters.epoch && !m_first)
        m_first = counters.epoch->done;
    const double before = m_first == 0.0 ? 0 : 1;
    if (counters.epoch && counters.step && counters.isShare && counters.step->total > 0) {
        m_shares = true;
        const double share = counters.step->done / counters.step->total;
        return {counters.epoch->done - before + share, epochName, counters.epoch->total};
    }
    if (m_shares && counters.epoch && !counters.step)
        return {counters.epoch->done + 1 - before, epochName, counters.epoch->total, true};
    if (!counters.epoch) {
        const auto state = m_states.find(rank);
        if (state != m_states.end() && state->second.epoch) {
            const Counter epoch{"epoch", *state->second.epoch, state->second.epochs};
            return m_clock.readShared({epoch, counters.step}, rank);
        }
    }
    return m_clock.readShared(counters, rank);
}

RunPlace::Place RunPlace::open(const LineCounters& counters, int rank)
{
    if (m_states.size() >= manyRanks && !m_states.contains(rank))
        return read(counters, rank);
    State& state = m_states[rank];
    if (counters.epoch && !counters.step) {
        state.epoch = counters.epoch->done;
        state.epochs = counters.epoch->total;
        return read(counters, rank);
    }
    Place place = read(counters, rank);
    if (!counters.epoch && !state.epoch) {
        // Iterations of a solver begin anew with each of its problems.
        if (counters.step->done <= 1 && state.last > counters.step->done)
            state.base += state.last + (counters.step->done == 0 ? 1 : 0);
        state.last = counters.step->done;
        place.x += state.base;
    }
    return place;
}

double RunPlace::solved(int rank) const
{
    const auto state = m_states.find(rank);
    return state == m_states.end() ? 0 : state->second.base;
}

double RunPlace::atEnd(double x) const
{
    return m_shares ? std::ceil(x) : x;
}

} // namespace slipway
