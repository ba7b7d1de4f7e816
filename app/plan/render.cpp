// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "app/plan/checksteps.h"
#include "app/plan/longwork.h"
#include "app/plan/plan.h"
#include "app/plan/planfacts.h"
#include "app/plan/plansecrets.h"
#include "app/plan/stepbody.h"
#include "app/plan/stepimages.h"
#include "remote/slurm/values.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

/// A text for a comment: one line, printable characters only.
QString oneLine(QString text)
{
    for (QChar& c : text) {
        if (!c.isPrint())
            c = u' ';
    }
    return text.simplified();
}

/// Lines with aligned comments.
class CommentedLines {
public:
    void add(const QString& line, const QString& comment = {})
    {
        m_lines.append({line, comment});
        if (!comment.isEmpty())
            m_column = std::max(m_column, line.size() + 2);
    }

    QString text() const
    {
        QString text;
        for (const auto& [line, comment] : m_lines) {
            text += line;
            if (!comment.isEmpty())
                text += QString(m_column - line.size(), u' ') + u"# " + comment;
            text += u'\n';
        }
        return text;
    }

private:
    QList<std::pair<QString, QString>> m_lines;
    qsizetype m_column = 0;
};

/// The purpose of an sbatch option, where its name does not say it.
QString optionComment(const QString& option, const Plan& plan)
{
    if (option.startsWith(u"--output="))
        return QStringLiteral("what the job prints; %j is its number");
    if (option.startsWith(u"--open-mode="))
        return QStringLiteral("append, do not overwrite");
    if (option.startsWith(u"--dependency=afterany"))
        return QStringLiteral("not before the run that it continues has ended");
    if (option.startsWith(u"--dependency="))
        return QStringLiteral("not before the sweep's earlier job of this name has ended");
    if (option.startsWith(u"--signal="))
        return QStringLiteral("seconds before the time limit, or up to a minute earlier");
    if (option.startsWith(u"--comment="))
        return QStringLiteral("identifies the job to Slipway");
    const bool gpus = option.startsWith(u"--gres=") || option.startsWith(u"--gpus");
    if (!gpus)
        return {};
    for (const SitePartition& partition : plan.site.partitions) {
        if (partition.name != plan.job.partition || partition.gpusPerNode == 0)
            continue;
        const QString name =
            oneLine(partition.gpuName.isEmpty() ? QStringLiteral("GPUs") : partition.gpuName);
        if (partition.gpusAtLeast)
            return QStringLiteral("%1 of the node's %2").arg(plan.job.gpus).arg(name);
        return QStringLiteral("%1 of the node's %2 %3")
            .arg(plan.job.gpus)
            .arg(partition.gpusPerNode)
            .arg(name);
    }
    return {};
}

QString sbatchLines(const Plan& plan)
{
    const QString untagged = jobComment(QStringLiteral("no-tag-yet"));
    const bool tagged = plan.tag != u"{tag}";
    JobSpec job = plan.job;
    job.comment = tagged ? jobComment(plan.tag) : untagged;
    const Result<QStringList> options = jobOptions(job, plan.site.gpuRequest);
    if (!options.ok())
        return QStringLiteral("# Not ready: ") + oneLine(options.error().summary) + u'\n';
    CommentedLines lines;
    for (QString option : *options) {
        const QString comment = optionComment(option, plan);
        if (!tagged)
            option.replace(untagged, jobComment(QStringLiteral("{tag}")));
        lines.add(u"#SBATCH " + option, comment);
    }
    return lines.text();
}

/// The allocation of an interactive run, as a comment: the options of salloc, and how steps join
/// it.
QString allocationLines(const Plan& plan)
{
    const Result<QStringList> options = allocationOptions(plan.job, plan.site.gpuRequest);
    if (!options.ok())
        return QStringLiteral("# Not ready: ") + oneLine(options.error().summary) + u'\n';
    const bool idev = plan.site.interactive == InteractiveStyle::Idev;
    QString text = idev
        ? QStringLiteral(
            "# The nodes are allocated once and kept until they are released, by a batch job that "
            "only waits, as\n# idev does it. By hand: idev -p %1 -N %2 -n %3 -m %4\n")
              .arg(plan.job.partition)
              .arg(plan.job.nodes)
              .arg(plan.job.nodes * plan.job.tasksPerNode)
              .arg(plan.job.timeLimit.seconds().count() / 60)
        : QStringLiteral("# The nodes are allocated once and kept until they are released:\n");
    const QStringList program = idev
        ? QStringList{QStringLiteral("sbatch"),
            QStringLiteral("--wrap='while sleep 3600; do :; done'")}
        : QStringList{QStringLiteral("salloc"), QStringLiteral("--no-shell")};
    const QString call = wrapWords(program + *options);
    for (const QString& line : call.split(u'\n'))
        text += u"#   " + line + u'\n';
    return text
        + u"# Each step below is a separate file that runs in this allocation:\n"
          u"#   srun --jobid=ID --overlap --preserve-env -N1 -n1 bash -l steps/01-….sh\n";
}

