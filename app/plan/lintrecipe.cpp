// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/lint.h"
#include "app/plan/planfacts.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

using Problems = std::vector<Problem>;

/// Whether a step is made of the field: one that is left out while the field is empty is not.
bool isUsed(const Plan& plan, const QString& key)
{
    return std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(),
        [&key](const RecipeStep& step) { return step.command.contains(u'{' + key + u'}'); });
}

void lintCommand(const Plan& plan, Problems* problems)
{
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Command);
    if (field && isUsed(plan, field->key) && field->value.trimmed().isEmpty() && !field->required)
        problems->push_back(errorIn(field->key, tr("There is no command to run.")));
}

/// A person's own program needs the folder that it is in.
void lintFolder(const Plan& plan, Problems* problems)
{
    if (!plan.recipe.ownFolder || !plan.spec.project.isEmpty())
        return;
    const bool builds = std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(),
        [](const RecipeStep& step) { return step.kind == RecipeStep::Kind::Build; });
    if (builds)
        problems->push_back(errorIn({}, tr("No folder was chosen, so there is nothing to build."),
            tr("Choose the folder of your definition file. From a terminal: slipway-cli image "
               "build FILE.def --site %1")
                .arg(plan.site.id)));
    else
        problems->push_back(errorIn({}, tr("No folder was chosen, so there is nothing to run."),
            tr("Choose the folder of your program. From a terminal: slipway-cli run ./train.py "
               "--site %1")
                .arg(plan.site.id)));
}

void lintThreads(const Plan& plan, Problems* problems)
{
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Lanes);
    const int cpus = plan.values.value(QStringLiteral("cpus")).toInt();
    for (const Lane& lane : chosenLanes(plan)) {
        const int threads = lane.values.value(QStringLiteral("threads")).toInt();
        if (cpus > 0 && threads > cpus)
            problems->push_back(warningIn(field->key,
                tr("“%1” starts %2 threads on %3 CPUs: they would share the CPUs and run slower.")
                    .arg(lane.label)
                    .arg(threads)
                    .arg(cpus)));
    }
    const QString threads = plan.values.value(QStringLiteral("threads"));
    if (cpus > 0 && threads.toInt() > cpus)
        problems->push_back(warningIn(QStringLiteral("threads"),
            tr("%1 threads on %2 CPUs would share the CPUs and run slower.").arg(threads).arg(cpus),
            tr("Use %1").arg(cpus), QString::number(cpus)));
}

/// Whether each item of a field fits into the job's memory, by the recipe's own rule.
void lintSizes(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    qint64 memory =
        partitionFacts(plan.job.partition, plan.site, cluster).partition.memoryPerNode.mebibytes();
    if (plan.job.memory)
        memory = plan.job.memory->mebibytes();
    for (const Parameter& field : plan.fields) {
        if (field.bytesEach <= 0 || memory <= 0 || !valueProblem(field, field.value).isEmpty())
            continue;
        QStringList fitting;
        double largest = 0;
        for (const QString& item : listItems(field.value)) {
            const double bytes = field.bytesEach * std::pow(item.toDouble(), field.power);
            if (bytes <= double(memory) * 1024 * 1024)
                fitting << item;
            largest = std::max(largest, bytes);
        }
        if (fitting.size() == listItems(field.value).size())
            continue;
        const QString needs =
            largest < 1e18 ? ByteCount(qint64(largest)).text() : tr("more than any node has");
        problems->push_back(errorIn(field.key,
            tr("The largest of %1 needs %2 of memory; the job has %3.")
                .arg(field.value.left(80), needs, MemorySize(memory).slurmText()),
            fitting.isEmpty() ? QString() : tr("Use %1").arg(fitting.join(u',')),
            fitting.isEmpty() ? std::nullopt : std::optional(fitting.join(u','))));
    }
}

void lintEdited(const Plan& plan, Problems* problems)
{
    const QByteArray& script = plan.spec.editedScript;
    if (script.isEmpty())
        return;
    if (plan.spec.mode == LaunchMode::Interactive)
        problems->push_back(warningIn({},
            tr("The edited script is for a batch job; an interactive run takes its "
               "steps from the form.")));
    if (!script.startsWith("#!"))
        problems->push_back(
            errorIn({}, tr("The script does not begin with #!, and sbatch refuses it."),
                tr("Begin it with #!/bin/bash -l")));
    if (script.contains("\r\n"))
        problems->push_back(
            errorIn({}, tr("The script has Windows line endings, and sbatch refuses it."),
                tr("Save it with UNIX line endings")));
    if (!script.contains("slipway.sh") && !script.contains("exit.json"))
        problems->push_back(warningIn({},
            tr("The script no longer records how it ended (slipway.sh is not sourced): the result "
               "will be known from Slurm only, and the timeline stays empty.")));
    static const QRegularExpression output(
        QStringLiteral(R"(^#SBATCH\s+(--output[=\s]|-o\s?))"), QRegularExpression::MultilineOption);
    if (!output.match(QString::fromUtf8(script)).hasMatch())
        problems->push_back(warningIn({},
            tr("The script has no #SBATCH --output line: the log will not be found "
               "while the job runs."),
            QStringLiteral("Add #SBATCH --output=slurm-%j.out")));
}

} // namespace

void lintRecipe(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    lintFolder(plan, problems);
    lintCommand(plan, problems);
    lintThreads(plan, problems);
    lintSizes(plan, cluster, problems);
    lintEdited(plan, problems);
}

} // namespace slipway
