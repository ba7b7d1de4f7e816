// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/chartparts.h"

#include "plots/metrics/metricnames.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/summary.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostParts = 12; ///< the last one holds all that is left

/// The series that one chart shows, and what they have in common.
struct ChartPart {
    QString unit;
    QString quantity; ///< empty: several
    QString xName;
    QStringList series;
};

bool showsEverything(const ChartSpec& spec)
{
    return std::all_of(spec.series.cbegin(), spec.series.cend(),
        [](QChar c) { return c == u'*' || c == u' ' || c == u','; });
}

QString unitWords(const QString& unit)
{
    if (unit == QLatin1String("s"))
        return tr("Time");
    if (unit == QLatin1String("B"))
        return tr("Size");
    if (unit == QLatin1String("B/s"))
        return tr("Bandwidth");
    if (unit == QLatin1String("FLOP/s"))
        return tr("Performance");
    if (unit == QLatin1String("%"))
        return tr("Percentages");
    return unit;
}

QString quantityWords(const QString& quantity)
{
    if (quantity == QLatin1String("lr"))
        return tr("Learning rate");
    QString words = seriesTitle(quantity);
    return words.replace(0, 1, words.left(1).toUpper());
}

QString partTitle(const ChartPart& part)
{
    if (!part.quantity.isEmpty())
        return quantityWords(part.quantity);
    return part.unit.isEmpty() ? tr("Other numbers") : unitWords(part.unit);
}

/// A word for the id of a part, which is also the name of a file.
QString partWord(QString text)
{
    for (QChar& c : text) {
        if (!c.isLetterOrNumber())
            c = u'-';
    }
    return text;
}

bool belongsTo(const ChartPart& part, const ChartPart& one, bool byQuantity)
{
    if (part.series.contains(one.series.front()))
        return true; // another lane
    if (part.unit != one.unit)
        return false;
    return !byQuantity
        || (part.xName == one.xName && (!one.unit.isEmpty() || part.quantity == one.quantity));
}

std::vector<ChartPart> partsOf(const ChartSpec& spec, const SeriesStore& store, bool everything)
{
    const bool byQuantity = everything && spec.y.unit.isEmpty();
    std::vector<ChartPart> parts;
    for (const auto& series : store.all()) {
        if (!chartShows(spec, *series))
            continue;
        const QString& name = series->series();
        ChartPart one{series->unit().isEmpty() ? spec.y.unit : series->unit(), seriesQuantity(name),
            xNameOf(spec, *series), {name}};
        const auto part = std::find_if(parts.begin(), parts.end(),
            [&](const ChartPart& other) { return belongsTo(other, one, byQuantity); });
        if (part == parts.end() && parts.size() < mostParts) {
            parts.push_back(std::move(one));
            continue;
        }
        ChartPart& into = part == parts.end() ? parts.back() : *part;
        if (part == parts.end())
            into.unit.clear(); // a mixture
        if (into.quantity != one.quantity)
            into.quantity.clear();
        if (!into.series.contains(name))
            into.series.append(name);
    }
    return parts;
}

/// 0.01, 0.1, 1, 10: half of the points within the first quarter.
bool isCrowded(const MetricSeries& series)
{
    constexpr size_t least = 3;
    const ValueRange range = series.xRange();
    return series.size() >= least
        && series.at(series.size() / 2).x <= range.low + (range.high - range.low) / 4;
}

/// Whether nobody knows the name: it is of what a program tries out, "C" or "alpha".
bool isParameterName(const QString& name)
{
    if (name == QLatin1String("line") || name == QLatin1String("seconds")
        || name == QLatin1String("clock"))
        return false; // in steps of any length
    const NameMeaning::Kind kind = MetricNames::builtIn().meaning(name.toStdString()).kind;
    return kind == NameMeaning::Unknown || kind == NameMeaning::Setting;
}