QString cacheVariable(RuntimeKind runtime)
{
    switch (runtime) {
    case RuntimeKind::Apptainer:
        return QStringLiteral("APPTAINER_CACHEDIR");
    case RuntimeKind::Singularity:
        return QStringLiteral("SINGULARITY_CACHEDIR");
    case RuntimeKind::Enroot:
    case RuntimeKind::Pyxis:
        break;
    }
    return QStringLiteral("ENROOT_CACHE_PATH");
}

/// A path that the shell expands, in double quotes; anything else unchanged.
QString pathWord(const QString& path)
{
    if (isPathExpression(path) && path.contains(u'$'))
        return u'"' + path + u'"';
    return shellWord(path);
}

/// The comment on the line that sets the folder of image layers.
QString cacheComment(const QString& cache)
{
    if (cache.startsWith(u'~') || cache.startsWith(u"$HOME") || cache.startsWith(u"${HOME}"))
        return QStringLiteral("image layers: large, and in $HOME, which has a quota");
    if (cache.startsWith(u"/tmp") || cache.startsWith(u"$TMPDIR") || cache.startsWith(u"${TMPDIR"))
        return QStringLiteral("image layers: large, so on the node itself");
    if (cache.startsWith(u"/home"))
        return QStringLiteral("image layers: large");
    return QStringLiteral("image layers: large, so not in $HOME");
}

/// The folder on the node that contains the job's overlays. Only the login shell's TMPDIR decides,
/// because the script that removes the folder from kept nodes loads no modules.
QString overlayLine()
{
    return QStringLiteral("overlays=${TMPDIR:-/tmp}/slipway-$SLURM_JOB_ID\n");
}

QString overlayLines(const Plan& plan)
{
    if (!usesOverlay(plan))
        return {};
    const bool batch = plan.spec.mode == LaunchMode::Batch;
    return u"# Overlays are on the node itself, because they do not work on NFS, Lustre, GPFS or "
           u"FUSE. The "
           u"steps\n# share this folder; it is deleted when the "
        + (batch ? QStringLiteral("job ends.\n")
                 : QStringLiteral("nodes are released (steps/overlays.sh).\n"))
        + overlayLine() + u"node_folder \"$overlays\" || exit\n\n";
}

/// enroot start runs the image's entry point and passes only the variables that are named.
/// Apptainer and pyxis start the command unchanged, with all variables.
QString enrootLines(const Plan& plan)
{
    if (plan.site.runtime != RuntimeKind::Enroot)
        return {};
    return u"\n# The configuration of enroot start. Slurm's variables are passed on, as Apptainer "
           u"does; those of the\n"
           u"# step are left to enroot's MPI hook, which also sets what belongs to them. The "
           u"command runs directly,\n"
           u"# without the image's entry point.\n"
           u"cat >"
        + QLatin1String(enrootSettings)
        + u" <<'END'\n"
          u"environ() { env | sed -n '/^SLURM_STEP/d; /^SLURMD*_/p'; }\n"
          u"rc() { exec \"$@\"; }\n"
          u"END\n";
}

/// The folder of installed packages, for which runs after this one need not wait.
QString packagesLines(const Plan& plan)
{
    if (!usesPackages(plan))
        return {};
    return u"packages=" + pathWord(packageFolder(plan.site))
        + u"  # kept for later runs with the same image\nmkdir -p \"$packages\"\n";
}

