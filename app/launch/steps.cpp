// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/steps.h"

#include "app/launch/fields.h"
#include "app/launch/names.h"
#include "app/launch/placeholders.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

/// The words before a command that start it in the job: "srun --cpus-per-task=16", "ibrun -n 8". One
/// process needs no ibrun or mpirun: the script is on its node already.
QStringList launcherWords(const Plan& plan)
{
    const int tasks = plan.job.nodes * plan.job.tasksPerNode;
    const bool pyxis = plan.site.runtime == RuntimeKind::Pyxis; // images are options of srun there
    if (plan.site.launcher == LauncherKind::Srun || pyxis) {
        QStringList words{QStringLiteral("srun")};
        if (tasks > 1 && !plan.site.mpi.isEmpty())
            words << QStringLiteral("--mpi=") + plan.site.mpi;
        // Since Slurm 22.05 srun no longer takes the job's CPUs per task by itself.
        if (plan.job.cpusPerTask > 1)
            words << QStringLiteral("--cpus-per-task=%1").arg(plan.job.cpusPerTask);
        return words;
    }
    if (tasks == 1)
        return {};
    const QString program = plan.site.launcher == LauncherKind::Ibrun ? QStringLiteral("ibrun") : QStringLiteral("mpirun");
    return {program, QStringLiteral("-n"), QString::number(tasks)};
}

/// A command as the person wrote it: plain words stay as they are, anything else is one script for sh.
QString commandWord(const QString& command)
{
    static const QRegularExpression plain(QStringLiteral(R"(\A[A-Za-z0-9_./][A-Za-z0-9_@%+=:,./ -]*\z)"));
    const QString text = command.trimmed();
    static const QRegularExpression assignment(QStringLiteral(R"(\A[^ ]*=)"));
    if (plain.match(text).hasMatch() && !assignment.match(text).hasMatch())
        return text;
    return QStringLiteral("sh -c ") + QString::fromUtf8(shellQuoted(text));
}

/// What {name} stands for in a step: the fields, then the lane's own words.
struct StepValues {
    QMap<QString, QString> values;
    QMap<QString, QString> raw;
};

StepValues stepValues(const Plan& plan, const Lane* lane)
{
    StepValues result;
    result.values = plan.values;
    for (const Parameter& parameter : plan.recipe.parameters) {
        if (parameter.type == Parameter::Type::Command)
            result.raw.insert(parameter.key, commandWord(plan.values.value(parameter.key)));
        if (parameter.type == Parameter::Type::IntegerList || parameter.type == Parameter::Type::Lanes)
            result.values.insert(parameter.key, listItems(plan.values.value(parameter.key)).join(u','));
    }
    if (!lane)
        return result;
    result.values.insert(QStringLiteral("lane"), lane->id);
    result.values.insert(QStringLiteral("lane_label"), lane->label);
    for (auto it = lane->values.begin(); it != lane->values.end(); ++it) {
        // "all" threads are the job's CPUs; 0 tells the program to count them itself.
        const bool all = it.key() == u"threads" && it.value() == u"all";
        const QString cpus = plan.values.value(QStringLiteral("cpus"));
        result.values.insert(it.key(), all ? (cpus.isEmpty() ? QStringLiteral("0") : cpus) : it.value());
    }
    return result;
}

QStringList filledWords(const QString& line, const StepValues& values)
{
    QStringList words;
    for (const QString& word : commandWords(line)) {
        const QString filled = fillPlaceholders(word, values.values, values.raw);
        // A person's command is several words, and may break at any of them.
        words << (values.raw.isEmpty() ? QStringList{filled} : commandWords(filled));
    }
    return words;
}

