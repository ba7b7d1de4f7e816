// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/lint.h"
#include "app/plan/stepbody.h"
#include "app/plan/stepimages.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Problems = std::vector<Problem>;
using Kind = RecipeStep::Kind;

bool needsNothingOfApptainer(const Recipe& recipe)
{
    return std::none_of(recipe.steps.begin(), recipe.steps.end(), [](const RecipeStep& step) {
        return step.kind == Kind::Build || step.fakeroot || !step.overlay.isEmpty();
    });
}

QString runtimeNames(const std::vector<RuntimeKind>& runtimes)
{
    QStringList names;
    for (RuntimeKind runtime : runtimes)
        names << runtimeName(runtime);
    return names.join(tr(" or "));
}

/// A file whose name suggests another runtime. The name proves nothing, so this is not an error.
void lintFileFormat(const Plan& plan, const PlanImage& image, Problems* problems)
{
    const bool squashed = isEnrootLike(plan.site.runtime);
    const QString path = image.reference->path;
    if (squashed && path.endsWith(u".sif"))
        problems->push_back(warningIn(image.key,
            tr("%1 starts images that enroot has imported (.sqsh); by its name, this one is for "
               "Apptainer.")
                .arg(runtimeName(plan.site.runtime)),
            tr("Push what you built to a registry, and enter its name: docker://NAME")));
    else if (!squashed && path.endsWith(u".sqsh"))
        problems->push_back(warningIn(image.key,
            tr("%1 starts .sif images; by its name, this one is for enroot.")
                .arg(runtimeName(plan.site.runtime)),
            tr("Enter the image that it was imported from: docker://NAME")));
}

/// Whether this site's runtime supports what the recipe's steps require.
void lintRuntime(const Plan& plan, Problems* problems)
{
    if (offeredRuntimes(plan.recipe, plan.site).empty()) {
        const QString site = plan.site.name, title = plan.recipe.title;
        const QString here = runtimeName(plan.site.runtime);
        const QString text = needsNothingOfApptainer(plan.recipe)
            ? tr("%1 runs containers with %2, and “%3” is written for %4.")
                  .arg(site, here, title, runtimeNames(recipeRuntimes(plan.recipe)))
            : tr("%1 runs containers with %2, which cannot do what “%3” needs: "
                 "building from a definition file, an overlay or --fakeroot.")
                  .arg(site, here, title);
        problems->push_back(
            errorIn(QStringLiteral("runtime"), text, tr("Choose a site with Apptainer")));
        return;
    }
    QStringList sentences;
    for (const RecipeStep& step : plan.recipe.steps) {
        ContainerCommand command;
        command.binds = step.binds;
        for (Bind& bind : command.binds) {
            for (const Parameter& field : plan.fields)
                bind.source.replace(u'{' + field.key + u'}', field.value);
        }
        command.contain = step.contain;
        command.fakeroot = step.fakeroot;
        command.overlay = step.overlay;
        for (const QString& sentence : containerShortcomings(plan.site.runtime, command)) {
            if (!sentences.contains(sentence))
                problems->push_back(warningIn(QStringLiteral("runtime"), sentence));
            sentences << sentence;
        }
    }
    const QString modules = QStringLiteral("modules");
    const bool named = plan.site.modulesKnown || !plan.values.value(modules).trimmed().isEmpty();
    if (!named && !planImages(plan).empty())
        problems->push_back(warningIn(modules,
            tr("The module that provides %1 on %2 is not known; without it the job may fail with "
               "“command not found”.")
                .arg(runtimeName(plan.site.runtime), plan.site.name),
            tr("Find it with module avail on the cluster, and enter its name")));
    for (const PlanImage& image : planImages(plan)) {
        if (!image.reference)
            continue;
        for (const QString& sentence : pullShortcomings(
                 plan.site.runtime, *image.reference, speaksPlainHttp(plan.site, *image.reference)))
            problems->push_back(errorIn(image.key, sentence));
        lintFileFormat(plan, image, problems);
    }
}

void lintBuilds(const Plan& plan, Problems* problems)
{
    const auto build = std::find_if(plan.recipe.steps.begin(), plan.recipe.steps.end(),
        [](const RecipeStep& step) { return step.kind == Kind::Build; });
    if (build == plan.recipe.steps.end())
        return;
    if (plan.site.builds == BuildRule::None)
        problems->push_back(errorIn({},
            tr("%1 does not let its users build images from definition files; use ready-made "
               "images from a registry.")
                .arg(plan.site.name),
            tr("Build it elsewhere, push it to a registry, and pull it here")));
    else if (plan.site.builds == BuildRule::Unknown)
        problems->push_back(warningIn({},
            tr("It is not known whether %1 lets its users build images: without root or --fakeroot "
               "the build fails at once.")
                .arg(plan.site.name)));
    else if (!build->fakeroot)
        problems->push_back(warningIn({},
            tr("The build does not use --fakeroot; without it, only root can run the "
               "definition file's %post.")));
}

/// What happens to MPI where enroot lacks its hook; empty: the runtime is not based on enroot.
QString mpiHookProblem(const Site& site)
{
    if (site.runtime == RuntimeKind::Enroot)
        return tr("According to its login node, enroot on %1 has no hook for MPI "
                  "(50-slurm-pmi.sh): each rank would compute alone, so the job ends on a node "
                  "without the hook.")
            .arg(site.name);
    if (site.runtime == RuntimeKind::Pyxis)
        return tr("According to its login node, %1 has no enroot hook for MPI "
                  "(50-slurm-pmi.sh): MPI over PMIx may not start in its containers.")
            .arg(site.name);
    return {};
}

