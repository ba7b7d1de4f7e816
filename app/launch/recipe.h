// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "remote/base/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One field of a form: a resource of the job ("partition", "time", "gpus") or a parameter of the
/// recipe ("sizes", "repeats"). Its key is the K of `--set K=V` and the JSON key alike.
struct Parameter {
    enum class Type { Text, Integer, IntegerList, Choice, Flag, Image, Command, Lanes, WallTime, Memory };
    QString key;
    QString label;
    QString help;
    Type type = Type::Text;
    QString value; ///< the default
    QStringList choices;
    std::optional<qint64> least, most;
    bool required = false;
    bool advanced = false; ///< right for most people as it is; a form may fold it away
    /// Memory that one item n of the value needs on the node: bytesEach · n^power. Zero: not known.
    double bytesEach = 0;
    int power = 1;
};

/// A competitor of a race: the same work on another device or thread count. "all" threads are the
/// job's CPUs.
struct Lane {
    QString id; ///< "gpu", "cpu", "cpu-1"
    QString label; ///< "GPU", "CPU, all threads"
    bool needsGpu = false;
    QMap<QString, QString> values; ///< extra placeholders of the step: device, threads
};

/// One step of a recipe: a command in the container (`exec`) or on the host (`host`), once, or once a
/// lane. Placeholders {name} are replaced by quoted values.
struct RecipeStep {
    enum class Kind { Exec, Host };
    QString id;
    QString title;
    Kind kind = Kind::Exec;
    QString command; ///< shell words with placeholders: "python3 matmul_scaling.py --sizes {sizes}"
    bool perLane = false;
    bool nv = false; ///< --nv where the job has a GPU; per lane: where the lane needs one
    QStringList comment; ///< for a newcomer, above the command in the script
};

/// Recipe is a workflow as data: what to ask, what to run, what to draw, what was published. A value
/// read from resources/recipes/<id>/recipe.json or from the person's own folder.
struct Recipe {
    QString id;
    QString title;
    QString group; ///< heading of the gallery: "Start here"
    QString summary; ///< one line for the gallery
    QString about; ///< a paragraph: what this is for, what to expect, what to try next
    QMap<QString, QString> resources; ///< defaults of the job's own fields, by key
    int mostNodes = 1; ///< on how many nodes its steps can work together
    std::vector<Parameter> parameters;
    std::vector<Lane> lanes; ///< offered; the value of the parameter "lanes" names those chosen
    std::vector<RecipeStep> steps;
    QStringList files; ///< payload files beside recipe.json, uploaded into the run folder
    QStringList results; ///< file patterns below results/ that are fetched at the end
    QStringList recognisers; ///< empty: all
    std::vector<ChartSpec> charts; ///< with published references
    QString folder; ///< where it was read from
};

Result<Recipe> parseRecipe(const QByteArray& json, const QString& folder);

} // namespace slipway