/// "srun apptainer exec --nv "$image" \" and, below it, what runs inside.
QString containerLine(const Plan& plan, const RecipeStep& step, const QStringList& words, bool nv)
{
    ContainerCommand command;
    command.image = QStringLiteral("\"$image\"");
    command.nv = nv && step.nv;
    if (plan.site.runtime == RuntimeKind::Enroot || plan.site.runtime == RuntimeKind::Pyxis) {
        // These two start elsewhere, with nothing of the node's folders but what is said here.
        command.binds = {{QStringLiteral("$PWD"), {}, false}};
        command.workDir = QStringLiteral("$PWD");
    }
    QStringList before = launcherWords(plan);
    before += commandWords(containerExec(plan.site.runtime, command));
    if (plan.site.runtime == RuntimeKind::Enroot) // it has no option for the folder to work in
        before << QStringLiteral("env --chdir=\"$PWD\"");
    return wrapWords(before) + QStringLiteral(" \\\n    ") + wrapWords(words);
}

QByteArray stepBody(const Plan& plan, const RecipeStep& step, const Lane* lane, bool gpu)
{
    const StepValues values = stepValues(plan, lane);
    const bool nv = gpu && (!lane || lane->needsGpu);
    const bool inContainer = step.kind == RecipeStep::Kind::Exec && planImage(plan).has_value();
    QStringList lines;
    for (const QString& line : step.command.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList words = filledWords(line, values);
        if (inContainer)
            lines << containerLine(plan, step, words, nv);
        else if (step.kind == RecipeStep::Kind::Exec)
            lines << wrapWords(launcherWords(plan) + words);
        else
            lines << wrapWords(words);
    }
    return lines.join(u'\n').toUtf8() + '\n';
}

/// The pull as one program with its arguments: what pull_once can start. It has removed an old .part
/// itself, and variables before a program are env's to set.
QStringList pullWords(const Plan& plan, const ImageReference& image, bool plainHttp)
{
    const QString pull = containerPull(plan.site.runtime, image, QStringLiteral("\"$image.part\""), plainHttp);
    QStringList words = commandWords(pull);
    words = words.mid(words.lastIndexOf(QStringLiteral("&&")) + 1);
    if (words.value(0).contains(u'='))
        words.prepend(QStringLiteral("env"));
    return words;
}

PlanStep imageStep(const Plan& plan, const ImageReference& image)
{
    PlanStep step;
    step.id = step.stage = QStringLiteral("image");
    if (image.isFile()) {
        step.title = QStringLiteral("Look at the image");
        step.comment = QStringList{QStringLiteral("The image is a file on this cluster.")};
        step.body = "ls -lh \"$image\"\n";
        return step;
    }
    step.title = QStringLiteral("Pull the image");
    step.comment = QStringList{QStringLiteral("The image is pulled once and kept for every later run: into a .part file under a"),
        QStringLiteral("lock, then renamed, so that two jobs do not meet. When it is there, this is instant.")};
    const bool plainHttp = plan.site.plainHttpRegistries.contains(image.registry) && !image.registry.isEmpty();
    step.body = "pull_once \"$image\" \\\n    " + wrapWords(pullWords(plan, image, plainHttp)).toUtf8() + '\n';
    return step;
}

PlanStep checkStep()
{
    PlanStep step;
    step.id = step.stage = QStringLiteral("check");
    step.title = QStringLiteral("Look at the GPU");
    step.comment = QStringList{QStringLiteral("The GPU and its driver, as this node sees them.")};
    step.body = "nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv\n";
    return step;
}

/// Why a GPU is found inside a container, for the first step that uses one.
QString nvComment(const Plan& plan)
{
    if (plan.site.runtime == RuntimeKind::Enroot || plan.site.runtime == RuntimeKind::Pyxis)
        return QStringLiteral("A hook of enroot brings the node's NVIDIA driver into the container; no flag is needed.");
    return QStringLiteral("--nv binds the node's NVIDIA driver into the container; without it no GPU is found in there.");
}

