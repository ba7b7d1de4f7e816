// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/stepbody.h"

#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "app/plan/longwork.h"
#include "app/plan/plansecrets.h"
#include "app/plan/stepimages.h"
#include "remote/base/shellquoting.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

using Kind = RecipeStep::Kind;
using Start = RecipeStep::Start;

/// A command as the user wrote it: plain words stay unchanged, anything else is one script for sh.
QString commandWord(const QString& command)
{
    static const QRegularExpression plain(
        QStringLiteral(R"(\A[A-Za-z0-9_./][A-Za-z0-9_@%+=:,./ -]*\z)"));
    const QString text = command.trimmed();
    static const QRegularExpression assignment(QStringLiteral(R"(\A[^ ]*=)"));
    if (plain.match(text).hasMatch() && !assignment.match(text).hasMatch())
        return text;
    return QStringLiteral("sh -c ") + QString::fromUtf8(shellQuoted(text));
}

/// The values of placeholders in a step: the fields, then those of the lane, then those of the
/// sweep.
struct StepValues {
    QMap<QString, QString> values;
    QMap<QString, QString> raw;
};

void insertLane(const Plan& plan, const Lane& lane, StepValues* result)
{
    result->values.insert(QStringLiteral("lane"), lane.id);
    result->values.insert(QStringLiteral("lane_label"), lane.label);
    for (auto it = lane.values.begin(); it != lane.values.end(); ++it) {
        // "all" threads are the job's CPUs; 0 tells the program to count them itself.
        const bool all = it.key() == u"threads" && it.value() == u"all";
        const QString cpus = plan.values.value(QStringLiteral("cpus"));
        result->values.insert(
            it.key(), all ? (cpus.isEmpty() ? QStringLiteral("0") : cpus) : it.value());
    }
}

StepValues stepValues(const Plan& plan, const StepTurn& turn)
{
    StepValues result;
    result.values = plan.values;
    for (const Parameter& parameter : plan.recipe.parameters) {
        if (parameter.type == Parameter::Type::Command)
            result.raw.insert(parameter.key, commandWord(plan.values.value(parameter.key)));
        if (parameter.type == Parameter::Type::IntegerList
            || parameter.type == Parameter::Type::Lanes)
            result.values.insert(
                parameter.key, listItems(plan.values.value(parameter.key)).join(u','));
        // A path may begin with a variable, which the shell on the cluster expands.
        const QString value = plan.values.value(parameter.key);
        if (parameter.type == Parameter::Type::Path && isPathExpression(value))
            result.raw.insert(parameter.key, u'"' + value + u'"');
    }
    if (turn.lane)
        insertLane(plan, *turn.lane, &result);
    if (!turn.each.isEmpty())
        result.values.insert(QStringLiteral("each"), turn.each);
    return result;
}

QStringList filledWords(const QString& line, const StepValues& values)
{
    QStringList words;
    for (const QString& word : commandWords(line)) {
        const QString filled = fillPlaceholders(word, values.values, values.raw);
        // A user's command has several words, and may break at any of them.
        words << (values.raw.isEmpty() ? QStringList{filled} : commandWords(filled));
    }
    return words;
}

/// A plain text (a bind path) with its placeholders replaced unquoted.
QString filledText(QString text, const StepValues& values)
{
    for (const QString& name : placeholderNames(text))
        text.replace(u'{' + name + u'}', values.values.value(name));
    return text;
}

/// The options of srun: which of the job's tasks, and through which MPI plugin.
QStringList srunWords(const Plan& plan, const RecipeStep& step, const QString& count)
{
    QStringList words{QStringLiteral("srun")};
    const int tasks = plan.job.nodes * plan.job.tasksPerNode;
    const QString nodes = QString::number(plan.job.nodes);
    if (step.start == Start::Once && tasks > 1)
        words << QStringLiteral("-N") << QStringLiteral("1") << QStringLiteral("-n")
              << QStringLiteral("1");
    else if (step.start == Start::Nodes && plan.job.tasksPerNode > 1)
        words << QStringLiteral("-N") << nodes << QStringLiteral("-n") << nodes
              << QStringLiteral("--ntasks-per-node=1");
    else if (step.start == Start::Tasks && !count.isEmpty())
        words << QStringLiteral("-n") << count;
    const QString mpi = stepMpi(plan, step);
    const bool together =
        step.start == Start::Tasks && (tasks > 1 || !count.isEmpty() || !step.mpi.isEmpty());
    if (together && !mpi.isEmpty())
        words << QStringLiteral("--mpi=") + mpi;
    // Since Slurm 22.05 srun no longer inherits the job's CPUs per task.
    if (plan.job.cpusPerTask > 1)
        words << QStringLiteral("--cpus-per-task=%1").arg(plan.job.cpusPerTask);
    return words;
}

