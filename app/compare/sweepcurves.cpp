// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/sweepcurves.h"

#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr size_t mostParallelAxes = 8;

std::optional<double> fieldNumber(const QString& value)
{
    bool ok = false;
    const double number = value.toDouble(&ok);
    return ok && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// What one axis of a parallel plot shows of each line.
struct AxisValues {
    std::vector<QString> texts; ///< empty: no value
    std::vector<std::optional<double>> numbers;

    bool areNumbers() const
    {
        for (size_t i = 0; i < texts.size(); ++i)
            if (!texts[i].isEmpty() && !numbers[i])
                return false;
        return true;
    }
};

void placeNumbers(const AxisValues& values, ParallelAxis& axis, std::vector<ParallelLine>& lines)
{
    ValueRange range;
    QString low, high;
    for (size_t i = 0; i < values.numbers.size(); ++i) {
        const auto& number = values.numbers[i];
        if (!number)
            continue;
        low = range.isEmpty() || *number < range.low ? values.texts[i] : low;
        high = range.isEmpty() || *number > range.high ? values.texts[i] : high;
        range.add(*number);
    }
    const double width = range.isEmpty() ? 0 : range.high - range.low;
    for (size_t i = 0; i < lines.size(); ++i) {
        const auto& number = values.numbers[i];
        lines[i].at.push_back(!number ? std::nullopt
                : width > 0           ? std::optional((*number - range.low) / width)
                                      : std::optional(0.5));
    }
    if (width > 0)
        axis.ticks = {{0, low}, {1, high}};
    else if (!range.isEmpty())
        axis.ticks = {{0.5, low}};
}

/// Words at equal distances, in their order.
void placeWords(const AxisValues& values, ParallelAxis& axis, std::vector<ParallelLine>& lines)
{
    QStringList words;
    for (const QString& text : values.texts)
        if (!text.isEmpty() && !words.contains(text))
            words << text;
    words.sort(Qt::CaseInsensitive);
    const auto place = [&](const QString& word) {
        return words.size() < 2 ? 0.5 : double(words.indexOf(word)) / double(words.size() - 1);
    };
    for (size_t i = 0; i < lines.size(); ++i)
        lines[i].at.push_back(
            values.texts[i].isEmpty() ? std::nullopt : std::optional(place(values.texts[i])));
    for (const QString& word : std::as_const(words))
        axis.ticks.emplace_back(place(word), word);
}

void addAxis(ParallelPlot& plot, const QString& title, const AxisValues& values)
{
    ParallelAxis axis{title, {}};
    if (values.areNumbers())
        placeNumbers(values, axis, plot.lines);
    else
        placeWords(values, axis, plot.lines);
    for (size_t i = 0; i < plot.lines.size(); ++i)
        plot.lines[i].texts << values.texts[i];
    plot.axes.push_back(std::move(axis));
}

} // namespace

std::vector<DifferingField> numericFields(const std::vector<CurvesSource>& sources)
{
    std::vector<DifferingField> fields = differingFields(sources);
    std::erase_if(fields, [&](const DifferingField& field) {
        return std::any_of(sources.begin(), sources.end(), [&](const CurvesSource& source) {
            return !fieldNumber(fieldValue(source.run, field.key));
        });
    });
    return fields;
}

std::vector<Sample> sweepSamples(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const QString& field)
{
    std::vector<Sample> samples;
    for (const CurvesEntry& entry : entries) {
        const CurvesRun& run = sources[entry.run].run;
        const auto x = fieldNumber(fieldValue(run, field));
        for (const CurveEnd& end : entry.ends)
            if (x && end.last)
                samples.push_back({end.series, entry.lane, *x, run.fieldLabels.value(field, field),
                    *end.last, end.unit});
    }
    std::stable_sort(samples.begin(), samples.end(),
        [](const Sample& one, const Sample& other) { return one.x < other.x; });
    return samples;
}

ParallelPlot parallelPlot(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const QString& series)
{
    std::vector<DifferingField> fields = differingFields(sources);
    ParallelPlot plot;
    if (fields.size() < 2)
        return plot;
    fields.resize(std::min(fields.size(), mostParallelAxes - 1));
    for (size_t i = 0; i < entries.size(); ++i)
        plot.lines.push_back({i, curveLabel(sources[entries[i].run].run, entries[i].lane), {}});
    for (const DifferingField& field : fields) {
        AxisValues values;
        for (const CurvesEntry& entry : entries) {
            values.texts.push_back(fieldValue(sources[entry.run].run, field.key));
            values.numbers.push_back(fieldNumber(values.texts.back()));
        }
        addAxis(plot, field.label, values);
    }
    AxisValues results;
    for (const CurvesEntry& entry : entries) {
        const auto end = std::find_if(entry.ends.begin(), entry.ends.end(),
            [&](const CurveEnd& one) { return one.series == series; });
        const bool known = end != entry.ends.end() && end->last && std::isfinite(*end->last);
        results.numbers.push_back(known ? end->last : std::nullopt);
        results.texts.push_back(known ? quantityText(*end->last, end->unit, 4) : QString());
    }
    addAxis(plot, tr("%1, final").arg(seriesTitle(series)), results);
    return plot;
}

} // namespace slipway
