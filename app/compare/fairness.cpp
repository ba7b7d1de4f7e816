// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/fairness.h"

#include "app/catalogue/recipe.h"

#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "remote/base/counted.h"
#include "remote/base/tr.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

using State = FairnessRule::State;
using namespace racewords;

constexpr double fasterLibrary = 1.03; ///< less is noise
constexpr double mostOfPeak = 1.05;

bool isGpu(const CompareLane& lane)
{
    return lane.device == QLatin1String("gpu");
}

bool isCpu(const CompareLane& lane)
{
    return lane.device == QLatin1String("cpu");
}

/// The input: the two lanes and the sizes that both have.
struct Match {
    const CompareLane& a;
    const CompareLane& b;
    std::vector<MeasuredPair> pairs;

    /// The measurements of a lane that count; all of them where no size is common, so that the
    /// rules can be checked.
    std::vector<const Measurement*> of(const CompareLane& lane) const
    {
        std::vector<const Measurement*> points;
        for (const MeasuredPair& pair : pairs)
            points.push_back(&lane == &a ? pair.a : pair.b);
        if (points.empty())
            for (const Measurement& point : lane.points)
                points.push_back(&point);
        return points;
    }
    std::vector<const CompareLane*> lanes() const { return {&a, &b}; }
};

QString sizesText(const std::vector<MeasuredPair>& pairs)
{
    const Measurement& first = *pairs.front().a;
    if (pairs.size() == 1)
        return sizeOf(first.xName, first.x);
    return tr("%1 to %2").arg(sizeOf(first.xName, first.x), size(pairs.back().a->x));
}

/// "batch 32 and 64": values that differ in the two runs' forms.
QString differentSettings(const Match& match)
{
    const auto& a = match.pairs.front().a->settings;
    const auto& b = match.pairs.front().b->settings;
    QStringList texts;
    for (auto it = a.begin(); it != a.end(); ++it)
        if (b.contains(it.key()) && b.value(it.key()) != it.value())
            texts << tr("%1 %2 and %3").arg(it.key(), it.value(), b.value(it.key()));
    return texts.join(QStringLiteral(", "));
}

FairnessRule sameWork(const Match& match)
{
    const QString id = QStringLiteral("same-work");
    if (workBase(match.a.work) != workBase(match.b.work))
        return {id, State::Broken,
            tr("different work: %1 on %2, %3 on %4")
                .arg(work(match.a.work), match.a.label, work(match.b.work), match.b.label)};
    if (match.pairs.empty())
        return {id, State::Broken, tr("no size was measured by both")};
    const QString settings = differentSettings(match);
    if (!settings.isEmpty())
        return {id, State::Broken, tr("different settings: %1").arg(settings)};
    for (const auto& [a, b] : match.pairs) {
        const auto differ = [](std::optional<double> one, std::optional<double> other) {
            return one && other && std::abs(*one - *other) > 1e-6 * std::max(*one, *other);
        };
        if (a->rateOnly == b->rateOnly
            && (differ(a->operations, b->operations) || differ(a->bytes, b->bytes)))
            return {id, State::Broken,
                tr("different work at %1: the lanes count different operations or bytes")
                    .arg(sizeOf(a->xName, a->x))};
    }
    return {id, State::Kept,
        tr("the same work on both: %1, %2").arg(work(match.a.work), sizesText(match.pairs))};
}

FairnessRule precision(const Match& match)
{
    const QString id = QStringLiteral("precision");
    const QString a = workNumbers(match.a.work), b = workNumbers(match.b.work);
    if (a.isEmpty() || b.isEmpty())
        return {id, State::Unknown, tr("the number types of the lanes are not known")};
    if (a != b)
        return {id, State::Broken,
            tr("different number types: %1 on %2, %3 on %4")
                .arg(a, match.a.label, b, match.b.label)};
    return {id, State::Kept, tr("%1 on both").arg(a)};
}

