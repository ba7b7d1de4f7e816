// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/race/measurement.h"

namespace slipway {

/// A rule that a fair race keeps, and whether this one did.
struct FairnessRule {
    enum class State { Kept, Note, Broken, Unknown };
    QString id; ///< "synchronised", "repeats", "verified", "threads", "throttle", "same-work", "warm-up", "precision"
    State state = State::Unknown;
    QString text; ///< "2 warm-up runs, 7 repeats, median shown"
};

/// b against a at one size: how many times as fast a is. The interval is a 95 % bootstrap over the repeats.
struct Ratio {
    double x = 0;
    double medianA = 0, medianB = 0; ///< s
    double ratio = 0, low = 0, high = 0;
};

/// One lane of one run, with its repeats by size.
struct CompareLane {
    QString key; ///< run id and lane
    QString label; ///< unique among the lanes shown
    QString device;
    std::vector<Measurement> points; ///< by rising size
};

/// Comparison is two lanes side by side and whether that was fair. A value; pure.
struct Comparison {
    CompareLane a, b; ///< a is the one that is said to be faster or slower
    std::vector<Ratio> ratios; ///< sizes that both have
    std::vector<Ratio> withTransfers;
    std::vector<FairnessRule> rules;
    bool fair() const; ///< no rule broken, and none that must be known unknown
    QString headline; ///< "32 × faster", only when fair; else empty
    QString detail; ///< "31.6 – 32.1 over 7 repeats · with transfers 24 × · 4.6 × less energy"
    QString refusal; ///< why no speed-up is stated; empty when fair
    std::optional<double> crossover; ///< the size from which a is the faster one, transfers counted
    QStringList protocol; ///< how it was measured, printed with every result
};

/// The lanes of the files, in their order.
std::vector<CompareLane> lanesOf(const std::vector<RaceFile>& files);
Comparison compare(const CompareLane& a, const CompareLane& b);
/// The lanes to start with: the fastest GPU against the fastest CPU lane; else the two first.
std::optional<std::pair<size_t, size_t>> likelyPair(const std::vector<CompareLane>& lanes);

/// "size,lane,repeat,seconds,…": every repeat of every lane.
QByteArray comparisonCsv(const std::vector<CompareLane>& lanes);

} // namespace slipway
