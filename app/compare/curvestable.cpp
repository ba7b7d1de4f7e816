// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/curvestable.h"

#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "remote/container/runtime.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace slipway {

namespace {

constexpr int valueDigits = 4;

CurveEnd endOfCurve(const MetricSeries* series, const QString& name)
{
    CurveEnd end;
    end.series = name;
    if (!series)
        return end;
    end.unit = series->unit();
    end.xName = series->xName();
    if (const auto latest = series->latest())
        end.last = latest->y;
    if (!series->marks().empty() && series->marks().back().before == series->size())
        end.last = series->marks().back().y; // it diverged: an earlier value is not its result
    if (const auto higher = higherIsBetter(name, series->unit()))
        end.best = series->extreme(*higher);
    return end;
}

/// The lanes in which a run has one of the series, in their order.
QStringList lanesWith(const SeriesStore& store, const QStringList& series)
{
    QStringList lanes;
    for (const auto& one : store.all())
        if (series.contains(one->series()) && !lanes.contains(one->lane()))
            lanes << one->lane();
    return lanes.isEmpty() ? QStringList(QString()) : lanes;
}

CurvesCell valueCell(std::optional<double> value, const QString& unit)
{
    if (!value)
        return {QStringLiteral("–")};
    if (!std::isfinite(*value))
        return {numberText(*value)};
    return {quantityText(*value, unit, valueDigits), value};
}

CurvesCell bestCell(const CurveEnd& end)
{
    if (!end.best)
        return {QStringLiteral("–")};
    CurvesCell cell = valueCell(end.best->y, end.unit);
    cell.text = end.xName == QLatin1String("time")
        ? tr("%1 at %2").arg(cell.text, quantityText(end.best->x, QStringLiteral("s")))
        : tr("%1 at %2 %3").arg(cell.text, end.xName, numberText(end.best->x, 6));
    return cell;
}

/// A value of the form, as a number where it is one.
CurvesCell fieldCell(const QString& value)
{
    if (value.isEmpty())
        return {QStringLiteral("–")};
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return {value, isNumber && std::isfinite(number) ? std::optional(number) : std::nullopt};
}

CurvesCell textCell(const QString& text)
{
    return {text.isEmpty() ? QStringLiteral("–") : text};
}

/// A run without an image has no digest; of any other one it may be unknown.
CurvesCell digestCell(const CurvesRun& run)
{
    if (!run.imageDigest.isEmpty())
        return {shortDigest(run.imageDigest), {}, run.imageDigest};
    return textCell(run.image.isEmpty() ? QString() : tr("unknown"));
}

std::vector<CurvesColumn> columnsOf(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const std::vector<DifferingField>& fields,
    const QStringList& series)
{
    std::vector<CurvesColumn> columns{{QStringLiteral("run"), tr("Run")}};
    for (const DifferingField& field : fields) {
        const bool numbers =
            std::all_of(sources.begin(), sources.end(), [&](const CurvesSource& source) {
                return fieldCell(fieldValue(source.run, field.key)).number.has_value();
            });
        columns.push_back({QStringLiteral("field:") + field.key, field.label, numbers});
    }
    for (qsizetype i = 0; i < series.size(); ++i) {
        const QString title = seriesTitle(series[i]);
        columns.push_back({QStringLiteral("final:") + series[i], tr("%1, final").arg(title), true});
        const bool hasBest = std::any_of(entries.begin(), entries.end(),
            [i](const CurvesEntry& entry) { return entry.ends[size_t(i)].best.has_value(); });
        if (hasBest)
            columns.push_back(
                {QStringLiteral("best:") + series[i], tr("%1, best").arg(title), true});
    }
    columns.push_back({QStringLiteral("duration"), tr("Duration"), true});
    columns.push_back({QStringLiteral("node"), tr("Node")});
    columns.push_back({QStringLiteral("image"), tr("Image")});
    columns.push_back({QStringLiteral("image_digest"), tr("Image digest")});
    return columns;
}

CurvesCell curvesCellOf(const CurvesColumn& column, const CurvesEntry& entry, const CurvesRun& run)
{
    const QString kind = column.id.section(u':', 0, 0), name = column.id.section(u':', 1);
    if (kind == u"run")
        return {curveLabel(run, entry.lane)};
    if (kind == u"field")
        return fieldCell(fieldValue(run, name));
    if (kind == u"duration")
        return run.seconds
            ? CurvesCell{durationText(std::chrono::seconds(qint64(std::round(*run.seconds)))),
                run.seconds}
            : textCell({});
    if (kind == u"node")
        return textCell(run.node);
    if (kind == u"image")
        return textCell(run.image);
    if (kind == u"image_digest")
        return digestCell(run);
    const auto end = std::find_if(entry.ends.begin(), entry.ends.end(),
        [&](const CurveEnd& one) { return one.series == name; });
    if (end == entry.ends.end())
        return textCell({});
    return kind == u"best" ? bestCell(*end) : valueCell(end->last, end->unit);
}

bool hasAllWords(const CurvesRow& row, const QStringList& words)
{
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return row.runId.contains(word, Qt::CaseInsensitive)
            || std::any_of(row.cells.begin(), row.cells.end(), [&](const CurvesCell& cell) {
                   return cell.text.contains(word, Qt::CaseInsensitive)
                       || cell.whole.contains(word, Qt::CaseInsensitive);
               });
    });
}

