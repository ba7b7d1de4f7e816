// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"

#include "app/compare/fairness.h"
#include "app/compare/protocol.h"
#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using State = FairnessRule::State;
using namespace racewords;

Ratio ratioOf(double x, const std::vector<double>& a, const std::vector<double>& b)
{
    Ratio ratio{x, median(a), median(b), 0, 0, 0};
    ratio.ratio = ratio.medianB / ratio.medianA;
    if (const auto interval = ratioInterval(a, b))
        std::tie(ratio.low, ratio.high) = *interval;
    return ratio;
}

/// Including the transfers to the device and back, where there are any: a CPU needs none.
const std::vector<double>* withTransfers(const Measurement& point)
{
    if (!point.secondsWithTransfers.empty())
        return &point.secondsWithTransfers;
    return point.device == QLatin1String("cpu") ? &point.seconds : nullptr;
}

bool containsOne(const Ratio& ratio)
{
    return ratio.hasInterval() && ratio.low <= 1 && ratio.high >= 1;
}

/// "31.6 – 32.1", with enough digits to distinguish the two.
QString rangeText(const Ratio& ratio)
{
    for (int digits = 2; digits < 5; ++digits)
        if (significant(ratio.low, digits) != significant(ratio.high, digits))
            return significant(ratio.low, std::max(digits, 3)) + QStringLiteral(" – ")
                + significant(ratio.high, std::max(digits, 3));
    return significant(ratio.ratio, 4);
}

QString headlineOf(const Ratio& ratio)
{
    if (containsOne(ratio))
        return tr("no difference measured");
    return ratio.ratio >= 1 ? tr("%1 as fast").arg(times(ratio.ratio))
                            : tr("takes %1 as long").arg(times(1 / ratio.ratio));
}

QString sentenceOf(const Comparison& comparison)
{
    const Ratio& last = comparison.ratios.back();
    const QString a = comparison.a.label, b = comparison.b.label;
    if (containsOne(last))
        return tr("No difference between %1 and %2 was measured.").arg(a, b);
    return last.ratio >= 1 ? tr("%1 is %2 as fast as %3.").arg(a, times(last.ratio), b)
                           : tr("%1 takes %2 as long as %3.").arg(a, times(1 / last.ratio), b);
}

QString energyText(const MeasuredPair& pair)
{
    if (!pair.a->energy || !pair.b->energy)
        return {};
    const double part = *pair.a->energy / *pair.b->energy;
    return part < 1 ? tr("%1 of the energy").arg(percent(part))
                    : tr("%1 the energy").arg(times(part));
}

QString detailOf(const Comparison& comparison, const MeasuredPair& last)
{
    const Ratio& ratio = comparison.ratios.back();
    const int repeats = int(std::min(last.a->seconds.size(), last.b->seconds.size()));
    QStringList parts;
    if (ratio.hasInterval())
        parts << tr("%1 over %2 repeats (95 %)").arg(rangeText(ratio)).arg(repeats);
    if (!comparison.withTransfers.empty() && comparison.withTransfers.back().x == ratio.x
        && (!last.a->secondsWithTransfers.empty() || !last.b->secondsWithTransfers.empty()))
        parts << tr("with transfers %1").arg(times(comparison.withTransfers.back().ratio));
    if (const QString energy = energyText(last); !energy.isEmpty())
        parts << energy;
    return parts.join(QStringLiteral(" · "));
}

void refuse(Comparison& comparison)
{
    const auto texts = [&](State state) {
        QStringList found;
        for (const FairnessRule& rule : comparison.rules)
            if (rule.state == state)
                found << rule.text;
        return found.join(QStringLiteral("; "));
    };
    if (const QString broken = texts(State::Broken); !broken.isEmpty()) {
        comparison.refusal = tr("No speed-up is stated: %1.").arg(broken);
        comparison.reason = tr("%1.").arg(broken.front().toUpper() + broken.mid(1));
        return;
    }
    comparison.refusal =
        tr("It is not known whether the comparison is fair, so no speed-up is stated: %1.")
            .arg(texts(State::Unknown));
    comparison.reason = comparison.refusal;
}

/// The sizes from `least` on at which the interval contains 1: no difference was measured there.
QString sizesWithoutDifference(
    const std::vector<Ratio>& ratios, double least, const QString& name, size_t* count)
{
    QStringList sizes;
    for (const Ratio& ratio : ratios)
        if (ratio.x >= least && containsOne(ratio))
            sizes << size(ratio.x);
    *count = size_t(sizes.size());
    const QString list = sizes.join(QStringLiteral(", "));
    return name.isEmpty() ? list : name + QStringLiteral(" = ") + list;
}

