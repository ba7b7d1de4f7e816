// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runcontext.h"

#include "app/node/probefile.h"
#include "app/plan/checksteps.h"
#include "app/plan/makeplan.h"
#include "app/plan/pinning.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

/// The plan itself does not access the disk.
void warnOfMissingProbe(Plan* plan)
{
    if (nodeCheck(*plan) == NodeCheck::None || haveProbe())
        return;
    plan->problems.push_back({Problem::Severity::Warning, QStringLiteral("check"),
        tr("slipway-probe is not installed with this program: the node is checked with nvidia-smi "
           "only, and no samples are taken."),
        tr("Install or build slipway-probe, or continue without it"), {}});
}

/// With the digests of images that the launch is to pin, as far as they are known.
LaunchSpec pinnedSpec(const RunContext& context, const Plan& plan)
{
    LaunchSpec spec = plan.spec;
    for (const ImageReference& image : unpinnedImages(plan)) {
        const QString digest =
            context.registryDigest ? context.registryDigest(spec.siteId, image) : QString();
        if (isDigest(digest))
            spec.pins.insert(image.text(), digest);
    }
    return spec;
}

Problem missing(const QString& text, const QString& fix)
{
    return {Problem::Severity::Error, {}, text, fix, {}};
}

} // namespace

Plan RunContext::plan(const LaunchSpec& spec) const
{
    const Site* const site = catalogue->site(spec.siteId);
    const Recipe* const recipe = catalogue->recipe(spec.recipeId);
    if (site && recipe) {
        const auto cluster = sessions->clusterInfo(spec.siteId);
        Plan made = makePlan(spec, *recipe, *site, cluster);
        const LaunchSpec pinned = pinnedSpec(*this, made);
        if (pinned.pins != spec.pins)
            made = makePlan(pinned, *recipe, *site, cluster);
        warnOfMissingProbe(&made);
        return made;
    }
    Plan plan;
    plan.spec = spec;
    if (!site)
        plan.problems.push_back(
            missing(tr("There is no site “%1”.").arg(spec.siteId), tr("Choose another site")));
    if (!recipe)
        plan.problems.push_back(missing(
            tr("There is no recipe “%1”.").arg(spec.recipeId), tr("Choose another recipe")));
    return plan;
}

RunReading RunContext::reading(const Run& run) const
{
    const Recipe* recipe =
        run.labels.readWith.isEmpty() ? nullptr : catalogue->recipe(run.labels.readWith);
    if (!recipe) // it may be gone since
        recipe = catalogue->recipe(run.spec.recipeId);
    return recipe ? RunReading{recipe->recognisers, recipe->patterns, recipe->charts}
                  : RunReading();
}

} // namespace slipway