/// The words before a command that start it in the job: "srun --cpus-per-task=16", "ibrun -n 8".
/// One process needs no ibrun or mpirun: the script is on its node already.
QStringList launcherWords(const Plan& plan, const RecipeStep& step, const QString& count)
{
    const int tasks = plan.job.nodes * plan.job.tasksPerNode;
    const bool pyxis = plan.site.runtime == RuntimeKind::Pyxis
        && step.kind != Kind::Host; // images are options of srun there
    // ibrun and mpirun cannot start one process per node; srun can, and it is available wherever
    // Slurm is.
    const bool perNode = step.start == Start::Nodes && plan.job.nodes > 1;
    if (plan.site.launcher == LauncherKind::Srun || pyxis || perNode) {
        const bool here = step.start == Start::Once && !pyxis && tasks > 1;
        return here ? QStringList() : srunWords(plan, step, count);
    }
    if (step.start != Start::Tasks || (tasks == 1 && count.isEmpty()))
        return {};
    const QString program = plan.site.launcher == LauncherKind::Ibrun ? QStringLiteral("ibrun")
                                                                      : QStringLiteral("mpirun");
    return {program, QStringLiteral("-n"), count.isEmpty() ? QString::number(tasks) : count};
}

/// The folders that are only read. One of them may contain the run folder, which is bound again
/// after them: the program must be able to write there.
void addData(const Plan& plan, ContainerCommand* command)
{
    if (plan.data.empty())
        return;
    command->binds.insert(command->binds.end(), plan.data.begin(), plan.data.end());
    command->binds.push_back({QStringLiteral("$PWD"), {}, false});
}

/// The launcher of a step, and before it what passes the signal of the script on to a program that
/// is not a job step.
QStringList startingWords(const Plan& plan, const RecipeStep& step, const QString& count)
{
    const QStringList words = launcherWords(plan, step, count);
    const QString signal = scriptSignal(plan);
    if (signal.isEmpty() || step.start != Start::Tasks || words.value(0) == u"srun")
        return words;
    return QStringList{QStringLiteral("signalled"), signal} + words;
}

ContainerCommand containerCommand(const Plan& plan, const RecipeStep& step, const PlanImage& image,
    const StepValues& values, bool nv)
{
    ContainerCommand command;
    command.image = u"\"$" + image.variable + u'"';
    command.nv = nv && step.nv;
    command.contain = step.contain;
    command.useRunScript = step.runScript;
    command.fakeroot = step.fakeroot;
    command.workDir = filledText(step.workDir, values);
    if (!step.overlay.isEmpty())
        command.overlay = QStringLiteral("$overlays/") + step.overlay;
    command.binds = plan.binds;
    for (const Bind& bind : step.binds)
        command.binds.push_back(
            {filledText(bind.source, values), filledText(bind.destination, values), bind.readOnly});
    addData(plan, &command);
    if (usesPackages(plan)) // only the step that installs them writes there
        command.binds.push_back({QStringLiteral("$packages"), {}, step.kind != Kind::Packages});
    if (keepsCheckpoints(plan)) // the link in code/ leads there
        command.binds.push_back({QStringLiteral("$SLIPWAY_CHECKPOINTS"), {}, false});
    if (plan.site.runtime == RuntimeKind::Enroot)
        command.settings = QString::fromLatin1(enrootSettings);
    if (isEnrootLike(plan.site.runtime)) {
        // These two start in another folder and see only the node's folders that are bound here.
        const QString here = QStringLiteral("$PWD");
        const bool bound =
            std::any_of(command.binds.begin(), command.binds.end(), [&here](const Bind& bind) {
                const bool same = bind.destination.isEmpty() || bind.destination == here;
                return bind.source == here && same;
            });
        if (!bound)
            command.binds.push_back({here, {}, false});
        if (command.workDir.isEmpty())
            command.workDir = QStringLiteral("$PWD");
        command.environment << QStringLiteral("PYTHONUNBUFFERED");
        if (keepsCheckpoints(plan))
            command.environment << QStringLiteral("SLIPWAY_CHECKPOINTS");
        for (const RecipeVariable& variable : plan.recipe.environment)
            command.environment << variable.name;
        command.environment << plan.environment.keys() << step.environment.keys()
                            << secretNames(plan);
    }
    return command;
}

