// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/patternspec.h"
#include "remote/base/result.h"
#include "remote/container/runtime.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One field of a form: a resource of the job ("partition", "time", "gpus") or a parameter of the
/// recipe ("sizes", "repeats"). Its key is both the K of `--set K=V` and the JSON key.
struct Parameter {
    enum class Type {
        Text,
        Integer,
        IntegerList,
        Number,
        Choice,
        Flag,
        Image,
        Command,
        Lanes,
        WallTime,
        Memory,
        Path,
        Folders ///< of the cluster, which every container only reads
    };
    QString key;
    QString label;
    QString help;
    Type type = Type::Text;
    QString value; ///< the default
    QString example; ///< shown while the field is empty; never a value
    QStringList choices;
    std::optional<qint64> least, most;
    bool required = false;
    bool advanced = false; ///< right for most people as it is; a form may fold it away
    /// Memory that one item n of the value needs on the node: bytesEach · n^power. Zero: not known.
    double bytesEach = 0;
    int power = 1;
};

/// Repeats that a median and its interval require.
inline constexpr int fewestRepeats = 5;

/// A lane of a race: the same work on another device or thread count. "all" threads are the
/// job's CPUs.
struct Lane {
    QString id; ///< "gpu", "cpu", "cpu-1"
    QString label; ///< "GPU", "CPU, all threads"
    bool needsGpu = false;
    QMap<QString, QString> values; ///< extra placeholders of the step: device, threads
};

/// One step of a recipe: a command in the container (`exec`) or on the node (`host`), an image that
/// is built from a definition file (`build`), or packages that are installed once for all runs
/// (`packages`); once, once per lane, or once per value of the sweep. Placeholders {name} are
/// replaced by quoted values.
struct RecipeStep {
    enum class Kind { Exec, Host, Build, Packages };
    /// What is started: the job's tasks by the site's launcher, one process on the first node, or
    /// one process per node.
    enum class Start { Tasks, Once, Nodes };
    /// The expected end. Failure: a lesson, done when the command fails. Either: only reported.
    enum class Expect { Success, Failure, Either };
    QString id;
    QString title; ///< may hold {each}
    Kind kind = Kind::Exec;
    QString onlyIf; ///< key of a field; while that is empty, there is no such step
    QString command; ///< shell words with placeholders: "python3 matmul_scaling.py --sizes {sizes}"
    QString image; ///< key of an image parameter, or the output of a build step; empty: the first
    Start start = Start::Tasks;
    QString tasks; ///< number of the job's tasks, "{each}" or a number; empty: all
    QString mpi; ///< the MPI plugin of srun instead of the site's
    bool ranks = false; ///< its tasks are ranks of one MPI program and must find each other
    bool perLane = false;
    bool perSweep = false;
    bool nv = false; ///< --nv where the job has a GPU; per lane: where the lane needs one
    bool contain = false; ///< the home folder is not visible inside
    bool runScript = false; ///< by the image's own run script (apptainer run)
    bool fakeroot = false;
    std::vector<Bind> binds; ///< paths may hold placeholders
    QString overlay; ///< a folder below the job's own on the node, for what the container writes
    QString workDir;
    QMap<QString, QString> environment; ///< for this step alone
    Expect expect = Expect::Success;
    /// Of a build: a file of the recipe, or a placeholder for one of the person's folder.
    QString definition;
    QString output; ///< of a build: the image's file name, or a placeholder for it
    QString base; ///< of a build: the key of the image that it starts from
    QStringList comment; ///< for beginners, above the command in the script
};

/// A relation between fields; lint warns when it is violated. Fields without a number are skipped.
struct RecipeRule {
    QString field;
    QString equals; ///< another field, or a number
    qint64 multipleOf = 0;
    QString atMost; ///< another field, or a number; "cpus" are those of all tasks of a node
    QString times; ///< a field by which the value is multiplied before it is compared
    QString why; ///< what happens otherwise, as a sentence
};

/// A variable that every step of a recipe sees. The value is shell text in double quotes.
struct RecipeVariable {
    QString name;
    QString value;
    QString comment;
};

