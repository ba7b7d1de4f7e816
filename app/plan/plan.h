// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/catalogue/site.h"
#include "app/plan/launchspec.h"
#include "remote/slurm/clusterinfo.h"

#include <vector>

namespace slipway {

/// A finding of lint, with its field, its reason and its fix.
struct Problem {
    enum class Severity { Error, Warning };
    Severity severity = Severity::Error;
    QString field; ///< Parameter::key; empty: the launch as a whole
    QString text; ///< the problem and its reason, one or two sentences
    QString fix; ///< what to do, as a verb phrase: "Put it in scratch"
    std::optional<QString> fixValue; ///< the value of `field` that fixes it, if there is one
};

/// One step, ready to run: shell text for both the batch script and an interactive step.
struct PlanStep {
    QString id; ///< "image", "run-cpu": its id in events.ndjson
    QString title; ///< "Pull the image", "CPU, all threads"
    QString stage; ///< its part of the timeline: "image", "check", "running"
    QString laneId;
    QByteArray body; ///< shell text
    QStringList comment;
    bool goesOn =
        false; ///< one of several steps that are compared: if it fails, the others still run
    RecipeStep::Expect expect = RecipeStep::Expect::Success;
};

/// Plan is everything that a launch will do, as a value: the resolved form fields, the resource
/// request, the ordered steps, and the problems that lint found. renderScript() prints it; a
/// RunHandle runs it.
struct Plan {
    LaunchSpec spec;
    Site site;
    Recipe recipe;
    QString slurmVersion; ///< as the cluster reported it; empty: unknown
    QString tag; ///< "{tag}" until a launch sets it; renderScript() writes it as the job's comment
    std::vector<Parameter> fields; ///< of the form, in order
    QMap<QString, QString> values; ///< every field with its resolved value
    JobSpec job; ///< without its comment, which holds the tag
    QStringList modules; ///< loaded before the work, in order
    std::vector<Bind> binds; ///< of every container, before those of a step
    std::vector<Bind> data; ///< folders that every container only reads, after its other ones
    QMap<QString, QString> environment; ///< of the whole job
    std::vector<PlanStep> steps;
    std::vector<Problem> problems;

    bool hasErrors() const;
};

/// The fields of the form for a recipe at a site, in order, resources first: default values from
/// the site, then the recipe, then the cluster; `spec` overrides them.
std::vector<Parameter> formFields(const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster, const LaunchSpec& spec);

/// The runtimes of a site that a recipe supports, the site's default first; empty: none.
std::vector<RuntimeKind> offeredRuntimes(const Recipe& recipe, const Site& site);

/// The exact bytes of job.sh that will be submitted. The preview, the golden files and the upload
/// all use this function.
QByteArray renderScript(const Plan& plan);

/// For an interactive launch: the file steps/<nn>-<id>.sh of each step, run in the allocation from
/// the run folder: srun --jobid=ID --overlap --preserve-env -N1 -n1 bash -l steps/01-image.sh
struct StepScript {
    QString name;
    QByteArray bytes;
};
std::vector<StepScript> renderStepScripts(const Plan& plan);
/// For an interactive launch with overlays: a script that waits on the node until the allocation
/// ends, and then removes the overlays.
std::optional<StepScript> renderOverlayKeeper(const Plan& plan);
/// Whether a step of the job blocks its GPUs for all other steps, as before Slurm 22.05.
bool holdsGpus(const Plan& plan);
/// Whether that srun must leave the job's GPUs (--gres=none) to the srun inside the step: before
/// Slurm 22.05 two steps cannot share them, and the inner one would wait for the outer.
bool leavesGpus(const Plan& plan, const PlanStep& step);
/// env.sh, which each step sources: modules, variables, the path of the image.
QByteArray renderEnvironment(const Plan& plan);

/// The placeholder in a script for the SHA-256 of a file that it sources, until launchFiles() fills
/// it in:
/// "{sha256 of slipway.sh}".
QString sumPlaceholder(const QString& file);

/// A file to put into the run folder; `name` is relative to it.
struct LaunchFile {
    QString name;
    QByteArray bytes;
    int mode = 0600;
};

/// The SHA-256 of a file's content, in hexadecimal.
QByteArray sumOf(const QByteArray& bytes);

/// Everything that a launch uploads: slipway.sh, the recipe's own files, and job.sh or, for an
/// interactive launch, env.sh and steps/. Each script contains the SHA-256 of the file that it
/// sources, and slipway.sh those of the recipe's files. The only function here that reads the disk.
Result<std::vector<LaunchFile>> launchFiles(const Plan& plan);

} // namespace slipway
