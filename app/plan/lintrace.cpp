// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/lint.h"
#include "app/plan/planfacts.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Problems = std::vector<Problem>;

/// Whether the recipe measures, that is, has lanes that are repeated.
bool isRace(const Plan& plan)
{
    const auto has = [&](const QString& key) {
        return std::any_of(plan.fields.begin(), plan.fields.end(),
            [&](const Parameter& field) { return field.key == key; });
    };
    return !plan.recipe.lanes.empty() && has(QStringLiteral("repeats"));
}

/// Whether the lane uses all CPUs of the job.
bool takesAll(const Lane& lane)
{
    return !lane.needsGpu
        && (!lane.values.contains(QStringLiteral("threads"))
            || lane.values.value(QStringLiteral("threads")) == u"all");
}

void lintOpponents(const Plan& plan, Problems* problems)
{
    const std::vector<Lane> chosen = chosenLanes(plan);
    const QString key = fieldOfType(plan, Parameter::Type::Lanes)->key;
    QStringList ids, labels;
    for (const Lane& lane : chosen) {
        ids << lane.id;
        labels << lane.label;
    }
    const bool gpu =
        std::any_of(chosen.begin(), chosen.end(), [](const Lane& lane) { return lane.needsGpu; });
    const auto whole = std::find_if(plan.recipe.lanes.begin(), plan.recipe.lanes.end(), takesAll);
    if (chosen.size() == 1 && whole != plan.recipe.lanes.end())
        problems->push_back(warningIn(key,
            tr("“%1” alone is not a race: there is nothing to compare it with.")
                .arg(labels.first())));
    if (gpu && chosen.size() > 1 && whole != plan.recipe.lanes.end()
        && std::none_of(chosen.begin(), chosen.end(), takesAll))
        problems->push_back(warningIn(key,
            tr("Comparing a GPU with one of many CPU threads is not fair: no speed-up will be "
               "stated."),
            tr("Add “%1”").arg(whole->label), QString(ids.join(u',') + u',' + whole->id)));
    const bool oneCpu = plan.values.value(QStringLiteral("cpus")) == u"1";
    if (oneCpu && std::count_if(chosen.begin(), chosen.end(), [](const Lane& lane) {
            return !lane.needsGpu;
        }) > 1)
        problems->push_back(warningIn(QStringLiteral("cpus"),
            tr("With one CPU, the CPU lanes are identical: there is only one thread.")));
}

} // namespace

void lintRace(const Plan& plan, Problems* problems)
{
    if (!isRace(plan))
        return;
    lintOpponents(plan, problems);
    for (const Parameter& field : plan.fields) {
        bool number = false;
        const int value = field.value.trimmed().toInt(&number);
        if (field.key == u"repeats" && number && value < fewestRepeats)
            problems->push_back(warningIn(field.key,
                tr("A median of %1 is unreliable: with fewer than %2 repeats no speed-up "
                   "will be stated.")
                    .arg(value)
                    .arg(fewestRepeats),
                tr("Repeat %1 times").arg(fewestRepeats), QString::number(fewestRepeats)));
        else if (field.key == u"warmup" && number && value == 0)
            problems->push_back(warningIn(field.key,
                tr("Without a warm-up, the first repeat includes the time to load libraries: no "
                   "speed-up will be stated."),
                tr("Use two warm-up runs"), QStringLiteral("2")));
        else if (field.key == u"sizes" && valueProblem(field, field.value).isEmpty()
            && listItems(field.value).size() == 1)
            problems->push_back(
                warningIn(field.key, tr("One size cannot show where the GPU overtakes the CPU.")));
    }
}

} // namespace slipway