/// Something to try next: advice, which is only a text, or an exercise, which gives values for the
/// launch form.
struct Exercise {
    QString text;
    QMap<QString, QString> values; ///< of fields, by key
    QString recipe; ///< whose fields these are; empty: those of the recipe that contains it
    QString field; ///< in which the user enters a value

    bool isAdvice() const { return values.isEmpty() && recipe.isEmpty() && field.isEmpty(); }
};

/// What a recipe teaches, in three parts.
struct Teaching {
    QString purpose; ///< what this is for
    QString expect; ///< what can be observed
    std::vector<Exercise> next; ///< what to try afterwards

    /// The three as one text of paragraphs.
    QString text() const;
    /// `next` without the advice. Users count them from 1.
    std::vector<Exercise> exercises() const;
};

/// A field whose values are compared: one step per value in one job, or one job per value.
struct RecipeSweep {
    enum class As { Steps, Jobs };
    QString parameter; ///< empty: the recipe sweeps nothing
    As as = As::Steps;
    QString values; ///< the default list, of a sweep over jobs
};

/// What a recipe does on the demo cluster, which has no GPU and no internet.
struct DemoRun {
    enum class How { No, Cpu, Whole };
    How how = How::No;
    QString why;
    QStringList series; ///< must be the result of a run there
    QStringList hints; ///< failures that a run there must be explained with
    QString state; ///< how it must end: "done", "failed", "timeout", "out-of-memory"
};

/// Recipe is a workflow as data: its fields, its steps, its charts and published results. A
/// value read from resources/recipes/<id>/recipe.json or from the person's own folder.
struct Recipe {
    QString id;
    QString title;
    QString group; ///< heading of the gallery: "Start here"
    int order = 100; ///< within its group; equal ones are ordered by title
    QString summary; ///< one line for the gallery
    Teaching teaching;
    QString source; ///< the document it is based on
    QStringList workflows; ///< which entries of the documents' catalogue it covers: "W9"
    QStringList sites; ///< ids; empty: any
    std::optional<std::vector<RuntimeKind>> runtimes; ///< none: all that its steps support
    QMap<QString, QMap<QString, QString>> siteValues; ///< values of fields, by site and key
    QMap<QString, QString> resources; ///< defaults of the job's own fields, by key
    QMap<int, QMap<QString, QString>>
        byGpus; ///< defaults that depend on the number of requested GPUs
    bool ownFolder = false; ///< it runs a person's own program, whose folder goes up with the run
    QString code; ///< of an own folder: the one beside recipe.json that goes up unless another is
                  ///< chosen
    int mostNodes = 1; ///< largest number of nodes that its steps can use
    std::vector<Parameter> parameters;
    std::vector<Lane> lanes; ///< offered; the value of the parameter "lanes" names those chosen
    RecipeSweep sweep;
    std::vector<RecipeVariable> environment;
    std::vector<RecipeRule> rules;
    std::vector<RecipeStep> steps;
    QStringList files; ///< payload files beside recipe.json, uploaded into the run folder
    QStringList templates; ///< as above, with {{key}} replaced by the values of fields
    QStringList results; ///< file patterns below results/ that are fetched at the end
    QStringList recognisers; ///< empty: all
    std::vector<PatternSpec> patterns; ///< its own output patterns, tried before those
    std::vector<ChartSpec> charts; ///< with published references
    DemoRun demo;
    QString folder; ///< where it was read from
    bool own = false; ///< from the person's folder

    /// The absolute path of `code`; empty: it brings none.
    QString codeFolder() const { return code.isEmpty() ? QString() : folder + u'/' + code; }
};

/// Whether the recipe is offered at a site: it lists no sites, or this one. A user's own site is in
/// no recipe's list, and all recipes are offered there.
bool recipeBelongs(const Recipe& recipe, const Site& site);

/// The runtimes that all of the recipe's steps support: enroot and pyxis have neither builds from
/// definition files nor overlays.
std::vector<RuntimeKind> recipeRuntimes(const Recipe& recipe);

} // namespace slipway