/// What every step shares: modules, variables, the path of the image.
QString environmentLines(const Plan& plan)
{
    QString text = overlayLines(plan);
    for (const QString& module : plan.modules)
        text += u"module load " + shellWord(module) + u'\n';
    if (!plan.modules.isEmpty())
        text += u'\n';
    const std::vector<PlanImage> images = planImages(plan);
    CommentedLines lines;
    const QString cache = cacheVariable(plan.site.runtime);
    if (!images.empty())
        lines.add(u"export " + cache + u'=' + pathWord(plan.values.value(QStringLiteral("cache"))),
            cacheComment(plan.values.value(QStringLiteral("cache"))));
    lines.add(
        QStringLiteral("export PYTHONUNBUFFERED=1"), QStringLiteral("output appears at once"));
    lines.add(QStringLiteral("export COLUMNS=120"), QStringLiteral("wide tables are not wrapped"));
    for (auto it = plan.environment.begin(); it != plan.environment.end(); ++it)
        lines.add(u"export " + it.key() + u'=' + pathWord(it.value()));
    for (const RecipeVariable& variable : plan.recipe.environment)
        lines.add(
            u"export " + variable.name + u"=\"" + variable.value + u'"', oneLine(variable.comment));
    text += lines.text() + secretsLine(plan);
    const QString packages = packagesLines(plan) + longWorkLines(plan);
    if (images.empty())
        return text + u"mkdir -p results\n" + packages;
    text += u"mkdir -p \"$" + cache + u"\" results\n" + packages + u'\n';
    for (const PlanImage& image : images)
        text += image.variable + u'=' + imagePathWord(plan, image) + u'\n';
    return text + enrootLines(plan);
}

QString commentLines(const QStringList& comment)
{
    QString text;
    for (const QString& line : comment)
        text += u"# " + oneLine(line) + u'\n';
    return text;
}

QString beginLine(const PlanStep& step)
{
    QString title = oneLine(step.title);
    static const QRegularExpression special(QStringLiteral("[\"\\\\$`]"));
    const bool plain = !title.contains(special);
    return u"begin " + step.id + u' ' + (plain ? u'"' + title + u'"' : shellWord(title)) + u'\n';
}

/// The argument of `end`: how the command is expected to end.
QString endCall(const PlanStep& step)
{
    switch (step.expect) {
    case RecipeStep::Expect::Success:
        break;
    case RecipeStep::Expect::Failure:
        return QStringLiteral("end failure");
    case RecipeStep::Expect::Either:
        return QStringLiteral("end either");
    }
    return QStringLiteral("end");
}

/// What happens when a step fails: if it is one of several that are compared, the others still run;
/// a node check may only report; anything else ends the job.
QString endLine(const Plan& plan, const PlanStep& step)
{
    const bool only = step.stage == u"check" ? nodeCheck(plan) != NodeCheck::Stop
                                             : step.expect == RecipeStep::Expect::Either;
    if (only)
        return endCall(step) + u'\n';
    return endCall(step)
        + (step.goesOn ? QStringLiteral(" || failed=$?\n") : QStringLiteral(" || exit\n"));
}

QString stepsText(const Plan& plan)
{
    QString text;
    bool lanes = false;
    for (const PlanStep& step : plan.steps) {
        QStringList comment = step.comment;
        if (!step.laneId.isEmpty() && !lanes && chosenLanes(plan).size() > 1)
            comment << QStringLiteral("A lane that fails does not stop the others; the job then "
                                      "ends with its exit code.");
        lanes = lanes || step.goesOn;
        text += u'\n' + commentLines(comment) + beginLine(step) + QString::fromUtf8(step.body)
            + endLine(plan, step);
    }
    return lanes ? text + u"\nexit \"${failed:-0}\"\n" : text;
}

/// How a script sources another file of its folder: only if it is the one that Slipway sent. The
/// checksum is filled in when the files are assembled.
QString comparison(const QString& file)
{
    return u"echo \"" + sumPlaceholder(file) + u"  " + file + u"\" | sha256sum --check --quiet";
}

QString readHelper()
{
    return u"\n# slipway.sh defines begin, end, probe_check and pull_once, which record the "
           u"progress. In a shared folder\n"
           u"# others may have changed it, so it is read only if it is what Slipway sent.\n"
           u"if ! "
        + comparison(QStringLiteral("slipway.sh"))
        + u"; then\n"
          u"    echo \"slipway.sh is not the file that was sent. Nothing was started; launch the "
          u"run again.\" >&2\n"
          u"    [ ! -O . ] || echo "
          u"'{\"stage\":\"node\",\"state\":\"failed\",\"step\":\"files\",\"code\":77}'"
          u" >>events.ndjson\n"
          u"    exit 77\n"
          u"fi\n"
          u". ./slipway.sh || exit\n\n";
}

} // namespace

