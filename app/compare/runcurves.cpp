// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/runcurves.h"

#include "plots/metrics/chartspec.h"
#include "plots/metrics/metricnames.h"
#include "remote/base/tr.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

const QString siteKey = QStringLiteral("site");
const QString recipeKey = QStringLiteral("recipe");
constexpr qsizetype longestFieldLabel = 40;

bool containsWord(const QString& series, const char* word)
{
    return series.contains(QLatin1String(word), Qt::CaseInsensitive);
}

/// "Learning rate 0.1, Batch 64": what distinguishes the run from the others, if that is short.
QString labelOfFields(const CurvesRun& run, const std::vector<DifferingField>& fields)
{
    constexpr size_t mostFields = 3;
    if (fields.size() > mostFields)
        return {};
    QStringList parts;
    for (const DifferingField& field : fields) {
        const QString value = fieldValue(run, field.key);
        if (value.isEmpty() || value.size() > longestFieldLabel || value.contains(u'\n'))
            return {};
        parts << field.label + u' ' + value;
    }
    return parts.join(QStringLiteral(", "));
}

bool areUnique(const QStringList& labels)
{
    return !labels.contains(QString())
        && QSet<QString>(labels.begin(), labels.end()).size() == labels.size();
}

/// The series whose values are this axis: "epoch", "elapsed_seconds".
bool measuresAxis(const QString& series, const QString& axis)
{
    // Not "time", which many programs print for the duration of one step.
    static const QStringList times{QStringLiteral("elapsed"), QStringLiteral("elapsed_seconds"),
        QStringLiteral("elapsed_time"), QStringLiteral("total_seconds")};
    if (axis == u"time")
        return times.contains(series);
    return axis == u"step" ? series == u"step" || series == u"global_step" : series == axis;
}

using AxisPoints = std::vector<std::pair<double, double>>;

AxisPoints pairsOfSeries(const MetricSeries& series, bool inverse)
{
    AxisPoints points;
    points.reserve(series.size());
    for (size_t i = 0; i < series.size(); ++i) {
        const double x = series.points().x(i), y = series.y(i);
        points.push_back(inverse ? std::pair(y, x) : std::pair(x, y));
    }
    return points;
}

/// The time at the end of each epoch, if the duration of every epoch is known.
AxisPoints summedEpochs(const MetricSeries& series)
{
    AxisPoints points;
    double sum = 0;
    for (size_t i = 0; i < series.size(); ++i) {
        const double x = series.points().x(i);
        if (points.empty())
            points.emplace_back(x - 1, 0);
        else if (x != points.back().first + 1)
            return {};
        sum += series.y(i);
        points.emplace_back(x, sum);
    }
    return points;
}

/// Both values increase together; where they do not, one is not a clock of the other.
bool isRising(const AxisPoints& points)
{
    return std::is_sorted(points.begin(), points.end(), [](const auto& one, const auto& other) {
        return one.first < other.first || one.second < other.second;
    });
}

bool isEpochDuration(const MetricSeries& series)
{
    return (series.series() == u"epoch_seconds" || series.series() == u"epoch_time")
        && axisOf(series.xName()) == u"epoch";
}

} // namespace

QString fieldValue(const CurvesRun& run, const QString& key)
{
    return key == siteKey ? run.site : key == recipeKey ? run.recipe : run.fields.value(key);
}

std::vector<DifferingField> differingFields(const std::vector<CurvesSource>& sources)
{
    QMap<QString, QString> labels{{siteKey, tr("Site")}, {recipeKey, tr("Recipe")}};
    for (const CurvesSource& source : sources)
        for (auto it = source.run.fields.begin(); it != source.run.fields.end(); ++it)
            labels.insert(it.key(), source.run.fieldLabels.value(it.key(), it.key()));
    labels.remove(QStringLiteral("image"));
    std::vector<DifferingField> fields;
    for (auto it = labels.begin(); it != labels.end(); ++it) {
        const bool differs =
            std::any_of(sources.begin(), sources.end(), [&](const CurvesSource& source) {
                return fieldValue(source.run, it.key())
                    != fieldValue(sources.front().run, it.key());
            });
        if (differs)
            fields.push_back({it.key(), it.value()});
    }
    std::stable_sort(
        fields.begin(), fields.end(), [](const DifferingField& one, const DifferingField& other) {
            return one.label.compare(other.label, Qt::CaseInsensitive) < 0;
        });
    return fields;
}

