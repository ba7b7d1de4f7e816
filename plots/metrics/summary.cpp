// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/summary.h"

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <QSet>

#include <map>

namespace slipway {

namespace {

std::vector<const MetricSeries*> shown(const ChartSpec& spec, const SeriesStore& store)
{
    std::vector<const MetricSeries*> list;
    for (const auto& series : store.all()) {
        if (chartShows(spec, series->series()))
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
    return tr("at %1 %2").arg(series.xName(), numberText(point.x, 6));
}

/// "88.4 GFLOP/s at n 8192 (highest)", or the latest value and where the best one was.
QString curveWords(const ChartSpec& spec, const MetricSeries& series)
{
    const auto latest = series.latest();
    if (!latest)
        return tr("no numbers that can be drawn");
    const QString unit = unitOf(spec, series);
    const auto best = series.extreme(spec.higherIsBetter);
    const QString word = spec.higherIsBetter ? tr("highest") : tr("lowest");
    QString words = quantityText(latest->y, unit) + u' ' + at(series, *latest);
    if (best->y == latest->y)
        words += series.size() > 1 ? QStringLiteral(" (%1)").arg(word) : QString();
    else
        words +=
            QStringLiteral(", %1 %2 %3").arg(word, quantityText(best->y, unit), at(series, *best));
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

ChartTable chartTable(const ChartSpec& spec, const SeriesStore& store, size_t mostRows)
{
    const auto list = shown(spec, store);
    ChartTable table;
    std::map<double, QStringList> rows;
    QString xName = spec.x.name;
    for (const MetricSeries* series : list) {
        if (xName.isEmpty())
            xName = series->xName();
    }
    table.header.append(xName);
    for (size_t column = 0; column < list.size(); ++column) {
        const MetricSeries& series = *list[column];
        table.header.append(curveName(spec, store, series));
        const size_t begin = series.size() > mostRows ? series.size() - mostRows : 0;
        for (size_t i = begin; i < series.size(); ++i) {
            QStringList& row = rows[series.points().x(i)];
            row.resize(qsizetype(list.size()));
            row[qsizetype(column)] = quantityText(series.y(i), unitOf(spec, series), 4);
        }
    }
    size_t skip = rows.size() > mostRows ? rows.size() - mostRows : 0;
    for (const auto& [x, cells] : rows) {
        if (skip > 0) {
            --skip;
            continue;
        }
        table.rows.push_back(QStringList(numberText(x, 6)) + cells);
    }
    return table;
}

} // namespace slipway