/// enroot closes every file descriptor before the command starts, including that of PMI2: no hook
/// can help.
Problem pmi2Problem(const Plan& plan)
{
    const QString key = QStringLiteral("runtime"), other = runtimeName(RuntimeKind::Pyxis);
    const std::vector<RuntimeKind> here = offeredRuntimes(plan.recipe, plan.site);
    const bool offered = std::find(here.begin(), here.end(), RuntimeKind::Pyxis) != here.end();
    return warningIn(key,
        tr("enroot closes the socket through which --mpi=pmi2 connects the ranks: "
           "each rank would compute alone, so the job ends at this step. Pyxis keeps it open."),
        offered ? tr("Use pyxis") : tr("Choose a site with pyxis or Apptainer"),
        offered ? std::optional(other) : std::nullopt);
}

void lintMpi(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const int tasks = plan.job.nodes * plan.job.tasksPerNode;
    for (const RecipeStep& step : plan.recipe.steps) {
        const bool together =
            step.kind == Kind::Exec && step.start == RecipeStep::Start::Tasks && tasks > 1;
        const QString mpi = stepMpi(plan, step);
        if (together && cluster && plan.site.launcher == LauncherKind::Srun && !mpi.isEmpty()
            && !cluster->mpiPlugins.isEmpty() && !cluster->mpiPlugins.contains(mpi)) {
            problems->push_back(errorIn({},
                tr("srun here has no MPI plugin “%1”; available: %2.")
                    .arg(mpi, cluster->mpiPlugins.join(u", ")),
                step.mpi.isEmpty()
                    ? tr("Set mpi in the file of the site to one of them, or remove it there")
                    : tr("Set mpi in the recipe's step to one of them")));
            return;
        }
        const std::optional<PlanImage> image = stepImage(plan, step);
        const bool byPmi2 = mpi == u"pmi2" && plan.site.launcher == LauncherKind::Srun;
        if (together && step.ranks && image && byPmi2 && plan.site.runtime == RuntimeKind::Enroot) {
            problems->push_back(pmi2Problem(plan));
            return;
        }
        if (together && step.ranks && image && plan.site.enrootMpiHook == false) {
            if (const QString text = mpiHookProblem(plan.site); !text.isEmpty()) {
                problems->push_back(warningIn(QStringLiteral("runtime"), text,
                    tr("Copy 50-slurm-pmi.sh from /usr/share/enroot/hooks.d to "
                       "~/.config/enroot/hooks.d there")));
                return;
            }
        }
        if (together && image && image->reference
            && image->reference->text().contains(u"impi", Qt::CaseInsensitive) && !step.runScript) {
            problems->push_back(warningIn(image->key,
                tr("Images of Intel MPI set up MPI in their run script, which this step bypasses "
                   "(exec): the ranks would not find each other.")));
            return;
        }
    }
}

/// The limits of the partition: tasks per GPU, nodes per job, and whether it is for interactive
/// work or for batch jobs.
void lintPartitionRules(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const SitePartition partition =
        partitionFacts(plan.job.partition, plan.site, cluster).partition;
    const int cpus = plan.job.cpusPerTask * plan.job.tasksPerNode;
    if (partition.cpusPerGpu > 0 && plan.job.gpus > 0
        && cpus > partition.cpusPerGpu * plan.job.gpus) {
        const QString most = QString::number(
            std::max(1, partition.cpusPerGpu * plan.job.gpus / plan.job.tasksPerNode));
        problems->push_back(errorIn(QStringLiteral("cpus"),
            tr("%1 allows at most %2 CPUs per GPU; more is refused as “Requested node "
               "configuration is not available”.")
                .arg(partition.name)
                .arg(partition.cpusPerGpu),
            tr("Use %1").arg(most), most));
    }
    if (partition.mostNodes > 0 && plan.job.nodes > partition.mostNodes)
        problems->push_back(errorIn(QStringLiteral("nodes"),
            tr("A job in %1 gets at most %2 nodes.").arg(partition.name).arg(partition.mostNodes),
            tr("Use %1").arg(partition.mostNodes), QString::number(partition.mostNodes)));
    const bool batch = plan.spec.mode == LaunchMode::Batch;
    const PartitionPurpose other = batch ? PartitionPurpose::Interactive : PartitionPurpose::Batch;
    if (partition.purpose != other)
        return;
    const auto better = std::find_if(
        plan.site.partitions.begin(), plan.site.partitions.end(), [&](const SitePartition& one) {
            return one.purpose != other && (one.gpusPerNode > 0) == (partition.gpusPerNode > 0);
        });
    const bool found = better != plan.site.partitions.end();
    problems->push_back(warningIn(QStringLiteral("partition"),
        batch ? tr("%1 is meant for interactive work.").arg(partition.name)
              : tr("%1 is meant for batch jobs.").arg(partition.name),
        found ? tr("Use %1").arg(better->name) : QString(),
        found ? std::optional(better->name) : std::nullopt));
}

} // namespace

void lintSite(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    lintRuntime(plan, problems);
    lintBuilds(plan, problems);
    lintMpi(plan, cluster, problems);
    lintPartitionRules(plan, cluster, problems);
}

} // namespace slipway