/// The words between the launcher and the command that runs inside.
QStringList containerWords(const Plan& plan, const RecipeStep& step, const PlanImage& image,
    const StepValues& values, bool nv)
{
    const ContainerCommand command = containerCommand(plan, step, image, values, nv);
    QStringList words = commandWords(containerExec(plan.site.runtime, command));
    if (plan.site.runtime == RuntimeKind::Enroot) // it has no option for the folder to work in
        words << QStringLiteral("env --chdir=\"%1\"").arg(command.workDir);
    return words;
}

QStringList variableWords(const RecipeStep& step)
{
    QStringList words;
    for (auto it = step.environment.begin(); it != step.environment.end(); ++it)
        words << it.key() + u"=\"" + it.value() + u'"';
    return words;
}

/// "srun apptainer exec --nv "$image" \" and, below it, what runs inside.
QString containerLine(const Plan& plan, const RecipeStep& step, const PlanImage& image,
    const StepValues& values, const QStringList& words, bool nv)
{
    const QStringList before = variableWords(step)
        + startingWords(plan, step, filledText(step.tasks, values))
        + containerWords(plan, step, image, values, nv);
    return wrapWords(before) + QStringLiteral(" \\\n    ") + wrapWords(words);
}

/// enroot hides from a container the connection that srun gives the ranks: for PMIx a hook passes
/// it on, for PMI2 nothing does.
QString mpiHookWords(const Plan& plan, const RecipeStep& step, const QString& count)
{
    const int tasks = count.isEmpty() ? plan.job.nodes * plan.job.tasksPerNode : count.toInt();
    const bool needed = plan.site.runtime == RuntimeKind::Enroot && step.ranks
        && step.start == Start::Tasks && tasks > 1;
    if (!needed)
        return {};
    const bool pmi2 = stepMpi(plan, step) == u"pmi2" && plan.site.launcher == LauncherKind::Srun;
    return pmi2 ? QStringLiteral("mpi_hook pmi2") : QStringLiteral("mpi_hook");
}

/// Which registries of the site use plain HTTP, for a definition file that only the job can read.
QStringList plainHttpWords(const Plan& plan, const RecipeStep& step, const QString& definition)
{
    if (!step.base.isEmpty() || plan.site.plainHttpRegistries.isEmpty())
        return {};
    QStringList words{QStringLiteral("plain_http"), definition};
    for (const QString& registry : plan.site.plainHttpRegistries)
        words << shellWord(registry);
    return words << QStringLiteral("--");
}

/// The image is built under a temporary name and renamed: a failed build leaves the previous image
/// unchanged, and two jobs that build the same image do so one after the other.
QByteArray buildBody(const Plan& plan, const RecipeStep& step)
{
    RecipeStep inside;
    inside.image = step.output;
    const QString variable = stepImage(plan, inside)->variable;
    const QString file = u"\"$" + variable + u"\"", part = u"\"$" + variable + u".part\"";
    const Result<ImageReference> base =
        ImageReference::parse(plan.values.value(step.base).trimmed());
    const bool plainHttp = base.ok() && speaksPlainHttp(plan.site, *base);
    const QString definition = shellWord(buildDefinition(plan, step));
    QString build = containerBuild(plan.site.runtime, definition, part, step.fakeroot, plainHttp);
    if (build.isEmpty())
        return "echo "
            + shellWord(runtimeName(plan.site.runtime)
                + QStringLiteral(" builds no images from definition files"))
                  .toUtf8()
            + " >&2\nfalse\n";
    QStringList command = commandWords(build);
    if (command.value(0).contains(u'=')) // slipway_with_login starts a program
        command.prepend(QStringLiteral("env"));
    command = plainHttpWords(plan, step, definition) + command;
    // Whose registry may want a login: the form names it, or the person's definition file.
    if ((base.ok() && !base->isFile()) || hasOwnDefinition(step))
        command.prepend(QStringLiteral("slipway_with_login"));
    build = wrapWords(command, step.workDir.isEmpty() ? 4 : 8);
    if (!step.workDir.isEmpty()) // where %files finds its sources
        build = u"(cd " + shellWord(step.workDir) + u" &&\n        " + build + u')';
    return "mkdir -p \"${" + variable.toUtf8() + "%/*}\" &&\n    one_build " + file.toUtf8()
        + " &&\n    " + build.toUtf8() + " &&\n    mv " + part.toUtf8() + ' ' + file.toUtf8()
        + " &&\n    ls -lh " + file.toUtf8() + " &&\n    image_digest " + file.toUtf8() + " keep\n";
}