std::optional<FairnessRule> synchronised(const Match& match)
{
    const QString id = QStringLiteral("synchronised");
    QString kept;
    bool unknown = false;
    for (const CompareLane* lane : match.lanes()) {
        if (isCpu(*lane))
            continue; // a call returns when its work is done
        for (const Measurement* point : match.of(*lane)) {
            if (point->synchronised == false)
                return FairnessRule{id, State::Broken,
                    tr("the timer of %1 was read before the GPU had finished").arg(lane->label)};
            unknown = unknown || !point->synchronised;
        }
        kept = lane->label;
    }
    if (kept.isEmpty())
        return {};
    if (unknown)
        return FairnessRule{
            id, State::Unknown, tr("it is not known whether the timer waited for the GPU")};
    return FairnessRule{id, State::Kept, tr("GPU synchronised before each timer reading")};
}

FairnessRule verified(const Match& match)
{
    const QString id = QStringLiteral("verified");
    std::optional<double> worst;
    const CompareLane* unknown = nullptr;
    for (const CompareLane* lane : match.lanes()) {
        for (const Measurement* point : match.of(*lane)) {
            const QString where = sizeOf(point->xName, point->x);
            if (point->verified == false)
                return {id, State::Broken,
                    tr("the result of %1 at %2 is wrong, or was not checked")
                        .arg(lane->label, where)};
            if (point->error && point->bound && !(*point->error <= *point->bound))
                return {id, State::Broken,
                    tr("the result of %1 at %2 is off by %3; %4 is allowed")
                        .arg(lane->label, where, power10(*point->error), power10(*point->bound))};
            if (!point->verified)
                unknown = lane;
            if (point->error)
                worst = std::max(worst.value_or(0), *point->error);
        }
    }
    if (unknown)
        return {id, State::Unknown,
            tr("it is not known whether the results of %1 are correct").arg(unknown->label)};
    return {id, State::Kept,
        worst ? tr("results checked in a higher precision, off by %1 at most").arg(power10(*worst))
              : tr("results checked in a higher precision")};
}

QString threadsText(const CompareLane& lane, const Measurement& point)
{
    QString text = *point.threads >= *point.cpus
        ? tr("%1 used %2")
              .arg(lane.label,
                  counted(*point.cpus, tr("the job's only CPU"), tr("all %1 CPUs of the job")))
        : tr("%1 used %2 of %3 CPUs of the job")
              .arg(lane.label)
              .arg(*point.threads)
              .arg(*point.cpus);
    if (!point.library.isEmpty())
        text += QStringLiteral(", ") + point.library;
    if (const auto part = partOfPeak(point))
        text += QStringLiteral(", ") + tr("%1 of its peak").arg(percent(*part));
    return text;
}

void threads(const Match& match, std::vector<FairnessRule>& rules)
{
    const QString id = QStringLiteral("threads");
    for (const CompareLane* lane : match.lanes()) {
        if (isGpu(*lane))
            continue;
        const bool againstCpu = isCpu(match.a) && isCpu(match.b);
        const auto points = match.of(*lane);
        const auto fewest = std::min_element(
            points.begin(), points.end(), [](const Measurement* one, const Measurement* other) {
                return one->threads.value_or(0) < other->threads.value_or(0);
            });
        if (fewest == points.end() || !(*fewest)->threads || !(*fewest)->cpus) {
            rules.push_back({id, State::Unknown,
                tr("it is not known how many of its CPUs %1 used").arg(lane->label)});
            continue;
        }
        // The library and the peak are those of the largest size; the smallest number of threads
        // decides.
        const Measurement& point =
            (*fewest)->threads == points.back()->threads ? *points.back() : **fewest;
        State state = State::Kept;
        QString text = threadsText(*lane, point);
        if (*point.threads < *point.cpus && againstCpu)
            state = State::Note;
        else if (*point.threads * 2 < *point.cpus || (*point.threads == 1 && *point.cpus > 1))
            state = State::Broken;
        else if (*point.threads < *point.cpus)
            state = State::Note;
        else if (*point.cpus == 1 && !againstCpu) {
            state = State::Note;
            text += tr("; a job with more of them would be faster");
        }
        rules.push_back({id, state, text});
    }
}

