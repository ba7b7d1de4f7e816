// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/lint.h"
#include "app/plan/planfacts.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

using Problems = std::vector<Problem>;

/// Whether the command is a job step of srun: everywhere with that launcher, but for a command that
/// runs once in a job of several tasks, which has no launcher.
bool isJobStep(const Plan& plan, const QString& key)
{
    const bool alone = plan.job.nodes * plan.job.tasksPerNode == 1;
    return plan.site.launcher == LauncherKind::Srun
        && std::any_of(
            plan.recipe.steps.begin(), plan.recipe.steps.end(), [&](const RecipeStep& step) {
                return step.command.contains(u'{' + key + u'}')
                    && (alone || step.start != RecipeStep::Start::Once);
            });
}

/// An srun in a command that is a job step itself, on the node and not in an image: the inner step
/// waits for what the outer one holds. With --overlap it does not, but before Slurm 22.05 only if
/// both have it: so that is no value to fix it with.
bool lintInnerSteps(
    const Plan& plan, const QString& key, const QString& command, Problems* problems)
{
    static const QRegularExpression step(QStringLiteral(
        R"((?:\A|[;&|({\n])\s*(?:exec\s+|\w+=\S*\s+)*srun\b(?![^;&|\n]*--overlap\b))"));
    if (!step.match(command).hasMatch() || planImage(plan) || !isJobStep(plan, key))
        return false;
    problems->push_back(warningIn(key,
        tr("The command contains srun, and Slipway starts it with srun already: the inner one "
           "waits for the CPUs that the command itself holds, until the time limit."),
        tr("Leave srun out, or write srun --overlap, which does not wait from Slurm 22.05 on")));
    return true;
}

/// The field holds a command inside the container, started by the site's launcher. Tutorials print
/// the whole line, which would start a container in a container here.
void lintWrapping(const QString& key, const QString& command, Problems* problems)
{
    static const QRegularExpression wrapping(QStringLiteral(
        R"(\A\s*(apptainer|singularity|enroot|docker|srun|sbatch|salloc|ibrun|idev)\b)"));
    const auto match = wrapping.match(command);
    if (!match.hasMatch())
        return;
    const QString word = match.captured(1);
    problems->push_back(warningIn(key,
        tr("Leave out “%1”: Slipway starts the command through the site's launcher and inside the "
           "image. Enter only what follows the image name.")
            .arg(word)));
    // `apptainer exec IMAGE CMD --nv` passes --nv to the program.
    static const QRegularExpression late(
        QStringLiteral(R"((?:exec|run|shell)\s+(?:-\S+\s+)*[^-\s]\S*\s.*--nv\b)"));
    if (late.match(command).hasMatch())
        problems->push_back(warningIn(key,
            tr("--nv after the image name is passed to the program, not to the container runtime; "
               "it belongs right after exec, run or shell.")));
}

void lintProcesses(const Plan& plan, const QString& key, const QString& command, Problems* problems)
{
    static const QRegularExpression each(QStringLiteral(R"(--nproc[-_]per[-_]node[ =](\d+))"));
    const auto match = each.match(command);
    const int processes = match.captured(1).toInt();
    if (match.hasMatch() && plan.job.gpus > 0 && processes != plan.job.gpus)
        problems->push_back(warningIn(key,
            tr("The command starts %1 processes per node, and the job requests %2 GPUs: use one "
               "process per GPU.")
                .arg(processes)
                .arg(plan.job.gpus),
            tr("Make the two numbers equal")));
    static const QRegularExpression port(
        QStringLiteral(R"((MASTER_PORT=|--master[-_]port[ =])\d{2,5}\b)"));
    if (port.match(command).hasMatch())
        problems->push_back(warningIn(key,
            tr("The port number is fixed: two jobs on one node would collide (EADDRINUSE)."),
            tr("Derive it from the job ID: $((10000 + SLURM_JOB_ID % 10000))")));
    static const QRegularExpression mpirun(QStringLiteral(R"(\A\s*(mpirun|mpiexec)\b)"));
    if (mpirun.match(command).hasMatch() && plan.job.nodes > 1)
        problems->push_back(warningIn(key,
            tr("mpirun inside one container reaches only this node; the other %1 would be idle.")
                .arg(plan.job.nodes - 1),
            tr("Leave mpirun out, so that the site's launcher starts one container per task")));
}

