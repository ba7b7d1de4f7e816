// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/summary.h"

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/units.h"
#include "remote/base/counted.h"
#include "remote/base/tr.h"

#include <QSet>

#include <map>

namespace slipway {

namespace {

std::vector<const MetricSeries*> shown(const ChartSpec& spec, const SeriesStore& store)
{
    std::vector<const MetricSeries*> list;
    for (const auto& series : store.all()) {
        if (chartShows(spec, *series))
            list.push_back(series.get());
    }
    return list;
}

QString unitOf(const ChartSpec& spec, const MetricSeries& series)
{
    return series.unit().isEmpty() ? spec.y.unit : series.unit();
}

QString at(const MetricSeries& series, const SeriesPoint& point)
{
    return series.xName() == QLatin1String("time")
        ? tr("at %1").arg(quantityText(point.x, QStringLiteral("s")))
        : tr("at %1 %2").arg(series.xName(), numberText(point.x, 6));
}

/// ", highest 90 GFLOP/s at n 4096", or " (highest)" if the latest value is it.
QString bestWords(const MetricSeries& series, double latest, const QString& unit, bool highest)
{
    const auto best = series.extreme(highest);
    const QString word = highest ? tr("highest") : tr("lowest");
    if (best->y == latest)
        return series.size() > 1 ? QStringLiteral(" (%1)").arg(word) : QString();
    return QStringLiteral(", %1 %2 %3").arg(word, quantityText(best->y, unit), at(series, *best));
}

/// "88.4 GFLOP/s at n 8192 (highest)", or the latest value and where the best one was; the range of
/// a series that nobody described.
QString curveWords(const ChartSpec& spec, const MetricSeries& series)
{
    const auto latest = series.latest();
    if (!latest)
        return tr("no numbers that can be drawn");
    const QString unit = unitOf(spec, series);
    QString words = quantityText(latest->y, unit) + u' ' + at(series, *latest);
    const double low = series.extreme(false)->y, high = series.extreme(true)->y;
    if (spec.higherIsBetter)
        words += bestWords(series, latest->y, unit, *spec.higherIsBetter);
    else if (low != high)
        words += QStringLiteral(", ")
            + tr("between %1 and %2").arg(quantityText(low, unit), quantityText(high, unit));
    if (!series.marks().empty())
        words +=
            QStringLiteral(", ") + tr("values that are no numbers: %1").arg(series.marks().size());
    return words;
}

} // namespace

QString seriesTitle(const QString& series)
{
    QString title = series;
    return title.replace(u'_', u' ');
}

QString curveName(const ChartSpec& spec, const SeriesStore& store, const MetricSeries& series)
{
    QSet<QString> names;
    bool lanes = false;
    for (const MetricSeries* other : shown(spec, store)) {
        names.insert(other->series());
        lanes = lanes || !other->lane().isEmpty();
    }
    const QString title = seriesTitle(series.series());
    if (names.size() <= 1 && lanes && !series.lane().isEmpty())
        return series.lane();
    return series.lane().isEmpty() ? title : title + QStringLiteral(", ") + series.lane();
}

QString chartSummary(const ChartSpec& spec, const SeriesStore& store)
{
    const auto list = shown(spec, store);
    const QString title = !spec.title.isEmpty() ? spec.title : seriesTitle(spec.series);
    QStringList words;
    for (const MetricSeries* series : list)
        words.append(curveName(spec, store, *series) + u' ' + curveWords(spec, *series));
    if (list.empty())
        words.append(tr("no numbers yet"));
    for (const ReferenceSeries& reference : spec.references) {
        if (!reference.points.empty())
            words.append(tr("for reference %1 (%2): %3")
                             .arg(reference.label, referenceWords(reference),
                                 quantityText(reference.points.back().y, spec.y.unit)));
    }
    const QString all = words.join(QStringLiteral("; "));
    return title.isEmpty() ? all : title + QStringLiteral(": ") + all;
}

QString chartDescription(const ChartSpec& spec, const SeriesStore& store)
{
    const qint64 curves = qint64(shown(spec, store).size());
    const QString count = counted(curves, tr("1 curve"), tr("%1 curves"));
    const QString summary = chartSummary(spec, store);
    return curves == 0 ? summary : count + QStringLiteral(". ") + summary;
}

QString axisTitle(const QString& name, const QString& unit)
{
    if (name == QLatin1String("line"))
        return tr("line (times not known)");
    if (name.isEmpty() || unit.isEmpty())
        return name + unit;
    return name == QLatin1String("time") ? unit : name + QStringLiteral(", ") + unit;
}

ChartTable chartTable(const ChartSpec& spec, const SeriesStore& store, size_t mostRows)
{
    const auto list = shown(spec, store);
    ChartTable table;
    std::map<std::pair<double, size_t>, QStringList> rows; // several lines have the same second
    QString xName = list.empty() ? spec.x.name : xNameOf(spec, *list.front());
    for (const MetricSeries* series : list) {
        if (xName.isEmpty())
            xName = series->xName();
    }
    const bool seconds = xName == QLatin1String("time") && spec.x.unit.isEmpty();
    const QString unit = seconds ? QStringLiteral("s") : spec.x.unit;
    const QString inUnit = unit.isEmpty() ? xName : xName + QStringLiteral(", ") + unit;
    table.header.append(xName.isEmpty() ? unit : inUnit);
    for (size_t column = 0; column < list.size(); ++column) {
        const MetricSeries& series = *list[column];
        table.header.append(curveName(spec, store, series));
        const size_t begin = series.size() > mostRows ? series.size() - mostRows : 0;
        size_t same = 0;
        for (size_t i = begin; i < series.size(); ++i) {
            const double x = series.points().x(i);
            const bool again = series.isTimed() && i > begin && x == series.points().x(i - 1);
            same = again ? same + 1 : 0;
            QStringList& row = rows[{x, same}];
            row.resize(qsizetype(list.size()));
            row[qsizetype(column)] = quantityText(series.y(i), unitOf(spec, series), 4);
        }
    }
    size_t skip = rows.size() > mostRows ? rows.size() - mostRows : 0;
    for (const auto& [at, cells] : rows) {
        if (skip > 0) {
            --skip;
            continue;
        }
        table.rows.push_back(QStringList(numberText(at.first, 6)) + cells);
    }
    return table;
}

} // namespace slipway
