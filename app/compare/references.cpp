// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/references.h"

#include "app/catalogue/jsonfields.h"
#include "app/compare/fairness.h"
#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

using namespace racewords;

constexpr double leastOfPeak = 0.3; ///< of a product of large matrices
constexpr double largeMatrix = 2048;
constexpr double tolerance =
    1.02; ///< a data sheet is rounded, and a card may boost a little above it

/// A part of a card (MIG) does not do what the card does.
bool isCard(const QString& cardName, const QStringList& words, const QStringList& without)
{
    static const QRegularExpression between(QStringLiteral("[^A-Za-z0-9]+"));
    const QStringList there = cardName.split(between, Qt::SkipEmptyParts);
    const auto has = [&](const QString& word) { return there.contains(word, Qt::CaseInsensitive); };
    return !words.isEmpty() && std::all_of(words.begin(), words.end(), has)
        && std::none_of(without.begin(), without.end(), has) && !has(QStringLiteral("MIG"));
}

std::vector<ReferencePoint> readPoints(JsonFields& fields)
{
    std::vector<ReferencePoint> points;
    fields.objects("points", [&](JsonFields& point) {
        const auto x = point.number("x"), y = point.number("y");
        if (x && y && *x > 0 && *y > 0)
            points.push_back({*x, *y});
        else
            point.report("x", tr("a point has x and y, both above 0"));
    });
    return points;
}

/// The data sheet value for this kind of work.
std::optional<double> peakFor(const GpuPeak& peak, const QString& work)
{
    if (work == QLatin1String("triad"))
        return peak.bandwidth;
    const QString numbers = workNumbers(work);
    return numbers == QLatin1String("FP32") ? peak.fp32
        : numbers == QLatin1String("FP64")  ? peak.fp64
                                            : std::nullopt;
}

void notePeak(Comparison& comparison, const CompareLane& lane, const RaceReferences& references)
{
    if (lane.device != QLatin1String("gpu") || lane.points.empty())
        return;
    const Measurement& point = lane.points.back();
    const auto rate = rateOf(point);
    const GpuPeak* const peak = references.peakOf(point.name);
    const auto most = peak ? peakFor(*peak, lane.work) : std::nullopt;
    if (!rate || !most)
        return;
    const QString unit =
        lane.work == QLatin1String("triad") ? QStringLiteral("B/s") : QStringLiteral("FLOP/s");
    const QString numbers =
        tr("%1: %2 of %3").arg(lane.label, quantity(*rate, unit), quantity(*most, unit));
    const auto note = [&](const QString& what) {
        comparison.rules.push_back({QStringLiteral("reference"), FairnessRule::State::Note,
            QStringLiteral("%1 (%2); %3").arg(numbers, peak->source, what)});
    };
    if (*rate > *most * tolerance)
        note(tr("more than the card can do, so something was measured wrongly"));
    else if (workBase(lane.work) == QLatin1String("gemm") && point.x >= largeMatrix
        && *rate < *most * leastOfPeak)
        note(tr("low for a large product: is the card shared, or is its clock low?"));
}

/// The published value for this size: at the size itself, or near it.
const ReferencePoint* nearest(const std::vector<ReferencePoint>& points, double x)
{
    const ReferencePoint* best = nullptr;
    const auto distance = [x](const ReferencePoint& point) {
        return std::abs(std::log(point.x / x));
    };
    for (const ReferencePoint& point : points)
        if (distance(point) < std::log(2.01) && (!best || distance(point) < distance(*best)))
            best = &point;
    return best;
}

void noteResult(Comparison& comparison, const CompareLane& lane, const PublishedResult& result)
{
    if (!result.curve.notComparable.isEmpty() || lane.device != result.device || lane.points.empty()
        || !isCard(lane.points.back().name, result.words, {}))
        return;
    const Measurement& point = lane.points.back();
    const ReferencePoint* const there = nearest(result.curve.points, point.x);
    const bool time = result.curve.series == QLatin1String("seconds");
    const auto here = time ? std::optional(median(point.seconds)) : rateOf(point);
    if (!there || !here)
        return;
    const double part = *here / there->y;
    if (part >= result.least.value_or(0) && part <= result.most.value_or(INFINITY))
        return;
    const QString unit = time                 ? QStringLiteral("s")
        : lane.work == QLatin1String("triad") ? QStringLiteral("B/s")
                                              : QStringLiteral("FLOP/s");
    comparison.rules.push_back({QStringLiteral("reference"), FairnessRule::State::Note,
        tr("%1: %2, where %3 was published for this card (%4)")
            .arg(
                lane.label, quantity(*here, unit), quantity(there->y, unit), result.curve.source)});
}

} // namespace

const GpuPeak* RaceReferences::peakOf(const QString& cardName) const
{
    for (const GpuPeak& peak : peaks)
        if (isCard(cardName, peak.words, peak.without))
            return &peak;
    return nullptr;
}

Result<RaceReferences> parseRaceReferences(const QByteArray& json, const QString& file)
{
    Result<JsonFile> parsed = JsonFile::parse(json, file);
    if (!parsed.ok())
        return parsed.error();
    RaceReferences references;
    JsonFields fields(&*parsed, parsed->root(), {});
    fields.text("$schema");
    fields.objects("peaks", [&](JsonFields& peak) {
        references.peaks.push_back({peak.text("name", true), peak.texts("words"),
            peak.texts("without"), peak.number("fp32"), peak.number("fp64"),
            peak.number("bandwidth"), peak.text("source", true)});
    });
    fields.objects("results", [&](JsonFields& result) {
        PublishedResult one;
        one.label = result.text("label", true);
        one.device = result.text("device", true);
        one.words = result.texts("words");
        one.work = result.text("work", true);
        one.curve = {one.label, result.text("series", true), result.text("source", true),
            readPoints(result), result.text("conditions", true), result.text("not_comparable")};
        one.least = result.number("least");
        one.most = result.number("most");
        one.context = result.text("context", true);
        references.results.push_back(std::move(one));
    });
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return references;
}

RaceReferences loadRaceReferences(const QString& resourcesFolder, std::vector<Error>* errors)
{
    QFile file(resourcesFolder + QStringLiteral("/gpu-references.json"));
    if (!file.exists())
        return {};
    if (!file.open(QIODevice::ReadOnly)) {
        errors->push_back(Error{
            ErrorKind::Io, tr("%1 cannot be read: %2.").arg(file.fileName(), file.errorString())});
        return {};
    }
    auto references = parseRaceReferences(file.readAll(), file.fileName());
    if (references.ok())
        return *std::move(references);
    errors->push_back(references.error());
    return {};
}

void addReferences(Comparison& comparison, const RaceReferences& references)
{
    for (const CompareLane* lane : {&comparison.a, &comparison.b}) {
        notePeak(comparison, *lane, references);
        for (const PublishedResult& result : references.results)
            if (result.work == lane->work)
                noteResult(comparison, *lane, result);
    }
    for (const PublishedResult& result : references.results) {
        if (result.work != comparison.a.work && result.work != comparison.b.work)
            continue;
        comparison.references.push_back(result.curve);
        QString text =
            QStringLiteral("%1 (%2): %3; %4")
                .arg(result.label, result.curve.source, result.curve.conditions, result.context);
        if (!result.curve.notComparable.isEmpty())
            text += u' ' + tr("Not comparable: %1.").arg(result.curve.notComparable);
        comparison.protocol << text;
    }
}

} // namespace slipway
