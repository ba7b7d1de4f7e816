// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/stepclock.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

QString stepName(std::string_view name)
{
    static const QString step = QStringLiteral("step");
    static const QString iteration = QStringLiteral("iteration");
    static const QString batch = QStringLiteral("batch");
    static const QString update = QStringLiteral("update");
    static const QString episode = QStringLiteral("episode");
    static const QString trial = QStringLiteral("trial");
    if (startsWithIgnoringCase(name, "iter"))
        return iteration;
    if (startsWithIgnoringCase(name, "episode"))
        return episode;
    if (startsWithIgnoringCase(name, "batch"))
        return batch;
    if (startsWithIgnoringCase(name, "trial"))
        return trial;
    return startsWithIgnoringCase(name, "update") ? update : step;
}

} // namespace

StepClock::Reading StepClock::read(const PrintedPlace& place, int rank)
{
    static const QString epochName = QStringLiteral("epoch");
    if (!place.step)
        return {place.epoch->done, epochName, place.epoch->total};
    const Counter& step = *place.step;
    Reading reading{step.done, stepName(step.name), step.total};
    if (!place.epoch)
        return reading;

    if (m_states.size() >= manyRanks && !m_states.contains(rank))
        return reading;
    State& state = m_states[rank];
    const double epoch = place.epoch->done;
    if (state.started && epoch < state.epoch && epoch <= state.first) // another training
        state = {.first = state.first, .restarts = state.restarts, .name = {}};
    if (state.started && epoch > state.epoch) {
        if (step.done <= state.lastStep)
            state.restarts = true;
        // Without a total the steps are those that were printed; counted from 0, one more.
        const double steps = step.total > 0 || step.done > 0 ? state.lastStep : state.lastStep + 1;
        if (state.restarts)
            state.base += std::max(step.total, steps) * (step.total > 0 ? epoch - state.epoch : 1);
    }
    if (!state.started)
        state.first = epoch;
    if (!state.started || epoch > state.epoch) {
        state.epoch = epoch;
        state.started = true;
    }
    state.lastStep = step.done;
    state.name = reading.name;
    reading.x = state.base + step.done;
    if (state.restarts)
        reading.total = step.total * place.epoch->total;
    return reading;
}

StepClock::Reading StepClock::readShared(const PrintedPlace& place, int rank)
{
    if (place.step || !place.epoch)
        return read(place, rank);
    const auto state = m_states.find(rank);
    if (state == m_states.end() || state->second.epoch != place.epoch->done)
        return read(place, rank);
    return {state->second.base + state->second.lastStep, state->second.name, 0, true};
}

} // namespace slipway
