// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/curveschart.h"

#include "app/compare/sweepcurves.h"
#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

const QLatin1String fieldPrefix("field:");

QString unitOfSeries(const QString& series, const std::vector<OfferedSeries>& offered)
{
    const auto found = std::find_if(offered.begin(), offered.end(),
        [&](const OfferedSeries& one) { return one.name == series; });
    return found == offered.end() ? QString() : found->unit;
}

/// Whether the values of a field differ so much that a linear axis would crowd the small ones.
bool spansDecades(const std::vector<CurvesSource>& sources, const QString& field)
{
    constexpr double wide = 50;
    ValueRange range;
    for (const CurvesSource& source : sources)
        range.add(fieldValue(source.run, field).toDouble());
    return !range.isEmpty() && range.low > 0 && range.high >= wide * range.low;
}

/// A chart selects its series by a list of patterns.
QString selectableName(QString series)
{
    for (const char16_t sign : {u' ', u',', u'*'})
        series.replace(QChar(sign), u'_');
    return series;
}

} // namespace

QStringList seriesOfOneUnit(const QStringList& wanted, const std::vector<OfferedSeries>& offered)
{
    QStringList same;
    for (const QString& series : wanted)
        if (unitOfSeries(series, offered) == unitOfSeries(wanted.front(), offered))
            same << series;
    return same;
}

QString fieldOfAxis(const QString& axis)
{
    return axis.startsWith(fieldPrefix) ? axis.mid(fieldPrefix.size()) : QString();
}

QString curvesAxisTitle(const QString& axis, const std::vector<CurvesSource>& sources)
{
    if (axis == u"step")
        return tr("step");
    if (axis == u"epoch")
        return tr("epoch");
    if (axis == u"time")
        return tr("time");
    const QString field = fieldOfAxis(axis);
    if (field.isEmpty() || sources.empty())
        return axis;
    return sources.front().run.fieldLabels.value(field, field);
}

std::optional<bool> commonDirection(const CurvesView& view, const QString& unit)
{
    std::optional<bool> common;
    for (const QString& series : view.series) {
        const std::optional<bool> direction = higherIsBetter(series, unit);
        if (!direction || (common && *common != *direction))
            return {};
        common = direction;
    }
    return common;
}

ChartSpec curvesChart(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<OfferedSeries>& offered)
{
    QStringList names, titles;
    for (const QString& series : view.series) {
        names << selectableName(series);
        titles << seriesTitle(series);
    }
    const QString what = titles.join(QStringLiteral(", "));
    ChartSpec spec;
    spec.id = QStringLiteral("curves");
    spec.title = what;
    const QString field = fieldOfAxis(view.axis);
    if (!field.isEmpty())
        spec.title = tr("%1 at the end, by %2").arg(what, curvesAxisTitle(view.axis, sources));
    else if (sources.size() > 1)
        spec.title = tr("%1 of %2 runs").arg(what).arg(sources.size());
    spec.series = names.join(u' ');
    spec.x.name = curvesAxisTitle(view.axis, sources);
    spec.x.logarithmic = !field.isEmpty() && spansDecades(sources, field);
    spec.x.unit = view.axis == u"time" ? QStringLiteral("s") : QString();
    spec.y.name = what;
    spec.y.unit = view.series.isEmpty() ? QString() : unitOfSeries(view.series.front(), offered);
    if (const auto direction = commonDirection(view, spec.y.unit))
        spec.higherIsBetter = *direction;
    return spec;
}

std::vector<CurveToDraw> curvesToDraw(const CurvesView& view,
    const std::vector<CurvesSource>& sources, const std::vector<CurvesEntry>& entries)
{
    std::vector<CurveToDraw> curves;
    for (size_t i = 0; i < entries.size(); ++i) {
        const CurvesSource& source = sources[entries[i].run];
        for (qsizetype at = 0; at < view.series.size(); ++at) {
            const QString& name = view.series[at];
            const MetricSeries* const series = source.series->find(name, entries[i].lane);
            if (!series)
                continue;
            CurveToDraw curve;
            curve.series = series;
            curve.entry = i;
            curve.axis = axisFor(*source.series, *series, view.axis);
            if (curve.axis.isEmpty())
                continue;
            curve.pattern.series = selectableName(name);
            curve.pattern.lane = curveLabel(source.run, entries[i].lane);
            curve.pattern.xName = curvesAxisTitle(view.axis, sources);
            curve.pattern.unit = series->unit();
            curve.look = int(i) + int(at) * int(entries.size());
            curves.push_back(std::move(curve));
        }
    }
    return curves;
}

