// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/pyramid.h"
#include "plots/metrics/sample.h"

#include <QHash>
#include <QSet>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace slipway {

/// From low to high; empty while low > high.
struct ValueRange {
    double low = 1;
    double high = 0;

    bool isEmpty() const { return low > high; }
    void add(double value);
    bool operator==(const ValueRange&) const = default;
};

/// One point as measured.
struct SeriesPoint {
    double x = 0;
    double y = 0;
    std::optional<double> low = {};
    std::optional<double> high = {};

    bool operator==(const SeriesPoint&) const = default;
};

/// A value that cannot be plotted (NaN, infinity). Shown as a mark, never as a gap.
struct SeriesMark {
    double x = 0;
    double y = 0;
    size_t before = 0; ///< number of points before it
};

class MetricSeries;

/// What a store knows of one of its series: how they lead to each other, and whether one begins
/// again.
struct SeriesLinks {
    MetricSeries* next = nullptr; ///< that of the sample that came after one of this
    MetricSeries* byOther = nullptr; ///< what is measured alike, but counted otherwise
    int runs = 1; ///< of the program: this is the first, and the others have lanes of their own
    MetricSeries* run = nullptr; ///< the latest of them
    MetricSeries* runBefore = nullptr;
    bool isRising = true; ///< x never went back
    bool isFalling = true; ///< x always went back: "C = 10", "C = 1", "C = 0.1"
    bool hasSteps = false; ///< not all of it is of epochs as a whole
    quint64 begin = 0; ///< the revision of its first point
    QString group; ///< that of the latest sample
    MetricSeries* inGroup = nullptr; ///< where the samples of that group are; null: here
    int groups = 1; ///< that are curves of their own, with the one that is kept here
    bool mixesGroups = false; ///< what is here is of several: they are not told apart
    QString printedLane; ///< of its samples: their group may be known only later
    size_t stacked = 0; ///< its points at the time of the one before

    /// More often than not, several of that many points came at once: time does not tell them
    /// apart.
    bool isStacked(size_t points) const
    {
        constexpr size_t least = 2;
        return stacked >= least && 2 * stacked > points;
    }
};

/// MetricSeries is one curve: all points of a series in a lane, in order of arrival. Owned by its
/// store. The first 65536 values keep full precision, later ones that of a float.
class MetricSeries {
public:
    MetricSeries(QString series, QString lane, SampleSource source);

    const QString& series() const { return m_series; }
    const QString& lane() const { return m_lane; }
    const QString& unit() const { return m_unit; }
    const QString& xName() const { return m_xName; }
    /// Its program printed no x: it is drawn by the time at which each line was printed.
    bool isTimed() const { return !m_lines.empty() || !m_markLines.empty(); }
    double line(size_t i) const { return m_lines[i]; } ///< of a timed series
    SampleSource source() const { return m_source; }
    /// Sampled by the agent on the node, not printed by the program.
    bool isFromNode() const { return m_source == SampleSource::Node; }

    size_t size() const { return m_points.size(); } ///< without the marks
    bool empty() const { return m_points.empty(); }
    SeriesPoint at(size_t i) const;
    double y(size_t i) const;
    bool isExact(size_t i) const { return i < m_exact.size(); }
    std::optional<SeriesPoint> latest() const;
    /// The point with the smallest or largest value.
    std::optional<SeriesPoint> extreme(bool highest) const;
    bool hasSpread() const { return !m_spreads.empty(); }
    const std::vector<SeriesMark>& marks() const { return m_marks; }

    ValueRange xRange() const;
    /// A linear axis would crowd the small x.
    bool hasWideX() const
    {
        constexpr double wide = 16;
        return !empty() && m_points.xMin() > 0 && m_points.xMax() >= wide * m_points.xMin();
    }
    ValueRange yRange() const; ///< with the spread
    double smallestPositive() const { return m_smallestPositive; } ///< of y; 0 when there is none

    const MinMaxPyramid& points() const { return m_points; }
    /// Increases with each change, and differs from that of every other series: a chart that
    /// remembers it knows what to redraw.
    quint64 revision() const { return m_revision; }

private:
    friend class SeriesStore;
    struct Spread {
        size_t index;
        double low;
        double high;
    };
    static constexpr size_t exactPoints = 65536;

