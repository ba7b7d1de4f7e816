// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"
#include "plots/metrics/seriesstore.h"

#include <QMap>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace slipway {

// The curves of several runs on one axis. Pure.

/// One run whose curves are compared: what identifies it, and how it was launched. A value; what is
/// not known is empty.
struct CurvesRun {
    QString id;
    QString label; ///< unique among the compared runs; see labelRuns()
    QString recipe; ///< its title: "Train and report"
    QString title; ///< the name that the person gave it; else as the recipe
    QString site; ///< "Kestrel"
    QMap<QString, QString> fields; ///< the values of the launch form, by key
    QMap<QString, QString> fieldLabels; ///< "Learning rate", by key
    std::optional<double> seconds; ///< from the start to the end, or so far
    QString node;
    QString image; ///< as it was named at the launch
    QString imageDigest; ///< "sha256:…" of the image file; see Run
    bool live = false; ///< more points may come

    bool operator==(const CurvesRun&) const = default;
};

/// A run with the numbers that were read from it. The store must outlive it.
struct CurvesSource {
    CurvesRun run;
    const SeriesStore* series = nullptr;
};

/// A field of the launch form in which the runs differ.
struct DifferingField {
    QString key;
    QString label;
};
/// By label; without the image, which has a column of its own. “site” and “recipe” are included
/// where they differ.
std::vector<DifferingField> differingFields(const std::vector<CurvesSource>& sources);
/// The value of a field, of the site or of the recipe; empty: not known or not set.
QString fieldValue(const CurvesRun& run, const QString& key);

/// Gives each run a label of its own: the name that the person gave it, or the title if all are
/// different, else the fields that differ, else the title with the run's id.
void labelRuns(std::vector<CurvesSource>& sources);

/// A series that at least one of the runs has.
struct OfferedSeries {
    QString name; ///< "valid_loss"
    QString unit;
    int runs = 0; ///< how many of the runs have it
    bool beside = false; ///< sampled on the node, not printed by the program
};
/// What the programs printed first, and of it what most runs have.
std::vector<OfferedSeries> offeredSeries(const std::vector<CurvesSource>& sources);
/// The series to start with: a loss that all runs have, else the first one; empty: there is none.
QString likelySeries(const std::vector<OfferedSeries>& offered);

/// Whether higher or lower values of a series are better; none: not known.
std::optional<bool> higherIsBetter(const QString& series, const QString& unit);

/// The axis that an x belongs to: “step” also for iterations, batches and updates; “time” for
/// seconds; any other name unchanged.
QString axisOf(const QString& xName);

/// How the x of a series becomes the x of an axis: unchanged, or interpolated between points at
/// which the program printed both. Nothing is extrapolated.
class CurveAxis {
public:
    static CurveAxis unchanged();
    explicit CurveAxis(std::vector<std::pair<double, double>> points = {});
    bool isEmpty() const { return !m_unchanged && m_points.empty(); }
    bool isUnchanged() const { return m_unchanged; }
    /// None: before the first or beyond the last point.
    std::optional<double> at(double x) const;
    bool endsBefore(double x) const { return !m_points.empty() && x > m_points.back().first; }

private:
    bool m_unchanged = false;
    std::vector<std::pair<double, double>> m_points; ///< by rising first
};
/// The axis of a series of this run; empty when the run printed nothing that relates the two.
CurveAxis axisFor(const SeriesStore& run, const MetricSeries& series, const QString& axis);
/// The axes on which at least one of these series can be drawn: “step”, “epoch” and “time” first.
QStringList possibleAxes(const std::vector<CurvesSource>& sources, const QStringList& series);

/// How much of a series has been copied.
struct CurveCursor {
    size_t points = 0;
    size_t marks = 0;
};
/// Appends at most `most` points with the series, lane, unit and name of x in `pattern`; points
/// without a place on the axis are left out. False when nothing remains.
bool copyCurve(const MetricSeries& from, const CurveAxis& axis, const Sample& pattern,
    CurveCursor& cursor, size_t most, SeriesStore& into);

/// The name of a curve among those of several runs: the run's label, and the lane if it has one.
QString curveLabel(const CurvesRun& run, const QString& lane);

} // namespace slipway
