// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"
#include "app/compare/fairness.h"
#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

using namespace racewords;

/// "2.98 ms, 46.1 TFLOP/s, 84 %": the known values.
QString cellOf(const Measurement& point)
{
    QStringList parts;
    if (!point.rateOnly)
        parts << quantity(median(point.seconds), QStringLiteral("s"));
    if (const auto rate = rateOf(point))
        parts << quantity(*rate, rateUnit(point));
    if (const auto part = partOfPeak(point))
        parts << tr("%1 of peak").arg(percent(*part));
    return parts.join(QStringLiteral(", "));
}

QString ratioCell(const Ratio& ratio)
{
    QString text = times(ratio.ratio);
    if (ratio.hasInterval())
        text += QStringLiteral(" (%1 – %2)").arg(significant(ratio.low), significant(ratio.high));
    return text;
}

/// RFC 4180.
QString csvText(QString text)
{
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')
        && !text.contains(u'\r'))
        return text;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString csvNumber(std::optional<double> value)
{
    return value ? QString::number(*value, 'g', 17) : QString();
}

void csvRepeats(const Measurement& point, const CompareLane& lane, QByteArray& csv)
{
    const size_t rows = std::max(point.seconds.size(), point.secondsWithTransfers.size());
    const auto at = [](const std::vector<double>& times, size_t i) {
        return i < times.size() ? std::optional(times[i]) : std::nullopt;
    };
    const auto flag = [](std::optional<bool> value) {
        return !value ? QString() : *value ? QStringLiteral("true") : QStringLiteral("false");
    };
    const auto whole = [](std::optional<int> value) {
        return value ? QString::number(*value) : QString();
    };
    for (size_t i = 0; i < rows; ++i) {
        const QStringList fields{size(point.x), csvText(lane.label), QString::number(i + 1),
            csvNumber(at(point.seconds, i)), csvNumber(at(point.secondsWithTransfers, i)),
            csvText(point.work), csvText(point.runId), csvText(point.lane), csvText(point.device),
            csvText(point.name), csvText(point.node), csvNumber(point.operations),
            csvNumber(point.bytes), whole(point.warmups), flag(point.synchronised),
            flag(point.verified), csvNumber(point.error), csvNumber(point.bound),
            whole(point.threads), whole(point.cpus), csvText(point.library), csvNumber(point.peak),
            csvNumber(point.energy)};
        csv += fields.join(u',').toUtf8() + "\r\n";
    }
}

QString cell(QString text)
{
    return text.replace(u'|', QStringLiteral("\\|"));
}

QJsonObject ratioObject(const Ratio& ratio)
{
    QJsonObject object{{QStringLiteral("x"), ratio.x}, {QStringLiteral("median_a"), ratio.medianA},
        {QStringLiteral("median_b"), ratio.medianB}, {QStringLiteral("ratio"), ratio.ratio}};
    if (ratio.hasInterval()) {
        object.insert(QStringLiteral("low"), ratio.low);
        object.insert(QStringLiteral("high"), ratio.high);
    }
    return object;
}

QJsonArray ratioArray(const std::vector<Ratio>& ratios)
{
    QJsonArray array;
    for (const Ratio& ratio : ratios)
        array.append(ratioObject(ratio));
    return array;
}

