// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "plots/metrics/seriesstore.h"

#include <QStringList>

#include <vector>

namespace slipway {

// How the curves of a run are read for its finding, and what is odd about them. Pure.

/// The first chart of a recipe that has curves: those of its first series, by lane; of a training
/// and its validation, those of the latter. Points into the recipe and the store.
struct ShownChart {
    const ChartSpec* spec = nullptr;
    std::vector<const MetricSeries*> curves; ///< none is empty

    QString unit() const;
    bool isRate() const; ///< FLOP/s, items/s
    bool isSpeed() const; ///< a rate or a time: "as fast" has a meaning
    /// How many times as good `a` is as `b`; 0: that cannot be said.
    double ratio(double a, double b) const;
    /// Whether higher values are better; none: not known.
    std::optional<bool> isHigherBetter() const;
    /// By its last value; the first one where it is not known what is better.
    const MetricSeries& best() const;
};
std::optional<ShownChart> shownChart(const Recipe* recipe, const SeriesStore& series);

/// The last x at which both curves have a value, and both values; of the last thousand points.
struct CommonPoint {
    double x = 0;
    double first = 0;
    double second = 0;
};
std::optional<CommonPoint> lastCommon(const MetricSeries& a, const MetricSeries& b);

/// The losses of the first rank, without those that have no point yet.
std::vector<const MetricSeries*> lossesOf(const SeriesStore& series);
bool isValidation(const QString& series);

/// "train loss", "train loss, CPU"
QString curveTitle(const MetricSeries& series);
/// The lane, or the series where there is none.
QString laneTitle(const MetricSeries& series);
/// "at n 2048"; empty where x is only the number of the line.
QString atText(const MetricSeries& series, double x);

/// A loss that is no number, rises, or is past its best.
QStringList lossDoubts(const SeriesStore& series);
/// More threads that are slower than fewer, a GPU that is slower than a CPU, a speed-up below 1.
QStringList laneDoubts(const ShownChart& chart, const Recipe* recipe);

} // namespace slipway
