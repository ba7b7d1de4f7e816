// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparisonvalues.h"

namespace slipway {

/// One size that both lanes measured.
struct MeasuredPair {
    const Measurement* a = nullptr;
    const Measurement* b = nullptr;
};

/// By rising size; points into the lanes.
std::vector<MeasuredPair> pairsOf(const CompareLane& a, const CompareLane& b);

/// Every rule of a fair race and whether these two lanes keep it, with the numbers. Pure.
std::vector<FairnessRule> fairnessRules(const CompareLane& a, const CompareLane& b);

/// The part of its measured peak that the lane reached; none where it is not known.
std::optional<double> partOfPeak(const Measurement& point);
/// FLOP/s, or B/s where only bytes are known; none where neither is.
std::optional<double> rateOf(const Measurement& point);
QString rateUnit(const Measurement& point);

} // namespace slipway