QString stateName(FairnessRule::State state)
{
    switch (state) {
    case FairnessRule::State::Kept:
        return QStringLiteral("kept");
    case FairnessRule::State::Note:
        return QStringLiteral("note");
    case FairnessRule::State::Broken:
        return QStringLiteral("broken");
    case FairnessRule::State::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

QJsonObject laneObject(const CompareLane& lane)
{
    QJsonArray points;
    for (const Measurement& point : lane.points) {
        QJsonArray seconds;
        for (const double time : point.seconds)
            seconds.append(time);
        QJsonObject object{{QStringLiteral("x"), point.x}, {QStringLiteral("x_name"), point.xName},
            {QStringLiteral("seconds"), seconds}};
        if (const auto rate = rateOf(point)) {
            object.insert(QStringLiteral("rate"), *rate);
            object.insert(QStringLiteral("rate_unit"), rateUnit(point));
        }
        if (const auto part = partOfPeak(point))
            object.insert(QStringLiteral("part_of_peak"), *part);
        points.append(object);
    }
    return {{QStringLiteral("key"), lane.key}, {QStringLiteral("run"), lane.runId},
        {QStringLiteral("label"), lane.label}, {QStringLiteral("device"), lane.device},
        {QStringLiteral("work"), lane.work}, {QStringLiteral("points"), points}};
}

} // namespace

ComparisonTable comparisonTable(const Comparison& comparison)
{
    ComparisonTable table;
    const auto pairs = pairsOf(comparison.a, comparison.b);
    if (comparison.ratios.empty())
        return table;
    const QString x = pairs.front().a->xName;
    table.headings = {x.isEmpty() ? tr("size") : x, comparison.a.label, comparison.b.label};
    // A ratio is a speed-up: it is printed only where a speed-up is stated.
    const bool stated = comparison.fair();
    if (stated)
        table.headings << tr("ratio");
    const bool moved = stated && !comparison.withTransfers.empty()
        && std::any_of(pairs.begin(), pairs.end(), [](const MeasuredPair& pair) {
               return !pair.a->secondsWithTransfers.empty()
                   || !pair.b->secondsWithTransfers.empty();
           });
    if (moved)
        table.headings << tr("with transfers");
    for (size_t i = 0; i < comparison.ratios.size(); ++i) {
        const Ratio& ratio = comparison.ratios[i];
        QStringList row{size(ratio.x), cellOf(*pairs[i].a), cellOf(*pairs[i].b)};
        if (stated)
            row << ratioCell(ratio);
        if (moved) {
            const auto found = std::find_if(comparison.withTransfers.begin(),
                comparison.withTransfers.end(), [&](const Ratio& one) { return one.x == ratio.x; });
            row << (found == comparison.withTransfers.end() ? QStringLiteral("–")
                                                            : ratioCell(*found));
        }
        table.rows.push_back(row);
    }
    return table;
}

QByteArray comparisonCsv(const std::vector<CompareLane>& lanes)
{
    QByteArray csv = "size,lane,repeat,seconds,seconds_with_transfers,work,run,lane_id,device,name,"
                     "node,operations,bytes,warmups,"
                     "synchronised,verified,error,bound,threads,cpus,library,peak,energy\r\n";
    for (const CompareLane& lane : lanes)
        for (const Measurement& point : lane.points)
            csvRepeats(point, lane, csv);
    return csv;
}

QByteArray comparisonMarkdown(const Comparison& comparison, const std::vector<AbsentLane>& absent)
{
    QString text = QStringLiteral("# %1\n\n").arg(comparison.title);
    if (comparison.fair()) {
        text += QStringLiteral("**%1** %2").arg(comparison.sentence, comparison.where);
        text += comparison.detail.isEmpty() ? QStringLiteral("\n\n")
                                            : QStringLiteral(": %1\n\n").arg(comparison.detail);
    } else {
        text += comparison.refusal + QStringLiteral("\n\n");
    }
    if (comparison.fair() && !comparison.crossoverText.isEmpty())
        text += comparison.crossoverText + QStringLiteral("\n\n");
    for (const AbsentLane& lane : absent)
        text += tr("%1 did not run: %2").arg(lane.label, lane.why) + QStringLiteral("\n\n");
    text += QStringLiteral("## %1\n\n").arg(tr("Was it fair?"));
    for (const FairnessRule& rule : comparison.rules)
        text += QStringLiteral("- %1 %2\n").arg(rule.sign(), rule.text);
    const ComparisonTable table = comparisonTable(comparison);
    if (!table.rows.empty()) {
        text += QStringLiteral("\n## %1\n\n").arg(tr("Medians"));
        const auto line = [&](const QStringList& cells) {
            QStringList safe;
            for (const QString& one : cells)
                safe << cell(one);
            text += QStringLiteral("| %1 |\n").arg(safe.join(QStringLiteral(" | ")));
        };
        line(table.headings);
        text += u'|' + QStringLiteral("---:|").repeated(table.headings.size()) + u'\n';
        for (const QStringList& row : table.rows)
            line(row);
    }
    text += QStringLiteral("\n## %1\n\n").arg(tr("How it was measured"));
    for (const QString& one : comparison.protocol)
        text += QStringLiteral("- %1\n").arg(one);
    return text.toUtf8();
}

QByteArray comparisonJson(const Comparison& comparison, const std::vector<AbsentLane>& absent)
{
    QJsonArray rules, missing;
    for (const FairnessRule& rule : comparison.rules)
        rules.append(QJsonObject{{QStringLiteral("id"), rule.id},
            {QStringLiteral("state"), stateName(rule.state)}, {QStringLiteral("text"), rule.text}});
    for (const AbsentLane& lane : absent)
        missing.append(
            QJsonObject{{QStringLiteral("lane"), lane.lane}, {QStringLiteral("label"), lane.label},
                {QStringLiteral("why"), lane.why}, {QStringLiteral("fix"), lane.fix}});
    QJsonObject object{{QStringLiteral("title"), comparison.title},
        {QStringLiteral("fair"), comparison.fair()}, {QStringLiteral("where"), comparison.where},
        {QStringLiteral("headline"), comparison.headline},
        {QStringLiteral("sentence"), comparison.sentence},
        {QStringLiteral("detail"), comparison.detail},
        {QStringLiteral("refusal"), comparison.refusal},
        {QStringLiteral("crossover_text"), comparison.crossoverText},
        {QStringLiteral("a"), laneObject(comparison.a)},
        {QStringLiteral("b"), laneObject(comparison.b)}, {QStringLiteral("rules"), rules},
        {QStringLiteral("absent"), missing},
        {QStringLiteral("protocol"), QJsonArray::fromStringList(comparison.protocol)}};
    // With a broken rule no speed-up is stated, not even to programs.
    if (comparison.fair()) {
        object.insert(QStringLiteral("ratios"), ratioArray(comparison.ratios));
        object.insert(QStringLiteral("with_transfers"), ratioArray(comparison.withTransfers));
        if (comparison.crossover)
            object.insert(QStringLiteral("crossover"), *comparison.crossover);
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace slipway