void labelRuns(std::vector<CurvesSource>& sources)
{
    const std::vector<DifferingField> fields = differingFields(sources);
    QStringList titles, byFields;
    for (const CurvesSource& source : sources) {
        titles << source.run.title;
        byFields << labelOfFields(source.run, fields);
    }
    const bool byTitle = areUnique(titles);
    QHash<QString, int> uses;
    for (size_t i = 0; i < sources.size(); ++i) {
        CurvesRun& run = sources[i].run;
        const QString ofFields = byFields[qsizetype(i)];
        const bool isNamed = byTitle || run.title != run.recipe || ofFields.isEmpty();
        run.label = isNamed ? run.title : ofFields;
        ++uses[run.label];
    }
    for (CurvesSource& source : sources)
        if (uses.value(source.run.label) > 1)
            source.run.label += u' ' + source.run.id;
}

std::vector<OfferedSeries> offeredSeries(const std::vector<CurvesSource>& sources)
{
    std::vector<OfferedSeries> offered;
    QHash<QString, size_t> places;
    for (const CurvesSource& source : sources) {
        QSet<QString> ofRun;
        for (const auto& series : source.series->all()) {
            const QString& name = series->series();
            if (!places.contains(name)) {
                places.insert(name, offered.size());
                offered.push_back({name, series->unit(), 0, isMeasuredBeside(name)});
            }
            OfferedSeries& one = offered[places.value(name)];
            if (one.unit.isEmpty())
                one.unit = series->unit();
            one.runs += !ofRun.contains(name);
            ofRun.insert(name);
        }
    }
    std::stable_sort(
        offered.begin(), offered.end(), [](const OfferedSeries& one, const OfferedSeries& other) {
            return std::pair(one.beside, -one.runs) < std::pair(other.beside, -other.runs);
        });
    return offered;
}

QString likelySeries(const std::vector<OfferedSeries>& offered)
{
    if (offered.empty())
        return {};
    const int most = offered.front().runs;
    const auto loss =
        std::find_if(offered.begin(), offered.end(), [most](const OfferedSeries& one) {
            return one.runs == most && !one.beside && containsWord(one.name, "loss");
        });
    return loss == offered.end() ? offered.front().name : loss->name;
}

std::optional<bool> higherIsBetter(const QString& series, const QString& unit)
{
    if (isMeasuredBeside(series))
        return {};
    const MetricQuantity* const quantity =
        MetricNames::builtIn().meaning(series.toStdString()).quantity;
    if (quantity && quantity->higherIsBetter)
        return quantity->higherIsBetter;
    if (unit == u"s")
        return false;
    return unit.endsWith(u"/s") ? std::optional(true) : std::nullopt;
}

QString axisOf(const QString& xName)
{
    static const QHash<QString, QString> axes{{QStringLiteral("iteration"), QStringLiteral("step")},
        {QStringLiteral("batch"), QStringLiteral("step")},
        {QStringLiteral("update"), QStringLiteral("step")},
        {QStringLiteral("global_step"), QStringLiteral("step")},
        {QStringLiteral("epochs"), QStringLiteral("epoch")},
        {QStringLiteral("seconds"), QStringLiteral("time")}};
    return axes.value(xName, xName);
}

CurveAxis CurveAxis::unchanged()
{
    CurveAxis axis;
    axis.m_unchanged = true;
    return axis;
}

