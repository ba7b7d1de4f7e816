// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/compare/comparemodel.h"

namespace slipway {

/// What the verdict card says: the number if the race was fair, otherwise why there is none and
/// what to do about it. A value.
struct RaceVerdict {
    bool fair = false;
    QString where; ///< "at 16384 × 16384, compute only"
    QString headline; ///< "32 × as fast"; of an unfair race: "No speed-up is stated"
    QString detail; ///< the interval, or the reason
    QString crossover; ///< "From n ≈ 900 on, GPU takes less time, transfers counted."
    QString remedy; ///< "Give the CPU lane all threads of the job."
    bool operator==(const RaceVerdict&) const = default;
};
RaceVerdict verdictOf(const CompareModel& model);

/// "No GPU lane: this node has no GPU driver. Ask for a node with a GPU."
QString absentWords(const AbsentLane& lane);

} // namespace slipway