void lintPip(const Plan& plan, const QString& key, const QString& command, Problems* problems)
{
    static const QRegularExpression install(
        QStringLiteral(R"(\bpip3?\s+install\b(?![^;&|]*(?:\s-c\s|--constraint))[^;&|]*\btorch)"));
    const std::optional<ImageReference> image = planImage(plan);
    if (install.match(command).hasMatch() && image && image->registry == u"nvcr.io")
        problems->push_back(
            warningIn(key, tr("pip would replace the PyTorch that NVIDIA built for this image."),
                tr("Pin the installed version with a constraints file: pip install -c FILE")));
}

/// The operand of a rule: a field, or a number. The CPUs are those of all tasks of a node.
std::optional<qint64> ruleNumber(const Plan& plan, const QString& name)
{
    bool number = false;
    const qint64 value = plan.values.value(name, name).trimmed().toLongLong(&number);
    if (!number)
        return {};
    return name == u"cpus" ? value * plan.job.tasksPerNode : value;
}

void lintAtMost(const Plan& plan, const RecipeRule& rule, qint64 value, Problems* problems)
{
    const std::optional<qint64> most = ruleNumber(plan, rule.atMost);
    const qint64 times =
        rule.times.isEmpty() ? 1 : std::max<qint64>(1, ruleNumber(plan, rule.times).value_or(1));
    if (!most || *most <= 0 || value * times <= *most)
        return;
    const QString fits = QString::number(std::max<qint64>(1, *most / times));
    problems->push_back(warningIn(rule.field, rule.why, tr("Use %1").arg(fits), fits));
}

/// Data-loading workers that a command starts, compared with the CPUs of the job: `-j 16` with six
/// CPUs.
void lintReaders(const Plan& plan, const QString& key, const QString& command, Problems* problems)
{
    static const QRegularExpression readers(
        QStringLiteral(R"(\s(?:-j[ =]?|--(?:num[-_])?workers[ =])(\d{1,4})\b)"));
    static const QRegularExpression each(QStringLiteral(R"(--nproc[-_]per[-_]node[ =](\d{1,4}))"));
    static const QRegularExpression build(QStringLiteral(R"(\b(?:make|ninja|cmake)\b)"));
    const auto match = readers.match(command);
    const int cpus = plan.values.value(QStringLiteral("cpus")).toInt() * plan.job.tasksPerNode;
    if (!match.hasMatch() || cpus <= 0 || build.match(command).hasMatch())
        return;
    const auto processes = each.match(command);
    const int all = match.captured(1).toInt()
        * (processes.hasMatch() ? std::max(1, processes.captured(1).toInt()) : 1);
    if (all > cpus)
        problems->push_back(warningIn(key,
            tr("The command starts %1 data-loading workers on %2 CPUs: they would share the CPUs, "
               "and the GPUs would wait for data.")
                .arg(all)
                .arg(cpus),
            tr("Request as many CPUs, or start fewer workers")));
}

/// The recipe's own rules between fields.
void lintRules(const Plan& plan, Problems* problems)
{
    for (const RecipeRule& rule : plan.recipe.rules) {
        const QString text = plan.values.value(rule.field).trimmed();
        bool number = false;
        const qint64 value = text.toLongLong(&number);
        if (!number)
            continue;
        if (!rule.equals.isEmpty()) {
            const QString other = plan.values.value(rule.equals, rule.equals).trimmed();
            // A site that allocates whole nodes has no field for GPUs: nothing to compare with.
            if (!other.isEmpty() && other.toLongLong(&number) != value && number && other != u"0")
                problems->push_back(
                    warningIn(rule.field, rule.why, tr("Use %1").arg(other), other));
        }
        if (!rule.atMost.isEmpty())
            lintAtMost(plan, rule, value, problems);
        if (rule.multipleOf > 1 && value % rule.multipleOf != 0) {
            const QString next = QString::number((value / rule.multipleOf + 1) * rule.multipleOf);
            problems->push_back(warningIn(rule.field, rule.why, tr("Use %1").arg(next), next));
        }
    }
}

} // namespace

void lintCommands(const Plan& plan, Problems* problems)
{
    lintRules(plan, problems);
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Command);
    if (!field)
        return;
    if (!lintInnerSteps(plan, field->key, field->value, problems))
        lintWrapping(field->key, field->value, problems);
    lintProcesses(plan, field->key, field->value, problems);
    lintReaders(plan, field->key, field->value, problems);
    lintPip(plan, field->key, field->value, problems);
}

} // namespace slipway