    void add(const Sample& sample, bool timed, quint64 revision);
    void drawByLine(quint64 revision);

    QString m_series;
    QString m_lane;
    SampleSource m_source;
    QString m_unit;
    QString m_xName;
    MinMaxPyramid m_points;
    std::vector<double> m_exact;
    std::vector<Spread> m_spreads; ///< by rising index
    std::vector<SeriesMark> m_marks;
    std::vector<double> m_lines; ///< of the points, while x is the time of their line
    std::vector<double> m_markLines; ///< of the marks, likewise
    ValueRange m_yRange;
    double m_smallestPositive = 0;
    size_t m_lowest = 0;
    size_t m_highest = 0;
    quint64 m_revision = 0;
    SeriesLinks m_links;
};

/// SeriesStore stores the samples of the recognisers, by series and lane, for charts, tables and
/// files. Once a program sends a series to Slipway itself, what was read under that name from its
/// output for people is dropped: the first lines of a log may come before the first such sample.
/// What is printed without an x is drawn by time while the time of every such sample is known and
/// tells them apart, and else by the number of the line: never half of each. What begins again at
/// its first x is of another run, what is printed below another title and counted afresh is of
/// another experiment, and what is printed for an epoch as a whole is no step of it: all have lanes
/// of their own.
/// Used on one thread; its owner adds samples, others only read.
class SeriesStore {
public:
    /// Otherwise a log with endless new names would fill the memory; samples beyond the limit are
    /// counted.
    static constexpr size_t mostSeries = 512;
    static constexpr int mostRuns = 40; ///< of one series; what begins again more often is a loop
    static constexpr int mostGroups = 64; ///< of one series

    /// The series that it belongs to, which may be in a lane of its own; null: it was dropped.
    const MetricSeries* add(const Sample& sample);
    void add(const std::vector<Sample>& samples);
    void clear();
    /// As clear(), but keeps what was sampled on the node: it does not begin again with a log.
    void clearPrinted();
    /// Drops the curves of files beside the log.
    void clearRecorded();

    /// In the order of their first sample.
    const std::vector<std::unique_ptr<MetricSeries>>& all() const { return m_series; }
    const MetricSeries* find(const QString& series, const QString& lane = {}) const;
    bool empty() const { return m_series.empty(); }
    quint64 revision() const { return m_revision; }
    /// Increases when the store is cleared or series are dropped: pointers to its series are then
    /// invalid.
    quint64 generation() const { return m_generation; }
    /// Increases when there are other series than before, or one gets its unit or a wide x: only
    /// then can the same samples belong into other charts.
    quint64 shape() const { return m_shape; }
    qint64 dropped() const { return m_dropped; }

private:
    MetricSeries* seriesOf(const Sample& sample, const QString& lane);
    MetricSeries* countedOtherwise(MetricSeries& series, const Sample& sample);
    MetricSeries* beside(const Sample& sample, QString lane, const QString& part);
    MetricSeries* ofWholeEpochs(MetricSeries& series, const Sample& sample);
    MetricSeries* groupOf(MetricSeries& series, const Sample& sample);
    bool beginsGroup(const MetricSeries& series, const Sample& sample) const;
    void nameGroup(MetricSeries& series);
    MetricSeries* runOf(MetricSeries& series, const Sample& sample);
    static bool goesOn(const MetricSeries& series, double x);
    static bool beginsAgain(const MetricSeries& series, double x);
    bool countsEpochs(const MetricSeries& series) const;
    static bool isCountedOtherwise(const MetricSeries& series, const Sample& sample);
    template <typename Drops> void drop(Drops drops);
    bool isTimed(const Sample& sample);
    void drawByLine();

    std::vector<std::unique_ptr<MetricSeries>> m_series;
    QHash<std::pair<QString, QString>, MetricSeries*> m_index;
    /// Most names come from the same few strings: by where these lie.
    std::array<MetricSeries*, 256> m_byAddress{};
    QSet<QString> m_read; ///< names of series that were read from output for people
    MetricSeries* m_last = nullptr; ///< samples come in runs of one series, or of a few in turn
    quint64 m_revision = 0;
    quint64 m_generation = 0;
    quint64 m_shape = 0;
    qint64 m_dropped = 0;
    bool m_byLine = false; ///< the time of a sample without an x was not known
};

} // namespace slipway