/// The helper in slipway.sh decides whether the command has to run at all.
QByteArray packagesBody(const Plan& plan, const RecipeStep& step,
    const std::optional<PlanImage>& image, const StepValues& values)
{
    const QStringList words = filledWords(step.command, values);
    const QString program = image ? containerLine(plan, step, *image, values, words, false)
                                  : wrapWords(launcherWords(plan, step, {}) + words);
    const QString file = image ? u"\"$" + image->variable + u'"' : QStringLiteral("none");
    return "packages_once " + file.toUtf8() + " \\\n    " + program.toUtf8() + '\n';
}

} // namespace

QString stepMpi(const Plan& plan, const RecipeStep& step)
{
    return step.mpi.isEmpty() ? plan.site.mpi : step.mpi;
}

bool usesOverlay(const Plan& plan)
{
    return std::any_of(plan.recipe.steps.begin(), plan.recipe.steps.end(),
        [](const RecipeStep& step) { return !step.overlay.isEmpty(); });
}

bool startsSteps(const Plan& plan)
{
    return std::all_of(
        plan.recipe.steps.begin(), plan.recipe.steps.end(), [&plan](const RecipeStep& step) {
            return step.kind != Kind::Exec || step.start != Start::Tasks
                || launcherWords(plan, step, {}).value(0) == u"srun";
        });
}

QByteArray stepBody(const Plan& plan, const RecipeStep& step, const StepTurn& turn, bool gpu)
{
    if (step.kind == Kind::Build)
        return buildBody(plan, step);
    const StepValues values = stepValues(plan, turn);
    const bool nv = gpu && (!turn.lane || turn.lane->needsGpu);
    const std::optional<PlanImage> image =
        step.kind == Kind::Host ? std::nullopt : stepImage(plan, step);
    if (step.kind == Kind::Packages)
        return packagesBody(plan, step, image, values);
    QStringList lines;
    const QString hook = mpiHookWords(plan, step, filledText(step.tasks, values));
    if (image && !hook.isEmpty())
        lines << hook;
    if (image && !step.overlay.isEmpty())
        lines << QStringLiteral("mkdir -p \"$overlays\"/%1").arg(shellWord(step.overlay));
    for (const QString& line : step.command.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList words = filledWords(line, values);
        if (image)
            lines << containerLine(plan, step, *image, values, words, nv);
        else if (step.kind == Kind::Exec)
            lines << wrapWords(startingWords(plan, step, filledText(step.tasks, values)) + words);
        else
            lines << wrapWords(words);
    }
    return lines.join(QStringLiteral(" &&\n")).toUtf8() + '\n';
}

QStringList startWords(const Plan& plan, const RecipeStep& step, bool gpu)
{
    const std::optional<PlanImage> image = stepImage(plan, step);
    if (!image)
        return {};
    QStringList words = variableWords(step);
    if (!words.isEmpty())
        words.prepend(QStringLiteral("env")); // an assignment must be the first word
    if (plan.site.runtime == RuntimeKind::Pyxis)
        words += launcherWords(plan, step, {});
    return words + containerWords(plan, step, *image, stepValues(plan, {}), gpu);
}

QString containerShellText(const Plan& plan, const RecipeStep& step, bool gpu)
{
    const std::optional<PlanImage> image = stepImage(plan, step);
    if (!image)
        return {};
    ContainerCommand command = containerCommand(plan, step, *image, stepValues(plan, {}), gpu);
    command.image = imagePathWord(plan, *image); // no script sets its variable there
    command.overlay.clear(); // a step's own
    command.settings.clear(); // they are for the tasks of a step
    command.environment.clear(); // likewise set by the script alone
    for (Bind& bind : command.binds) {
        if (bind.source == u"$packages")
            bind.source = packageFolder(plan.site);
        else if (bind.source == u"$SLIPWAY_CHECKPOINTS")
            bind.source = checkpointFolder(plan);
    }
    if (plan.site.runtime == RuntimeKind::Enroot)
        command.workDir.clear();
    return containerShell(plan.site.runtime, command);
}

QString stepTitle(const RecipeStep& step, const StepTurn& turn)
{
    return QString(step.title).replace(QStringLiteral("{each}"), turn.each);
}

} // namespace slipway
