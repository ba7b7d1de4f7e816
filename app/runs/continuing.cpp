// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/continuing.h"

#include "app/plan/formdefaults.h"
#include "app/plan/longwork.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

const QString& checkpointsKey()
{
    static const QString key = QStringLiteral("checkpoints");
    return key;
}

bool hasCheckpointField(const Recipe& recipe)
{
    return std::any_of(recipe.parameters.begin(), recipe.parameters.end(),
        [](const Parameter& field) { return field.key == checkpointsKey(); });
}

/// As the launch takes it: a kept recipe has it as its default.
QString checkpointsOf(const LaunchSpec& spec, const Recipe& recipe, const Site* site)
{
    Site unknown;
    unknown.id = spec.siteId;
    if (const auto given = givenValue(recipe, site ? *site : unknown, spec, checkpointsKey()))
        return *given;
    for (const Parameter& field : recipe.parameters)
        if (field.key == checkpointsKey())
            return field.value;
    return {};
}

Error cannotContinue(const QString& why, const QString& remedy)
{
    return {ErrorKind::Unsupported, why, remedy};
}

} // namespace

QString chainOf(const Run& run)
{
    return run.spec.chain.isEmpty() ? run.id : run.spec.chain;
}

LaunchSpec repeatingSpec(const Run& run)
{
    LaunchSpec spec = run.spec;
    spec.continues.clear();
    spec.chain.clear();
    spec.afterJob.clear();
    return spec;
}

Result<LaunchSpec> continuingSpec(const Run& run, const Recipe* recipe, const Site* site)
{
    if (!recipe)
        return cannotContinue(tr("Run %1 cannot be continued: there is no recipe “%2” any more.")
                                  .arg(run.id, run.spec.recipeId),
            tr("Launch its program with another recipe."));
    if (!hasCheckpointField(*recipe))
        return cannotContinue(
            tr("Run %1 cannot be continued: “%2” keeps no checkpoints.").arg(run.id, recipe->title),
            tr("Run it again."));
    if (checkpointName(checkpointsOf(run.spec, *recipe, site)).isEmpty())
        return cannotContinue(
            tr("Run %1 cannot be continued: it has no checkpoint folder.").arg(run.id),
            tr("Run it again, and name the folder of its checkpoints in the field “Checkpoints”."));
    if (run.spec.mode == LaunchMode::Interactive)
        return cannotContinue(tr("Run %1 cannot be continued: it is interactive.").arg(run.id),
            tr("Launch it as a batch job."));
    if (!run.spec.editedScript.isEmpty())
        return cannotContinue(
            tr("Run %1 cannot be continued: its script was edited by hand.").arg(run.id),
            tr("Run it again from the form."));
    LaunchSpec spec = repeatingSpec(run);
    spec.continues = run.id;
    spec.chain = chainOf(run);
    spec.sweep.clear(); // its curves are its own
    spec.sweepLabel.clear();
    spec.sweepSlot = 0;
    return spec;
}

Result<QString> jobsBefore(const LaunchSpec& spec, const std::vector<Run>& runs)
{
    if (spec.continues.isEmpty())
        return QString();
    std::vector<Run> active;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(active), [&spec](const Run& run) {
        return !isTerminal(run.phase) && run.spec.siteId == spec.siteId
            && chainOf(run) == spec.chain;
    });
    QStringList jobs;
    for (const Run& run : active) {
        // The last ones of the chain are enough: each of them waits for those before it.
        const bool isContinued = std::any_of(active.begin(), active.end(),
            [&run](const Run& other) { return other.spec.continues == run.id; });
        if (isContinued)
            continue;
        if (!run.job.isValid())
            return Error{ErrorKind::Unsupported,
                tr("Run %1 has no job yet, so no job can start after it.").arg(run.id),
                tr("Wait until it is submitted, then continue it.")};
        jobs << run.job.text;
    }
    return jobs.join(u':');
}

std::optional<Run> continuedBy(const Run& run, const std::vector<Run>& runs)
{
    std::optional<Run> newest;
    for (const Run& other : runs) {
        const bool isJob = !isTerminal(other.phase) || other.job.isValid();
        if (isJob && other.spec.continues == run.id && (!newest || newest->created < other.created))
            newest = other;
    }
    return newest;
}

bool offersContinuing(
    const Run& run, const Recipe* recipe, const Site* site, const std::vector<Run>& runs)
{
    return run.job.isValid() && continuingSpec(run, recipe, site).ok() && !continuedBy(run, runs);
}

std::vector<ChainSentence> chainSentences(const Run& run, const std::vector<Run>& runs)
{
    std::vector<ChainSentence> sentences;
    const QString before = run.spec.continues;
    if (!before.isEmpty()) {
        const bool isListed = std::any_of(
            runs.begin(), runs.end(), [&before](const Run& other) { return other.id == before; });
        sentences.push_back(
            {isListed ? tr("Continues run %1.").arg(before)
                      : tr("Continues run %1, which is not in the list any more.").arg(before),
                isListed ? before : QString()});
    }
    if (const auto after = continuedBy(run, runs))
        sentences.push_back({tr("Continued by run %1.").arg(after->id), after->id});
    return sentences;
}

} // namespace slipway