/// Which library the CPU used, where two were available: only the faster one is fair.
void library(const Match& match, std::vector<FairnessRule>& rules)
{
    const QString id = QStringLiteral("library");
    for (const CompareLane* lane : match.lanes()) {
        const auto points = match.of(*lane);
        if (points.empty() || points.back()->otherSeconds.empty()
            || points.back()->otherLibrary.isEmpty())
            continue;
        const Measurement& point = *points.back();
        const QString own = point.library.isEmpty() ? tr("its library") : point.library;
        const double faster = median(point.otherSeconds) / median(point.seconds);
        if (faster * fasterLibrary < 1
            && isGpu(*lane)) // its results were not checked, those of our own were
            rules.push_back({id, State::Note,
                tr("%1: %2 is %3 as fast here as %4, which counts, as its results were checked")
                    .arg(lane->label, point.otherLibrary, times(1 / faster), own)});
        else if (faster * fasterLibrary < 1)
            rules.push_back({id, State::Broken,
                tr("%1 ran %2, though %3 is %4 as fast here")
                    .arg(lane->label, own, point.otherLibrary, times(1 / faster))});
        else if (faster < fasterLibrary)
            rules.push_back({id, State::Kept,
                tr("%1: %2 and %3 are equally fast").arg(lane->label, own, point.otherLibrary)});
        else
            rules.push_back({id, State::Kept,
                tr("%1 ran the faster of two libraries: %2 is %3 as fast as %4")
                    .arg(lane->label, own, times(faster), point.otherLibrary)});
    }
}

/// A card at its power limit works as specified; one that is too hot or short of power does not.
bool isUsual(const QString& reason)
{
    return reason.contains(QLatin1String("power limit"))
        || reason.contains(QLatin1String("power cap")) || reason.contains(QLatin1String("idle"))
        || reason.contains(QLatin1String("applications clocks"));
}

std::optional<FairnessRule> throttle(const Match& match)
{
    const QString id = QStringLiteral("throttle");
    QStringList usual;
    bool unknown = false, gpu = false;
    for (const CompareLane* lane : match.lanes()) {
        if (isCpu(*lane))
            continue;
        gpu = true;
        for (const Measurement* point : match.of(*lane)) {
            if (!point->throttle) {
                unknown = true;
                continue;
            }
            for (const QString& reason : *point->throttle) {
                if (!isUsual(reason))
                    return FairnessRule{id, State::Broken,
                        tr("%1 was throttled at %2: %3")
                            .arg(lane->label, sizeOf(point->xName, point->x),
                                point->throttle->join(QStringLiteral(", ")))};
                if (!usual.contains(reason))
                    usual << reason;
            }
        }
    }
    if (!gpu)
        return {};
    if (unknown)
        return FairnessRule{id, State::Unknown,
            tr("it is not known whether the GPU was throttled by heat or power")};
    if (!usual.isEmpty())
        return FairnessRule{id, State::Note,
            tr("the GPU ran at its limit, as it does under full load: %1")
                .arg(usual.join(QStringLiteral(", ")))};
    return FairnessRule{id, State::Kept, tr("the GPU was not throttled by heat or power")};
}

FairnessRule repeats(const Match& match)
{
    const QString id = QStringLiteral("repeats");
    size_t fewest = SIZE_MAX;
    for (const CompareLane* lane : match.lanes()) {
        for (const Measurement* point : match.of(*lane)) {
            if (point->fromCurve && point->seconds.size() == 1)
                return {id, State::Unknown,
                    tr("the number of repeats is not known: %1 printed one number per size")
                        .arg(lane->label)};
            if (point->seconds.size() < fewestRepeats)
                return {id, State::Broken,
                    tr("%1 of %2 at %3; at least %4 are needed")
                        .arg(counted(
                                 qint64(point->seconds.size()), tr("1 repeat"), tr("%1 repeats")),
                            lane->label, sizeOf(point->xName, point->x))
                        .arg(fewestRepeats)};
            fewest = std::min(fewest, point->seconds.size());
        }
    }
    if (fewest == SIZE_MAX)
        return {id, State::Unknown, tr("nothing was measured")};
    return {id, State::Kept, tr("%1 repeats, median shown").arg(fewest)};
}