CurveAxis::CurveAxis(std::vector<std::pair<double, double>> points)
    : m_points(std::move(points))
{
    std::erase_if(m_points, [](const std::pair<double, double>& point) {
        return !std::isfinite(point.first) || !std::isfinite(point.second);
    });
    std::stable_sort(m_points.begin(), m_points.end(),
        [](const auto& one, const auto& other) { return one.first < other.first; });
}

std::optional<double> CurveAxis::at(double x) const
{
    if (m_unchanged)
        return x;
    if (m_points.empty() || x < m_points.front().first || x > m_points.back().first)
        return {};
    const auto after = std::lower_bound(m_points.begin(), m_points.end(), x,
        [](const std::pair<double, double>& point, double wanted) { return point.first < wanted; });
    if (after->first == x)
        return after->second;
    const auto before = std::prev(after);
    return before->second
        + (after->second - before->second) * (x - before->first) / (after->first - before->first);
}

CurveAxis axisFor(const SeriesStore& run, const MetricSeries& series, const QString& axis)
{
    const QString from = axisOf(series.xName());
    if (from == axis)
        return CurveAxis::unchanged();
    AxisPoints best;
    for (const auto& other : run.all()) {
        if (other->empty() || (!other->lane().isEmpty() && other->lane() != series.lane()))
            continue;
        const QString ofOther = axisOf(other->xName());
        AxisPoints points;
        if (ofOther == from && measuresAxis(other->series(), axis))
            points = pairsOfSeries(*other, false);
        else if (ofOther == axis && measuresAxis(other->series(), from))
            points = pairsOfSeries(*other, true);
        else if (from == u"epoch" && axis == u"time" && isEpochDuration(*other))
            points = summedEpochs(*other);
        if (points.size() > best.size() && isRising(points))
            best = std::move(points);
    }
    return CurveAxis(std::move(best));
}

QStringList possibleAxes(const std::vector<CurvesSource>& sources, const QStringList& series)
{
    const QStringList usual{
        QStringLiteral("step"), QStringLiteral("epoch"), QStringLiteral("time")};
    QStringList first, others;
    for (const CurvesSource& source : sources) {
        for (const auto& one : source.series->all()) {
            if (!series.contains(one->series()))
                continue;
            for (const QString& axis : usual)
                if (!first.contains(axis) && !axisFor(*source.series, *one, axis).isEmpty())
                    first << axis;
            const QString own = axisOf(one->xName());
            if (!usual.contains(own) && !others.contains(own))
                others << own;
        }
    }
    std::sort(first.begin(), first.end(), [&](const QString& one, const QString& other) {
        return usual.indexOf(one) < usual.indexOf(other);
    });
    return first + others;
}

bool copyCurve(const MetricSeries& from, const CurveAxis& axis, const Sample& pattern,
    CurveCursor& cursor, size_t most, SeriesStore& into)
{
    Sample sample = pattern;
    const auto add = [&](double x, double y, std::optional<double> low,
                         std::optional<double> high) {
        if (const auto place = axis.at(x)) {
            sample.x = *place;
            sample.y = y;
            sample.low = low;
            sample.high = high;
            into.add(sample);
        }
    };
    const std::vector<SeriesMark>& marks = from.marks();
    for (size_t count = 0;; ++count) {
        for (; cursor.marks < marks.size() && marks[cursor.marks].before <= cursor.points;
             ++cursor.marks)
            add(marks[cursor.marks].x, marks[cursor.marks].y, {}, {});
        if (axis.isEmpty() || cursor.points == from.size())
            return false;
        const SeriesPoint point = from.at(cursor.points);
        if (axis.endsBefore(point.x)) // its place may become known with the next lines
            return false;
        if (count == most)
            return true;
        add(point.x, point.y, point.low, point.high);
        ++cursor.points;
    }
}

QString curveLabel(const CurvesRun& run, const QString& lane)
{
    return lane.isEmpty() ? run.label : run.label + QStringLiteral(", ") + lane;
}

} // namespace slipway