bool comesBefore(const CurvesCell& one, const CurvesCell& other, const CurvesOrder& order)
{
    if (one.number.has_value() != other.number.has_value())
        return one.number.has_value();
    if (one.number)
        return order.descending ? *one.number > *other.number : *one.number < *other.number;
    const int compared = one.text.compare(other.text, Qt::CaseInsensitive);
    return order.descending ? compared > 0 : compared < 0;
}

} // namespace

std::vector<CurvesEntry> curvesEntries(
    const std::vector<CurvesSource>& sources, const QStringList& series)
{
    std::vector<CurvesEntry> entries;
    for (size_t i = 0; i < sources.size(); ++i) {
        for (const QString& lane : lanesWith(*sources[i].series, series)) {
            CurvesEntry entry{i, lane, {}};
            for (const QString& name : series)
                entry.ends.push_back(endOfCurve(sources[i].series->find(name, lane), name));
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

CurvesTable curvesTable(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const QStringList& series)
{
    CurvesTable table;
    table.columns = columnsOf(sources, entries, differingFields(sources), series);
    for (size_t i = 0; i < entries.size(); ++i) {
        const CurvesRun& run = sources[entries[i].run].run;
        CurvesRow row{run.id, i, {}};
        for (const CurvesColumn& column : table.columns)
            row.cells.push_back(curvesCellOf(column, entries[i], run));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<size_t> arrangedRows(const CurvesTable& table, const CurvesOrder& order)
{
    const QStringList words = order.filter.split(u' ', Qt::SkipEmptyParts);
    const auto isPinned = [&](size_t row) { return order.pinned.contains(table.rows[row].runId); };
    std::vector<size_t> rows;
    for (size_t i = 0; i < table.rows.size(); ++i)
        if (isPinned(i) || hasAllWords(table.rows[i], words))
            rows.push_back(i);
    const auto column = std::find_if(table.columns.begin(), table.columns.end(),
        [&](const CurvesColumn& one) { return one.id == order.column; });
    if (column != table.columns.end()) {
        const auto at = size_t(column - table.columns.begin());
        std::stable_sort(rows.begin(), rows.end(), [&](size_t one, size_t other) {
            return comesBefore(table.rows[one].cells[at], table.rows[other].cells[at], order);
        });
    }
    std::stable_partition(rows.begin(), rows.end(), isPinned);
    return rows;
}

QJsonObject entryObject(const CurvesEntry& entry, const std::vector<CurvesSource>& sources)
{
    const CurvesRun& run = sources[entry.run].run;
    QJsonObject fields, series;
    for (const DifferingField& field : differingFields(sources))
        fields.insert(field.key, fieldValue(run, field.key));
    for (const CurveEnd& end : entry.ends) {
        if (!end.last)
            continue;
        QJsonObject object{{QStringLiteral("unit"), end.unit},
            {QStringLiteral("x_name"), end.xName},
            {QStringLiteral("final"),
                std::isfinite(*end.last) ? QJsonValue(*end.last) : QJsonValue()}};
        if (end.best) {
            object.insert(QStringLiteral("best"), end.best->y);
            object.insert(QStringLiteral("best_x"), end.best->x);
        }
        series.insert(end.series, object);
    }
    QJsonObject object{{QStringLiteral("run"), run.id}, {QStringLiteral("label"), run.label},
        {QStringLiteral("lane"), entry.lane}, {QStringLiteral("fields"), fields},
        {QStringLiteral("series"), series}, {QStringLiteral("node"), run.node},
        {QStringLiteral("image"), run.image},
        {QStringLiteral("image_digest"),
            run.imageDigest.isEmpty() ? QJsonValue() : QJsonValue(run.imageDigest)},
        {QStringLiteral("live"), run.live}};
    if (run.seconds)
        object.insert(QStringLiteral("seconds"), *run.seconds);
    return object;
}

} // namespace slipway
