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

/// The input of the rules about GPUs, collected once.
struct GpuFacts {
    bool wholeNode = false;
    bool partitionKnown = false;
    bool somewhere = false; ///< some partition of the site has GPUs
    SitePartition partition;
    std::optional<int> free;
    bool real = true;
    QStringList gpuLanes; ///< chosen lanes that need a GPU
    QString lanesKey;
    QString otherLanes; ///< the choice without them
};

GpuFacts gather(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    GpuFacts facts;
    facts.wholeNode = plan.site.gpuRequest == GpuRequestStyle::WholeNode;
    const PartitionFacts partition = partitionFacts(plan.job.partition, plan.site, cluster);
    facts.partitionKnown = partition.known;
    facts.partition = partition.partition;
    facts.free = partition.gpusFree;
    facts.real = plan.site.gpusAreReal.value_or(true);
    const QStringList names = partitionNames(plan.site, cluster);
    facts.somewhere = std::any_of(names.begin(), names.end(), [&](const QString& name) {
        return partitionFacts(name, plan.site, cluster).partition.gpusPerNode > 0;
    });
    QStringList others;
    for (const Lane& lane : chosenLanes(plan))
        (lane.needsGpu ? facts.gpuLanes : others) << lane.id;
    facts.otherLanes = others.join(u',');
    if (const std::optional<Parameter> lanes = fieldOfType(plan, Parameter::Type::Lanes))
        facts.lanesKey = lanes->key;
    return facts;
}

QString emulatedGpusText(const Plan& plan)
{
    return plan.site.gpusNote.isEmpty() ? tr("This cluster's GPUs are emulated: Slurm allocates "
                                             "them, but nothing can compute on them.")
                                        : plan.site.gpusNote;
}

bool hasNoGpus(const GpuFacts& facts)
{
    return facts.partitionKnown && facts.partition.gpusKnown && facts.partition.gpusPerNode == 0;
}

/// An undocumented number forbids nothing; lint reports that it is not known.
void lintUnknownCount(const Plan& plan, const GpuFacts& facts, Problems* problems)
{
    const QString key = QStringLiteral("gpus"), name = facts.partition.name;
    const int least = facts.partition.gpusPerNode;
    if (facts.partition.gpusAtLeast && plan.job.gpus > least)
        problems->push_back(warningIn(key,
            tr("The number of GPUs per node of %1 is not known; the documentation shows at most "
               "%2. "
               "If no node has %3, Slurm refuses the job.")
                .arg(name)
                .arg(least)
                .arg(plan.job.gpus),
            tr("Check with: scontrol show node")));
    else if (facts.partitionKnown && !facts.partition.gpusKnown)
        problems->push_back(warningIn(
            key, tr("It is not known whether nodes of the partition %1 have GPUs.").arg(name)));
}

void lintLanes(const Plan& plan, const GpuFacts& facts, Problems* problems)
{
    if (facts.gpuLanes.isEmpty())
        return;
    const QString leaveOut = tr("Leave the GPU lane out");
    const std::optional<QString> others =
        facts.otherLanes.isEmpty() ? std::nullopt : std::optional(facts.otherLanes);
    if (!facts.real) {
        problems->push_back(warningIn(facts.lanesKey,
            emulatedGpusText(plan) + tr(" The GPU lane will find none and report that."), leaveOut,
            others));
    } else if (hasNoGpus(facts)) {
        problems->push_back(errorIn(facts.lanesKey,
            tr("The GPU lane has no GPU: nodes of the partition %1 have none.")
                .arg(facts.partition.name),
            leaveOut, others));
    }
    if (!facts.wholeNode && plan.job.gpus == 0)
        problems->push_back(errorIn(QStringLiteral("gpus"),
            tr("The GPU lane needs a GPU, and the job requests none."), tr("Request one GPU"),
            QStringLiteral("1")));
    const bool nv =
        std::all_of(plan.recipe.steps.begin(), plan.recipe.steps.end(), [](const RecipeStep& step) {
            return !step.perLane || step.kind == RecipeStep::Kind::Host || step.nv;
        });
    if (!nv)
        problems->push_back(errorIn(facts.lanesKey,
            tr("The recipe starts the container of the GPU lane without --nv: the driver would not "
               "be available inside.")));
}

/// GPUs that nothing uses, and images that need one.
void lintUse(const Plan& plan, const GpuFacts& facts, Problems* problems)
{
    const QString key = QStringLiteral("gpus");
    const bool anyNv = std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(),
        [](const RecipeStep& step) { return step.nv; });
    if (plan.job.gpus > 0) {
        if (!facts.real && facts.gpuLanes.isEmpty())
            problems->push_back(
                warningIn(key, emulatedGpusText(plan), tr("Request none"), QStringLiteral("0")));
        else if (plan.recipe.lanes.empty() ? !anyNv : facts.gpuLanes.isEmpty())
            problems->push_back(warningIn(key,
                tr("The job requests a GPU that none of its steps uses: it would wait for the GPU "
                   "and leave it idle."),
                tr("Request none"), QStringLiteral("0")));
        lintUnknownCount(plan, facts, problems);
        if (hasNoGpus(facts) && facts.gpuLanes.isEmpty())
            problems->push_back(
                errorIn(key, tr("Nodes of the partition %1 have no GPU.").arg(facts.partition.name),
                    tr("Request none"), QStringLiteral("0")));
        if (facts.real && facts.free && *facts.free == 0)
            problems->push_back(warningIn(key,
                tr("No GPU of %1 is free at the moment: the job will wait.")
                    .arg(facts.partition.name)));
        return;
    }
    if (facts.wholeNode || !plan.recipe.lanes.empty() || !anyNv || !facts.real)
        return;
    const int wanted = plan.recipe.resources.value(key).toInt();
    if (wanted > 0 && facts.somewhere && plan.spec.values.contains(key)) {
        const int there = facts.partition.gpusPerNode;
        const bool limited = there > 0 && !facts.partition.gpusAtLeast;
        const QString better = QString::number(limited ? std::min(wanted, there) : wanted);
        problems->push_back(warningIn(key,
            tr("“%1” uses a GPU, and the job requests none: it would run on the CPU, or not at "
               "all.")
                .arg(plan.recipe.title),
            tr("Use %1").arg(better), better));
        return;
    }
    const std::optional<ImageReference> image = planImage(plan);
    if (!image || !image->text().contains(u"cuda", Qt::CaseInsensitive) || !facts.somewhere)
        return;
    problems->push_back(warningIn(key,
        tr("The image is built for GPUs, and the job requests none: it would run on the CPU, or "
           "not at all."),
        tr("Request one GPU"), QStringLiteral("1")));
}

void lintWholeNode(const Plan& plan, Problems* problems)
{
    for (const char* key : {"gpus", "gpu_type", "cpus", "memory", "memory_per_cpu"}) {
        const QString name = QLatin1String(key);
        const QString value = plan.spec.values.value(name);
        if (value.isEmpty() || value == u"0")
            continue;
        problems->push_back(warningIn(name,
            tr("%1 allocates whole nodes, and its Slurm refuses a request for part of one: “%2” is "
               "left out.")
                .arg(plan.site.name, name),
            tr("Leave it out"), QString()));
    }
}

} // namespace

void lintGpus(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const GpuFacts facts = gather(plan, cluster);
    lintLanes(plan, facts, problems);
    lintUse(plan, facts, problems);
    if (facts.wholeNode)
        lintWholeNode(plan, problems);
}

} // namespace slipway