QString sumPlaceholder(const QString& file)
{
    return u"{sha256 of " + file + u'}';
}

QByteArray renderScript(const Plan& plan)
{
    if (!plan.spec.editedScript.isEmpty()) {
        QByteArray script = plan.spec.editedScript;
        return withChain(plan, script.replace("{tag}", plan.tag.toUtf8()));
    }
    QString text = QStringLiteral("#!/bin/bash -l\n");
    text += plan.spec.mode == LaunchMode::Batch ? sbatchLines(plan) : allocationLines(plan);
    const bool batch = plan.spec.mode == LaunchMode::Batch;
    text += u"\n# " + oneLine(plan.recipe.title) + u" on " + oneLine(plan.site.name)
        + (batch ? u". Runs in its own folder; by hand: sbatch job.sh\n"
                 : u". Its steps, in order:\n")
        + readHelper();
    text += environmentLines(plan) + stepsText(plan);
    return text.toUtf8();
}

std::vector<StepScript> renderStepScripts(const Plan& plan)
{
    std::vector<StepScript> scripts;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const PlanStep& step = plan.steps[i];
        const QString name =
            QStringLiteral("steps/%1-%2.sh").arg(i + 1, 2, 10, QLatin1Char('0')).arg(step.id);
        const QString text = u"#!/bin/bash -l\n# Step " + QString::number(i + 1) + u" of "
            + QString::number(plan.steps.size()) + u". By hand, inside the allocation: bash -l "
            + name
            + u"\nshopt -q login_shell || exec bash -l \"$0\"  # only a login shell knows modules "
              u"and $SCRATCH\n"
              u"cd \"$(dirname \"$0\")/..\" || exit\n"
            + comparison(QStringLiteral("env.sh"))
            + u" || exit 77  # only if it is unchanged\n. ./env.sh || exit\n\n"
            + commentLines(step.comment) + beginLine(step) + QString::fromUtf8(step.body)
            + endCall(step) + u'\n';
        scripts.push_back({name, text.toUtf8()});
    }
    return scripts;
}

std::optional<StepScript> renderOverlayKeeper(const Plan& plan)
{
    if (plan.spec.mode != LaunchMode::Interactive || !usesOverlay(plan))
        return {};
    const QString text = u"#!/bin/bash -l\n# Waits until the nodes are released, then deletes the "
                         u"overlays from the node.\n"
                         u"shopt -q login_shell || exec bash -l \"$0\"  # the TMPDIR of the steps\n"
        + overlayLine()
        + u"trap 'kill \"$!\"' TERM\n"
          u"sleep infinity &\n"
          u"wait \"$!\"\n"
          u"[ -L \"$overlays\" ] || [ ! -O \"$overlays\" ] || chmod -R u+rwX \"$overlays\"  # "
          u"overlays "
          u"close some of their folders\n"
          u"rm -rf \"$overlays\"\n";
    return StepScript{QStringLiteral("steps/overlays.sh"), text.toUtf8()};
}

bool holdsGpus(const Plan& plan)
{
    return plan.job.gpus > 0 && slurmRelease(plan.slurmVersion) < firstSharingRelease;
}

bool leavesGpus(const Plan& plan, const PlanStep& step)
{
    static const QRegularExpression launcher(
        QStringLiteral("(?:^|[\\s;&|(])(?:srun|ibrun|mpirun)\\s"));
    return holdsGpus(plan) && launcher.match(QString::fromUtf8(step.body)).hasMatch();
}

QByteArray renderEnvironment(const Plan& plan)
{
    QString text = u"# shellcheck shell=bash\n# Shared by all steps of this run.\n"
                   u"SLIPWAY_STEP=1\n"
        + comparison(QStringLiteral("slipway.sh"))
        + u" || exit 77  # only if it is unchanged\n. ./slipway.sh || exit\n\n";
    // A step is itself a job step: what it starts with srun, ibrun or mpirun is another one.
    if (slurmRelease(plan.slurmVersion) < firstSharingRelease)
        text += u"# Before Slurm 22.05 an srun in here would wait for this step to end, unless it "
                u"shares its CPUs.\n"
                u"export SLURM_OVERLAP=1\n\n";
    text += environmentLines(plan);
    return text.toUtf8();
}

} // namespace slipway
