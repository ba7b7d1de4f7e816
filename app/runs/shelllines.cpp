// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/shelllines.h"

#include "app/catalogue/names.h"
#include "app/plan/plan.h"
#include "app/plan/planfacts.h"
#include "app/plan/stepbody.h"
#include "remote/slurm/values.h"

#include <QRegularExpression>

namespace slipway {

namespace {

constexpr int firstOverlapRelease =
    2011; // srun --overlap; in older versions steps overlap by default
const QString jobPlaceholder = QStringLiteral("{job}");

/// The step whose container the shell opens: the first one, or the first that sees the GPUs.
const RecipeStep* shellStep(const Plan& plan, bool gpu)
{
    const RecipeStep* first = nullptr;
    for (const RecipeStep& step : plan.recipe.steps) {
        if (step.kind != RecipeStep::Kind::Exec)
            continue;
        if (gpu && step.nv)
            return &step;
        if (!first)
            first = &step;
    }
    return first;
}

/// "srun --jobid={job} --overlap": a step in parallel to those of the run, one process on the first
/// node.
QString srunText(const Plan& plan)
{
    QString text = QStringLiteral("srun --jobid=") + jobPlaceholder;
    const int release = slurmRelease(plan.slurmVersion);
    if (release == 0 || release >= firstOverlapRelease)
        text += QStringLiteral(" --overlap");
    if (plan.job.nodes * plan.job.tasksPerNode > 1)
        text += QStringLiteral(" -N1 -n1");
    return text;
}

QString containerText(const Plan& plan)
{
    const bool gpu = jobHasGpu(plan, {});
    const RecipeStep* step = shellStep(plan, gpu);
    const QString words = step ? containerShellText(plan, *step, gpu) : QString();
    if (words.isEmpty())
        return {};
    if (plan.site.runtime == RuntimeKind::Pyxis)
        return srunText(plan) + u' ' + words;
    // Modules are loaded on the node, as login nodes may not have them; and the job's GPUs, which
    // are passed to enroot by name, are known only there.
    const bool onNode = !plan.modules.isEmpty() || plan.site.runtime == RuntimeKind::Enroot;
    QString line = words;
    if (!plan.modules.isEmpty())
        line.prepend(QStringLiteral("module load %1 && ").arg(plan.modules.join(u' ')));
    return srunText(plan) + QStringLiteral(" --pty ")
        + (onNode ? QStringLiteral("bash -lc ") + shellWord(line) : line);
}

/// One word for a shell: in double quotes where these are easier to read than escaped single
/// quotes.
QString quotedLine(const QString& line)
{
    static const QRegularExpression special(QStringLiteral(R"(["\\$`!])"));
    return line.contains(u'\'') && !line.contains(special) ? u'"' + line + u'"' : shellWord(line);
}

} // namespace

QJsonObject shellToJson(const Plan& plan)
{
    return {{QStringLiteral("node"), QString(srunText(plan) + QStringLiteral(" --pty bash -l"))},
        {QStringLiteral("container"), containerText(plan)}};
}

ShellLines shellLines(const Run& run, const ConnectTarget& target, const QJsonObject& kept,
    const std::vector<StepCommand>& steps)
{
    if (run.phase != RunPhase::Allocated || !run.job.isValid())
        return {};
    const auto line = [&](const QString& text) {
        if (text.isEmpty())
            return text;
        const QString command = QString(text).replace(jobPlaceholder, run.job.text);
        return run.folder.isEmpty() ? command : u"cd " + shellWord(run.folder) + u" && " + command;
    };
    ShellLines lines;
    // The number of nodes and tasks is unknown for a run that was found on the cluster.
    lines.onLogin = line(kept.value(u"node").toString(
        QStringLiteral("srun --jobid=%1 --overlap -N1 -n1 --pty bash -l").arg(jobPlaceholder)));
    lines.inContainer = line(kept.value(u"container").toString());
    QStringList commands;
    for (const StepCommand& step : steps)
        commands << stepCommand(run.job.text, step);
    lines.steps = line(commands.join(QStringLiteral(" && ")));
    // ssh runs a command without a login shell, and only a login shell may have srun on its PATH.
    if (!target.host.isEmpty())
        lines.fromHere = sshCommand(target, {QStringLiteral("-t")}) + u' '
            + quotedLine(u"bash -lc " + quotedLine(lines.onLogin));
    return lines;
}

} // namespace slipway
