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
/// recipe ("sizes", "repeats"). Its key is the K of `--set K=V` and the JSON key alike.
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
        Path
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

/// Repeats of a measurement that a median and its interval need.
inline constexpr int fewestRepeats = 5;

/// A competitor of a race: the same work on another device or thread count. "all" threads are the
/// job's CPUs.
struct Lane {
    QString id; ///< "gpu", "cpu", "cpu-1"
    QString label; ///< "GPU", "CPU, all threads"
    bool needsGpu = false;
    QMap<QString, QString> values; ///< extra placeholders of the step: device, threads
};

/// One step of a recipe: a command in the container (`exec`) or on the node (`host`), or an image
/// that is built from a definition file (`build`); once, once a lane, or once a value of the sweep.
/// Placeholders {name} are replaced by quoted values.
struct RecipeStep {
    enum class Kind { Exec, Host, Build };
    /// Who starts: the job's tasks by the site's launcher, one process on the first node, or one a
    /// node.
    enum class Start { Tasks, Once, Nodes };
    /// How it is meant to end. Failure: a lesson, done when the command fails. Either: reported
    /// only.
    enum class Expect { Success, Failure, Either };
    QString id;
    QString title; ///< may hold {each}
    Kind kind = Kind::Exec;
    QString command; ///< shell words with placeholders: "python3 matmul_scaling.py --sizes {sizes}"
    QString image; ///< key of an image parameter, or the output of a build step; empty: the first
    Start start = Start::Tasks;
    QString tasks; ///< how many of the job's tasks, "{each}" or a number; empty: all
    QString mpi; ///< the srun plugin in place of the site's
    bool ranks = false; ///< its tasks are ranks of one MPI program and must find each other
    bool perLane = false;
    bool perSweep = false;
    bool nv = false; ///< --nv where the job has a GPU; per lane: where the lane needs one
    bool contain = false; ///< nothing of the home folder inside
    bool runScript = false; ///< by the image's own run script (apptainer run)
    bool fakeroot = false;
    std::vector<Bind> binds; ///< paths may hold placeholders
    QString overlay; ///< a folder below the job's own on the node that takes what is written
    QString workDir;
    QMap<QString, QString> environment; ///< for this step alone
    Expect expect = Expect::Success;
    QString definition; ///< of a build: a file of the recipe
    QString output; ///< of a build: the image's file name
    QString base; ///< of a build: the key of the image that it starts from
    QStringList comment; ///< for a newcomer, above the command in the script
};

/// What must hold between fields: lint warns when it does not. Fields that hold no number are
/// passed over.
struct RecipeRule {
    QString field;
    QString equals; ///< another field, or a number
    qint64 multipleOf = 0;
    QString atMost; ///< another field, or a number; "cpus" are those of all tasks of a node
    QString times; ///< a field that the value is taken so many times of before it is compared
    QString why; ///< what happens otherwise, a sentence
};

/// A variable that every step of a recipe sees. The value is shell text in double quotes.
struct RecipeVariable {
    QString name;
    QString value;
    QString comment;
};

/// Something to try next: advice, which is a text alone, or an exercise, which says what to enter
/// in the launch form.
struct Exercise {
    QString text;
    QMap<QString, QString> values; ///< of fields, by key
    QString recipe; ///< whose fields; empty: those of the recipe that it stands in
    QString field; ///< where the person enters a value of their own

    bool isAdvice() const { return values.isEmpty() && recipe.isEmpty() && field.isEmpty(); }
};

/// What a recipe teaches, in three parts.
struct Teaching {
    QString purpose; ///< what this is for
    QString expect; ///< what will be seen
    std::vector<Exercise> next; ///< what to try then

    /// The three as one text of paragraphs.
    QString text() const;
    /// `next` without the advice. People count these from 1.
    std::vector<Exercise> exercises() const;
};

/// A field whose values are compared: one step a value in one job, or one job a value.
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
    QStringList series; ///< must come out of a run there
    QStringList hints; ///< failures that a run there must be explained with
    QString state; ///< how it must end: "done", "failed", "timeout", "out-of-memory"
};

/// Recipe is a workflow as data: what to ask, what to run, what to draw, what was published. A
/// value read from resources/recipes/<id>/recipe.json or from the person's own folder.
struct Recipe {
    QString id;
    QString title;
    QString group; ///< heading of the gallery: "Start here"
    int order = 100; ///< within its group; equals stand by title
    QString summary; ///< one line for the gallery
    Teaching teaching;
    QString source; ///< the document that it comes from
    QStringList workflows; ///< which entries of the documents' catalogue it covers: "W9"
    QStringList sites; ///< ids; empty: any
    std::optional<std::vector<RuntimeKind>> runtimes; ///< none: all that its steps can do with
    QMap<QString, QMap<QString, QString>> siteValues; ///< values of fields, by site and key
    QMap<QString, QString> resources; ///< defaults of the job's own fields, by key
    QMap<int, QMap<QString, QString>>
        byGpus; ///< defaults that depend on the GPUs that are asked for, by their number
    int mostNodes = 1; ///< on how many nodes its steps can work together
    std::vector<Parameter> parameters;
    std::vector<Lane> lanes; ///< offered; the value of the parameter "lanes" names those chosen
    RecipeSweep sweep;
    std::vector<RecipeVariable> environment;
    std::vector<RecipeRule> rules;
    std::vector<RecipeStep> steps;
    QStringList files; ///< payload files beside recipe.json, uploaded into the run folder
    QStringList templates; ///< likewise, with {{key}} replaced by the values of fields
    QStringList results; ///< file patterns below results/ that are fetched at the end
    QStringList recognisers; ///< empty: all
    std::vector<PatternSpec> patterns; ///< its own forms of output, read before those
    std::vector<ChartSpec> charts; ///< with published references
    DemoRun demo;
    QString folder; ///< where it was read from
};

/// Whether the recipe belongs to a site: it names none, or this one. A site of the person's own is
/// in no recipe's list, and everything may belong there.
bool recipeBelongs(const Recipe& recipe, const Site& site);

/// The runtimes that all of the recipe's steps can do with: enroot and pyxis neither build images
/// from definition files nor know overlays.
std::vector<RuntimeKind> recipeRuntimes(const Recipe& recipe);

Result<Recipe> parseRecipe(const QByteArray& json, const QString& folder);

} // namespace slipway