/// Which lane takes less time at which sizes; claimed only where the interval does not contain 1.
QString crossoverWords(
    const Comparison& comparison, const std::vector<Ratio>& ratios, const QString& how)
{
    const QString a = comparison.a.label, b = comparison.b.label;
    const QString name = comparison.a.points.front().xName;
    size_t unsure = 0;
    if (comparison.crossover) {
        const QString from = significant(*comparison.crossover, 2);
        const QString where = sizesWithoutDifference(ratios, *comparison.crossover, name, &unsure);
        return unsure == 0 ? tr("From %1 ≈ %2 on, %3 takes less time%4.").arg(name, from, a, how)
                           : tr("From %1 ≈ %2 on, the median time of %3 is shorter%4, but no "
                                "difference was measured at "
                                "%5.")
                                 .arg(name, from, a, how, where);
    }
    if (ratios.back().ratio < 1)
        return containsOne(ratios.back())
            ? tr("No difference was measured at the largest size%1.").arg(how)
            : tr("%1 takes more time at the largest size%2.").arg(a, how);
    const QString where = sizesWithoutDifference(ratios, ratios.front().x, name, &unsure);
    if (unsure == 0)
        return tr("%1 takes less time at every size%2.").arg(a, how);
    return unsure == ratios.size()
        ? tr("No difference between %1 and %2 was measured at any size%3.").arg(a, b, how)
        : tr("The median time of %1 is shorter at every size%2, but no difference was measured at "
             "%3.")
              .arg(a, how, where);
}

void findCrossover(Comparison& comparison)
{
    const bool counted = !comparison.withTransfers.empty();
    const bool moved = std::any_of(comparison.a.points.begin(), comparison.a.points.end(),
        [](const Measurement& point) { return point.device != QLatin1String("cpu"); });
    if (!counted && moved) {
        comparison.crossoverText =
            tr("The size from which %1 is faster is not known: transfers were not measured.")
                .arg(comparison.a.label);
        return;
    }
    const std::vector<Ratio>& ratios = counted ? comparison.withTransfers : comparison.ratios;
    std::vector<SizedRatio> sized;
    for (const Ratio& ratio : ratios)
        sized.push_back({ratio.x, ratio.ratio});
    if (sized.size() < 2)
        return;
    comparison.crossover = crossoverOf(sized);
    comparison.crossoverText =
        crossoverWords(comparison, ratios, moved ? tr(", transfers counted") : QString());
}

} // namespace

QString FairnessRule::sign() const
{
    switch (state) {
    case State::Kept:
        return QStringLiteral("✓");
    case State::Note:
        return QStringLiteral("!");
    case State::Broken:
        return QStringLiteral("✕");
    case State::Unknown:
        break;
    }
    return QStringLiteral("?");
}

bool Comparison::fair() const
{
    return !ratios.empty() && !rules.empty()
        && std::none_of(rules.begin(), rules.end(), [](const FairnessRule& rule) {
               return rule.state == State::Broken || rule.state == State::Unknown;
           });
}

Comparison compare(const CompareLane& a, const CompareLane& b)
{
    Comparison comparison;
    comparison.a = a;
    comparison.b = b;
    const auto pairs = pairsOf(comparison.a, comparison.b);
    const bool comparable = workBase(a.work) == workBase(b.work);
    for (const MeasuredPair& pair : pairs) {
        if (!comparable)
            break;
        comparison.ratios.push_back(ratioOf(pair.a->x, pair.a->seconds, pair.b->seconds));
        const auto* const ofA = withTransfers(*pair.a);
        const auto* const ofB = withTransfers(*pair.b);
        if (ofA && ofB)
            comparison.withTransfers.push_back(ratioOf(pair.a->x, *ofA, *ofB));
    }
    comparison.rules = fairnessRules(comparison.a, comparison.b);
    comparison.title = tr("%1 against %2: %3").arg(a.label, b.label, work(a.work));
    comparison.protocol = protocolLines(comparison);
    if (!comparison.ratios.empty()) {
        const Measurement& last = *pairs.back().a;
        comparison.where = tr("at %1, compute only").arg(sizeOf(last.xName, last.x));
        comparison.detail = detailOf(comparison, pairs.back());
        findCrossover(comparison);
    }
    if (!comparison.fair()) {
        refuse(comparison);
        return comparison;
    }
    comparison.headline = headlineOf(comparison.ratios.back());
    comparison.sentence = sentenceOf(comparison);
    return comparison;
}

} // namespace slipway
