// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/csv.h"

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"

#include <QLocale>

#include <cmath>

namespace slipway {

namespace {

/// A spreadsheet would evaluate a cell that begins like a formula: because the text comes from a
/// log, it gets an apostrophe, which makes it text.
QByteArray cell(const QString& text)
{
    QByteArray bytes = text.toUtf8();
    if (!bytes.isEmpty() && QByteArray("=+-@\t\r").contains(bytes[0]))
        bytes.prepend('\'');
    if (bytes.contains(',') || bytes.contains('"') || bytes.contains('\n') || bytes.contains('\r'))
        bytes = '"' + bytes.replace("\"", "\"\"") + '"';
    return bytes;
}

QByteArray cell(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return QByteArray::number(value, 'f', 0);
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

QByteArray cell(std::optional<double> value)
{
    return value ? cell(*value) : QByteArray();
}

/// Later values are floats: their shortest form is what the program printed.
QByteArray yCell(const MetricSeries& series, size_t i)
{
    const double value = series.y(i);
    if (series.isExact(i))
        return cell(value);
    const QByteArray seven = QByteArray::number(value, 'g', 7);
    return seven.toFloat() == series.points().y(i) ? seven : cell(value);
}

void appendSeries(const MetricSeries& series, QByteArray& out)
{
    const QByteArray head =
        cell(series.series()) + ',' + cell(series.lane()) + ',' + cell(series.xName()) + ',';
    const QByteArray unit = ',' + cell(series.unit()) + ',';
    size_t mark = 0;
    for (size_t i = 0; i <= series.size(); ++i) {
        for (; mark < series.marks().size() && series.marks()[mark].before == i; ++mark)
            out += head + cell(series.marks()[mark].x) + ',' + cell(series.marks()[mark].y) + unit
                + ",,\n";
        if (i == series.size())
            break;
        const SeriesPoint point = series.at(i);
        out += head + cell(point.x) + ',' + yCell(series, i) + unit + cell(point.low) + ','
            + cell(point.high) + ",\n";
    }
}

void appendReference(const ReferenceSeries& reference, const ChartSpec& spec, QByteArray& out)
{
    const QString series = reference.series.isEmpty() ? spec.series : reference.series;
    for (const ReferencePoint& point : reference.points) {
        out += cell(series) + ',' + cell(reference.label) + ',' + cell(spec.x.name) + ','
            + cell(point.x) + ',' + cell(point.y) + ',' + cell(spec.y.unit) + ",,,"
            + cell(reference.notComparable.isEmpty()
                    ? reference.source
                    : reference.source + QStringLiteral("; ") + referenceWords(reference))
            + '\n';
    }
}

} // namespace

QByteArray toCsv(const SeriesStore& store, const ChartSpec& spec)
{
    QByteArray out = "series,lane,x_name,x,y,unit,low,high,source\n";
    for (const auto& series : store.all()) {
        if (chartShows(spec, *series))
            appendSeries(*series, out);
    }
    for (const ReferenceSeries& reference : spec.references)
        appendReference(reference, spec, out);
    return out;
}

QByteArray toCsv(const SeriesStore& store)
{
    return toCsv(store, ChartSpec());
}

} // namespace slipway