FairnessRule warmUp(const Match& match)
{
    const QString id = QStringLiteral("warm-up");
    std::optional<int> fewest;
    bool unknown = false;
    for (const CompareLane* lane : match.lanes()) {
        for (const Measurement* point : match.of(*lane)) {
            if (point->warmups == 0)
                return {id, State::Broken,
                    tr("%1 was not warmed up: its first run loads libraries").arg(lane->label)};
            unknown = unknown || !point->warmups;
            fewest = std::min(fewest.value_or(INT_MAX), point->warmups.value_or(INT_MAX));
        }
    }
    if (unknown || !fewest)
        return {id, State::Unknown, tr("it is not known whether the lanes were warmed up")};
    return {id, State::Kept,
        counted(*fewest, tr("1 warm-up run before timing"), tr("%1 warm-up runs before timing"))};
}

void notes(const Match& match, std::vector<FairnessRule>& rules)
{
    if (match.a.points.empty() || match.b.points.empty())
        return;
    const Measurement& a = match.a.points.back();
    const Measurement& b = match.b.points.back();
    if (a.node.isEmpty() || b.node.isEmpty())
        rules.push_back({QStringLiteral("node"), State::Note,
            tr("it is not known whether both ran on the same node")});
    else if (a.node != b.node)
        rules.push_back({QStringLiteral("node"), State::Note,
            tr("different nodes: %1 and %2").arg(a.node, b.node)});
    else
        rules.push_back(
            {QStringLiteral("node"), State::Kept, tr("both on the node %1").arg(a.node)});
    if (a.when.isValid() && b.when.isValid() && a.when.date() != b.when.date())
        rules.push_back({QStringLiteral("day"), State::Note,
            tr("on different days: %1 and %2")
                .arg(QLocale().toString(a.when.date(), QLocale::ShortFormat),
                    QLocale().toString(b.when.date(), QLocale::ShortFormat))});
    for (const CompareLane* lane : match.lanes()) {
        QStringList alone;
        for (const auto& [x, why] : lane->leftOut)
            rules.push_back({QStringLiteral("sizes"), State::Note,
                tr("%1 left %2 out: %3").arg(lane->label, size(x), why)});
        for (const Measurement& point : lane->points)
            if (std::none_of(match.pairs.begin(), match.pairs.end(),
                    [&](const MeasuredPair& pair) { return pair.a == &point || pair.b == &point; }))
                alone << size(point.x);
        if (!alone.isEmpty() && !match.pairs.empty())
            rules.push_back({QStringLiteral("sizes"), State::Note,
                tr("only %1 measured %2, so it is not compared")
                    .arg(lane->label, alone.join(QStringLiteral(", ")))});
        const auto part = partOfPeak(lane->points.back());
        if (part && *part > mostOfPeak)
            rules.push_back({QStringLiteral("reference"), State::Note,
                tr("%1 reached %2 of its measured peak: one of the two values is wrong")
                    .arg(lane->label, percent(*part))});
    }
}

} // namespace

std::vector<MeasuredPair> pairsOf(const CompareLane& a, const CompareLane& b)
{
    std::vector<MeasuredPair> pairs;
    for (const Measurement& one : a.points)
        for (const Measurement& other : b.points)
            if (std::abs(one.x - other.x) <= 1e-9 * std::abs(one.x) && one.xName == other.xName)
                pairs.push_back({&one, &other});
    return pairs;
}

std::optional<double> rateOf(const Measurement& point)
{
    const double time = median(point.seconds);
    if (!(time > 0) || (!point.operations && !point.bytes))
        return {};
    return (point.work == QLatin1String("triad") && point.bytes
                   ? *point.bytes
                   : point.operations.value_or(point.bytes.value_or(0)))
        / time;
}

std::optional<double> partOfPeak(const Measurement& point)
{
    const auto rate = rateOf(point);
    if (!rate || !point.peak)
        return {};
    return *rate / *point.peak;
}

std::vector<FairnessRule> fairnessRules(const CompareLane& a, const CompareLane& b)
{
    const Match match{a, b, pairsOf(a, b)};
    std::vector<FairnessRule> rules;
    const auto add = [&](std::optional<FairnessRule> rule) {
        if (rule)
            rules.push_back(*std::move(rule));
    };
    add(sameWork(match));
    add(precision(match));
    add(synchronised(match));
    add(warmUp(match));
    add(repeats(match));
    add(verified(match));
    threads(match, rules);
    library(match, rules);
    add(throttle(match));
    notes(match, rules);
    return rules;
}

} // namespace slipway