/// Puts the comment above the first step that starts a container with the driver.
void explainNv(const Plan& plan, std::vector<PlanStep>* steps)
{
    if (!planImage(plan))
        return;
    const std::vector<Lane> lanes = chosenLanes(plan);
    for (PlanStep& step : *steps) {
        const bool lane = step.laneId.isEmpty()
            || std::any_of(lanes.begin(), lanes.end(), [&](const Lane& one) { return one.id == step.laneId && one.needsGpu; });
        const bool nv = std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(), [&](const RecipeStep& one) {
            return one.nv && one.kind == RecipeStep::Kind::Exec && (step.id == one.id || step.id.startsWith(one.id + u'-'));
        });
        if (step.stage == u"running" && lane && nv) {
            step.comment << nvComment(plan);
            return;
        }
    }
}

} // namespace

std::vector<PlanStep> planSteps(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    std::vector<PlanStep> steps;
    if (const std::optional<ImageReference> image = planImage(plan))
        steps.push_back(imageStep(plan, *image));
    const bool gpu = jobHasGpu(plan, cluster);
    if (gpu && plan.site.gpusAreReal.value_or(true))
        steps.push_back(checkStep());
    const std::vector<Lane> lanes = chosenLanes(plan);
    for (const RecipeStep& step : plan.recipe.steps) {
        PlanStep planned;
        planned.stage = QStringLiteral("running");
        if (!step.perLane) {
            planned.id = step.id;
            planned.title = step.title;
            planned.comment = step.comment;
            planned.body = stepBody(plan, step, nullptr, gpu);
            steps.push_back(planned);
            continue;
        }
        for (const Lane& lane : lanes) {
            planned.id = step.id + u'-' + lane.id;
            planned.title = lane.label;
            planned.laneId = lane.id;
            planned.comment = &lane == &lanes.front() ? step.comment : QStringList();
            planned.body = stepBody(plan, step, &lane, gpu);
            steps.push_back(planned);
        }
    }
    if (gpu)
        explainNv(plan, &steps);
    return steps;
}

std::optional<Parameter> fieldOfType(const Plan& plan, Parameter::Type type)
{
    const auto it = std::find_if(plan.recipe.parameters.begin(), plan.recipe.parameters.end(),
        [type](const Parameter& parameter) { return parameter.type == type; });
    if (it == plan.recipe.parameters.end())
        return {};
    Parameter field = *it;
    field.value = plan.values.value(field.key);
    return field;
}

std::optional<ImageReference> planImage(const Plan& plan)
{
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Image);
    if (!field || field->value.trimmed().isEmpty())
        return {};
    const Result<ImageReference> image = ImageReference::parse(field->value.trimmed());
    if (!image.ok())
        return {};
    return *image;
}

QString imageFileWord(const Plan& plan, const ImageReference& image)
{
    if (image.isFile()) {
        const QString path = image.path.startsWith(u"~/") ? u"$HOME" + image.path.mid(1) : image.path;
        return isPathExpression(path) ? u'"' + path + u'"' : shellWord(path);
    }
    const QString scratch = plan.site.scratch.isEmpty() ? QStringLiteral("$HOME") : plan.site.scratch;
    // The registry and the repository's owner are folders: names alone would meet ("a/pytorch:1", "b/pytorch:1").
    QString folder = image.registry.isEmpty() ? QStringLiteral("docker.io") : image.registry;
    folder.replace(u':', u'_');
    const qsizetype slash = image.repository.lastIndexOf(u'/');
    if (slash > 0)
        folder += u'/' + image.repository.left(slash);
    const QString path = scratch + QStringLiteral("/slipway/images/") + folder + u'/'
        + imageFileName(plan.site.runtime, image);
    return isPathExpression(path) ? u'"' + path + u'"' : shellWord(path);
}

bool jobHasGpu(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    if (plan.site.gpuRequest == GpuRequestStyle::WholeNode)
        return partitionFacts(plan.job.partition, plan.site, cluster).partition.gpusPerNode > 0;
    return plan.job.gpus > 0;
}

std::vector<Lane> chosenLanes(const Plan& plan)
{
    std::vector<Lane> lanes;
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Lanes);
    const QStringList chosen = field ? listItems(field->value) : QStringList();
    for (const Lane& lane : plan.recipe.lanes) {
        if (chosen.contains(lane.id))
            lanes.push_back(lane);
    }
    return lanes;
}

} // namespace slipway
