// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/catalogue/site.h"
#include "app/plan/launchspec.h"
#include "remote/slurm/clusterinfo.h"

#include <vector>

namespace slipway {

/// Something lint found, tied to a field, with its reason and its fix.
struct Problem {
    enum class Severity { Error, Warning };
    Severity severity = Severity::Error;
    QString field; ///< Parameter::key; empty: the launch as a whole
    QString text; ///< what and why, one or two sentences
    QString fix; ///< what to do, as a verb phrase: "Put it in scratch"
    std::optional<QString> fixValue; ///< the value of `field` that mends it, when there is one
};

/// One step, ready to run: shell text that stands in the batch script and in an interactive step
/// alike.
struct PlanStep {
    QString id; ///< "image", "run-cpu": the word in events.ndjson
    QString title; ///< "Pull the image", "CPU, all threads"
    QString stage; ///< which part of the timeline: "image", "check", "running"
    QString laneId;
    QByteArray body; ///< shell text
    QStringList comment;
    bool goesOn = false; ///< one of several that are compared: when it fails, the others still run
    RecipeStep::Expect expect = RecipeStep::Expect::Success;
};

/// Plan is everything that a launch will do, as a value: form fields as they were resolved, the
/// job's demand, ordered steps, and the problems that lint found. renderScript() shows it; a
/// RunHandle runs it.
struct Plan {
    LaunchSpec spec;
    Site site;
    Recipe recipe;
    QString slurmVersion; ///< as the cluster said it; empty: unknown
    QString
        tag; ///< "{tag}" until a launch gives it one; renderScript() writes it as the job's comment
    std::vector<Parameter> fields; ///< of the form, in order
    QMap<QString, QString> values; ///< every field with its resolved value
    JobSpec job; ///< without its comment, which is the tag's
    QStringList modules; ///< loaded before the work, in order
    std::vector<Bind> binds; ///< of every container, before those of a step
    QMap<QString, QString> environment; ///< of the whole job
    std::vector<PlanStep> steps;
    std::vector<Problem> problems;

    bool hasErrors() const;
};

/// The fields of the form for a recipe at a site, in order, resources first: default values from
/// the site, then the recipe, then what the cluster said; `spec` overrides.
std::vector<Parameter> formFields(const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster, const LaunchSpec& spec);

/// The runtimes of a site that a recipe can do with, the site's own first; empty: none of them.
std::vector<RuntimeKind> offeredRuntimes(const Recipe& recipe, const Site& site);

/// Never fails: what cannot be planned is in Plan::problems. Pure.
Plan makePlan(const LaunchSpec& spec, const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster);

/// The exact bytes of job.sh that will be submitted. The preview, the golden files and the upload
/// are this one function's output.
QByteArray renderScript(const Plan& plan);

/// For an interactive launch: the file steps/<nn>-<id>.sh of each step, run in the allocation from
/// the run folder: srun --jobid=ID --overlap --preserve-env -N1 -n1 bash -l steps/01-image.sh
struct StepScript {
    QString name;
    QByteArray bytes;
};
std::vector<StepScript> renderStepScripts(const Plan& plan);
/// For an interactive launch with overlays: what waits beside the steps on their node until the
/// allocation ends, and removes the overlays then.
std::optional<StepScript> renderOverlayKeeper(const Plan& plan);
/// Whether a step of the job keeps its GPUs from every other one, as before Slurm 22.05.
bool holdsGpus(const Plan& plan);
/// Whether that srun must leave the job's GPUs (--gres=none) to the srun inside the step: before
/// Slurm 22.05 two steps cannot have them at a time, and the inner one would wait for the outer.
bool leavesGpus(const Plan& plan, const PlanStep& step);
/// env.sh, which each step reads: modules, variables, where the image lies.
QByteArray renderEnvironment(const Plan& plan);

/// What stands in a script for the SHA-256 of a file that it reads, until launchFiles() fills it
/// in:
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
/// interactive launch, env.sh and steps/. Each script holds the SHA-256 of the one that it reads,
/// and slipway.sh those of the recipe's files. The only function here that reads the disk.
Result<std::vector<LaunchFile>> launchFiles(const Plan& plan);

} // namespace slipway
