// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/measurement.h"
#include "plots/metrics/chartspec.h"

#include <map>

namespace slipway {

/// A rule for a fair race, and whether this one keeps it.
struct FairnessRule {
    enum class State { Kept, Note, Broken, Unknown };
    /// "same-work", "precision", "synchronised", "verified", "threads", "library", "throttle",
    /// "repeats", "warm-up"; notes only: "node", "day", "sizes", "reference"
    QString id;
    State state = State::Unknown;
    QString text; ///< "2 warm-up runs, 7 repeats, median shown"
    QString sign() const; ///< "✓", "!", "✕", "?"
};

/// a against b at one size: how many times as fast a is. The interval is a 95 % bootstrap over the
/// repeats; without enough repeats there is none, and low and high are 0.
struct Ratio {
    double x = 0;
    double medianA = 0, medianB = 0; ///< s
    double ratio = 0, low = 0, high = 0;
    bool hasInterval() const { return high > 0; }
};

/// One lane of one run, with its repeats by size.
struct CompareLane {
    QString key; ///< run id and lane
    QString label; ///< unique among the lanes shown
    QString device;
    QString work; ///< "gemm-fp32"
    QString runId;
    std::vector<Measurement> points; ///< by rising size
    std::map<double, QString> leftOut; ///< sizes that were skipped, and why
};

/// Comparison compares two lanes and says whether the race was fair. A value; pure.
struct Comparison {
    CompareLane a, b; ///< a is the lane that is called faster or slower
    std::vector<Ratio> ratios; ///< sizes that both have
    std::vector<Ratio> withTransfers;
    std::vector<FairnessRule> rules;
    bool fair() const; ///< no rule is broken, and no required one is unknown
    QString title; ///< "GPU against CPU, all threads: FP32 matrix product"
    QString where; ///< "at n = 8192, compute only": what the headline is about
    QString headline; ///< "32 × as fast", "takes 3.1 × as long", "no difference measured"; only
                      ///< when fair, else empty
    QString sentence; ///< the headline as a sentence: "GPU is 32 × as fast as CPU, all threads."
    QString detail; ///< "31.6 – 32.1 over 7 repeats · with transfers 24 × · 22 % of the energy"
    QString refusal; ///< "No speed-up is stated: …"; empty when fair
    QString reason; ///< of the refusal, for display below a heading that says the rest
    std::optional<double> crossover; ///< the size from which a is faster, including transfers
    QString crossoverText; ///< "From n ≈ 410 on GPU is faster, transfers counted."
    QStringList protocol; ///< how it was measured, printed with every result
    std::vector<ReferenceSeries>
        references; ///< what others published of the same work; see addReferences()
};

} // namespace slipway