QString missingCurves(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries)
{
    if (!fieldOfAxis(view.axis).isEmpty())
        return {};
    QStringList missing;
    for (const CurvesEntry& entry : entries) {
        const CurvesSource& source = sources[entry.run];
        for (const QString& name : view.series) {
            const MetricSeries* const series = source.series->find(name, entry.lane);
            if (series && axisFor(*source.series, *series, view.axis).isEmpty())
                missing << curveLabel(source.run, entry.lane) + u' '
                        + tr("(%1 by %2)").arg(seriesTitle(name), series->xName());
        }
    }
    return missing.isEmpty()
        ? QString()
        : tr("Not drawn, because the program did not print how these relate to the %1: %2.")
              .arg(curvesAxisTitle(view.axis, sources), missing.join(QStringLiteral("; ")));
}

QString bestSentence(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries)
{
    std::vector<const CurvesEntry*> ranked;
    for (const CurvesEntry& entry : entries)
        if (!entry.ends.empty() && entry.ends.front().best)
            ranked.push_back(&entry);
    if (view.series.isEmpty() || ranked.size() < 2)
        return {};
    const CurveEnd& pattern = ranked.front()->ends.front();
    const bool higher = higherIsBetter(view.series.front(), pattern.unit).value_or(false);
    const auto value = [](const CurvesEntry* entry) { return entry->ends.front().best->y; };
    std::stable_sort(
        ranked.begin(), ranked.end(), [&](const CurvesEntry* one, const CurvesEntry* other) {
            return higher ? value(one) > value(other) : value(one) < value(other);
        });
    const auto label = [&](const CurvesEntry* entry) {
        return curveLabel(sources[entry->run].run, entry->lane);
    };
    const CurveEnd& best = ranked[0]->ends.front();
    const double ahead = std::abs(value(ranked[0]) - value(ranked[1]));
    if (ahead == 0)
        return {};
    const QString reached = quantityText(best.best->y, best.unit, 4);
    const QString where = best.xName == QLatin1String("time")
        ? tr("%1 at %2").arg(reached, quantityText(best.best->x, QStringLiteral("s")))
        : tr("%1 at %2 %3").arg(reached, best.xName, numberText(best.best->x, 6));
    const QString sentence =
        higher ? tr("%1 is highest: %2, %3 above %4.") : tr("%1 is lowest: %2, %3 below %4.");
    const bool live = std::any_of(
        sources.begin(), sources.end(), [](const CurvesSource& source) { return source.run.live; });
    return sentence.arg(
               label(ranked[0]), where, quantityText(ahead, best.unit, 3), label(ranked[1]))
        + (live ? u' ' + tr("Not all runs have ended.") : QString());
}

QString curvesSubtitle(const std::vector<CurvesSource>& sources)
{
    QStringList sites;
    for (const CurvesSource& source : sources)
        if (!sites.contains(source.run.site))
            sites << source.run.site;
    const QString where = sites.join(QStringLiteral(", "));
    if (sources.size() < 2)
        return where;
    const size_t fields = differingFields(sources).size();
    const QString differs = fields == 0 ? tr("no known field differs")
        : fields == 1                   ? tr("1 field differs")
                                        : tr("%1 fields differ").arg(fields);
    return where + QStringLiteral(" · ") + differs;
}

QString smoothingSentence(double weight)
{
    if (!(weight > 0))
        return {};
    return tr("Moving average with weight %1; the values as printed are behind it. Curves of few "
              "points are not smoothed.")
        .arg(weight);
}

void fillSweep(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, SeriesStore& into)
{
    for (Sample sample : sweepSamples(sources, entries, fieldOfAxis(view.axis))) {
        if (!view.series.contains(sample.series))
            continue;
        sample.series = selectableName(sample.series);
        into.add(sample);
    }
}

} // namespace slipway