/// "1, 2, 4, … 64 threads", "C: 0.01, 0.1, … 100": on a linear axis the small ones would lie above
/// each other.
bool isWideSweep(const ChartPart& part, const SeriesStore& store)
{
    const bool isSize = isSizeName(part.xName);
    const auto isNarrow = [&](const auto& series) {
        return part.series.contains(series->series()) && !series->empty()
            && !(series->hasWideX() && (isSize || isCrowded(*series)));
    };
    return (isSize || isParameterName(part.xName))
        && std::none_of(store.all().begin(), store.all().end(), isNarrow);
}

/// One chart for each quantity: the names of the axes are those of the numbers.
ChartSpec partOfEverything(
    const ChartSpec& spec, const SeriesStore& store, const ChartPart& part, bool isAlone)
{
    ChartSpec chart = spec;
    const QString title = partTitle(part);
    chart.id += QStringLiteral("-%1-%2").arg(
        partWord(part.quantity.isEmpty() ? part.unit : part.quantity), partWord(part.xName));
    if (!isAlone)
        chart.title = title;
    chart.x.name = part.xName;
    chart.x.logarithmic = chart.x.logarithmic || isWideSweep(part, store);
    chart.only = part.series;
    chart.y.name = part.quantity.isEmpty() ? QString() : seriesTitle(part.quantity);
    if (part.quantity == QLatin1String("lr"))
        chart.y.name = title.toLower();
    chart.y.unit = part.unit;
    chart.higherIsBetter.reset(); // nobody described these series
    return chart;
}

ChartSpec partOfUnit(const ChartSpec& spec, const ChartPart& part, bool isMain)
{
    ChartSpec chart = spec;
    chart.only = part.series;
    chart.y.unit = part.unit;
    if (!isMain) {
        chart.id += u'-' + partWord(part.unit);
        chart.title += QStringLiteral(", ") + (part.unit.isEmpty() ? tr("no unit") : part.unit);
    }
    std::erase_if(chart.references, [&](const ReferenceSeries& reference) {
        const bool ofChart = reference.series.isEmpty() || reference.series == spec.series;
        return ofChart ? !isMain : !chartShows(chart, reference.series);
    });
    return chart;
}

} // namespace

QString seriesQuantity(const QString& series)
{
    static const QStringList qualifiers = {QStringLiteral("train_"), QStringLiteral("training_"),
        QStringLiteral("valid_"), QStringLiteral("validation_"), QStringLiteral("val_"),
        QStringLiteral("test_"), QStringLiteral("eval_"), QStringLiteral("average_"),
        QStringLiteral("mean_"), QStringLiteral("epoch_"), QStringLiteral("batch_"),
        QStringLiteral("best_"), QStringLiteral("running_")};
    QString quantity = series;
    for (bool found = true; found;) {
        found = false;
        for (const QString& word : qualifiers) {
            if (quantity.size() > word.size() && quantity.startsWith(word)) {
                quantity.remove(0, word.size());
                found = true;
            }
        }
    }
    return quantity.endsWith(QLatin1String("_loss")) ? QStringLiteral("loss") : quantity;
}

std::vector<ChartSpec> chartParts(const ChartSpec& spec, const SeriesStore& store)
{
    const bool everything = showsEverything(spec);
    const std::vector<ChartPart> parts = partsOf(spec, store, everything);
    if (parts.empty() || (!everything && parts.size() == 1))
        return {spec};
    const auto main = std::find_if(parts.begin(), parts.end(),
        [&](const ChartPart& part) { return part.unit == spec.y.unit; });
    const size_t mainIndex = main == parts.end() ? 0 : size_t(main - parts.begin());
    std::vector<ChartSpec> charts;
    for (size_t i = 0; i < parts.size(); ++i) {
        charts.push_back(everything ? partOfEverything(spec, store, parts[i], parts.size() == 1)
                                    : partOfUnit(spec, parts[i], i == mainIndex));
    }
    if (!everything)
        return charts;
    for (size_t i = 1; i < charts.size(); ++i) {
        const bool twice = std::any_of(charts.begin(), charts.begin() + qsizetype(i),
            [&](const ChartSpec& before) { return before.title == charts[i].title; });
        if (twice)
            charts[i].title = tr("%1 by %2").arg(charts[i].title, charts[i].x.name);
    }
    return charts;
}

} // namespace slipway
