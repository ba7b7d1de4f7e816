// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linepairs.h"
#include "plots/metrics/runplace.h"
#include "plots/metrics/sample.h"
#include "plots/metrics/sizesweep.h"

#include <array>
#include <optional>

namespace slipway {

/// One measurement of a line, or a number whose name is not known.
struct LineMetric {
    const LinePair* pair = nullptr;
    const MetricQuantity* quantity = nullptr; ///< null: not known
    const QString* series = nullptr;
    const QString* set = nullptr; ///< that the name contains
    const MetricUnit* unit = nullptr; ///< that the name ends with
    const QString* section = nullptr; ///< the data set of the words before it on its line
};

/// What the numbers of a line mean, apart from the measurements themselves.
struct LineFacts {
    LineCounters counters;
    LinePosition position; ///< within an evaluation
    const QString* set = nullptr; ///< the data set that the line is about
    bool isStrict = false; ///< nothing else is on the line
    bool isPartial = false; ///< a name was only the end of the words before a number
    bool isStrong = false; ///< one of the names alone says that it is a measurement
    bool isOutput = false; ///< a unit, or several measurements: it is printed, and not code
    bool isResult = false;
    bool ownSet = false; ///< a name contains a data set other than that of the training
    bool isTime = false; ///< "Time = 0.005" alone: of a simulation
    double time = 0;
    SweepSizes sizes; ///< "Matrix size: 1024, threads: 4" in front of what was measured
    size_t form = 0; ///< equal for lines of the same names

    bool isStepPosition = false; ///< the position of the line is the step
    bool isOwnPosition = false; ///< the position of the line is that within the evaluation
    uint64_t counting = 0; ///< a bit for each pair whose number was asked whether it counts
    bool isLearnable = true; ///< nothing else depends on digits
};

/// What the numbers of a line mean: where the program is, and what it measured there. The pointers
/// are into the pairs and the names it was made of.
struct LineMeaning : LineFacts {
    std::array<LineMetric, LinePairs::most> metrics;
    size_t count = 0;

    /// What has no meaning, and nothing beside it says more.
    std::array<LineMetric, LinePairs::most> others;
    size_t otherCount = 0;

    /// "C: 0.1, gamma: 2, accuracy: 0.93": what a program tries out, in front of what came of it.
    std::array<const LinePair*, SweepSizes::most> parameters;
    size_t parameterCount = 0;
    bool isOfSettings = false; ///< there is nothing else on the line; or nothing but sizes
    /// "k= 1  ortho=1.8e-10  probe= 84.3%": nothing is known, and the first may be tried out.
    bool isOwnSweep = false;
    /// "0.10 <m> = 0.99": in front of nothing but names with their numbers.
    std::optional<double> firstNumber;

    /// The pairs whose numbers became these; null: none, or the position of the line.
    const LinePair* epochPair = nullptr;
    const LinePair* stepPair = nullptr;
    const LinePair* positionPair = nullptr;

    /// A data set other than that of the training.
    bool isEvaluation() const { return set && *set != QLatin1String("train"); }
};

/// The data set that the beginning of a line names: "(val) loss: 0.5"; null: none.
const QString* dataSetOf(const LinePairs& pairs, const MetricNames& names);

/// True when there is a counter or a measurement on the line.
bool readMeaning(
    const LinePairs& pairs, NameCache& cache, const MetricNames& names, LineMeaning& out);

/// Whether everything on the line is a loss, an accuracy or an error of a model.
bool isOfModel(const LineMeaning& line);

/// Whether a number is one that something is counted with. NaN is not.
bool mayCount(double value);

/// The series, the value and the unit of a measurement, in base units. Lane, x and line are left.
Sample sampleOf(const LineMetric& metric, const LineMeaning& line);

} // namespace slipway
