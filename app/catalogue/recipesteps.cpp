// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipesteps.h"

#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Kind = RecipeStep::Kind;

/// Where the step runs, and in which container.
void readContainer(JsonFields& fields, RecipeStep* step)
{
    step->image = fields.text("image");
    step->nv = fields.flag("nv");
    step->contain = fields.flag("contain");
    step->runScript = fields.flag("run_script");
    step->fakeroot = fields.flag("fakeroot");
    fields.objects("binds", [step](JsonFields& bind) {
        step->binds.push_back(
            {bind.text("source", true), bind.text("destination"), bind.flag("read_only")});
    });
    step->overlay = fields.text("overlay");
    if (!step->overlay.isEmpty() && !isInnerPath(step->overlay))
        fields.report("overlay", tr("expected a folder below the job's own folder on the node."));
    step->workDir = fields.text("work_dir");
    step->environment = fields.textMap("environment");
    for (const QString& name : step->environment.keys()) {
        if (!isVariableName(name))
            fields.report("environment", tr("“%1” is not a variable name.").arg(name));
    }
}

/// How it is started, how often, and its expected end.
void readStart(JsonFields& fields, RecipeStep* step)
{
    using Start = RecipeStep::Start;
    using Expect = RecipeStep::Expect;
    step->start = fields.word("start", Start::Tasks,
        {{"tasks", Start::Tasks}, {"once", Start::Once}, {"nodes", Start::Nodes}});
    step->tasks = fields.text("tasks");
    bool number = false;
    const bool positive = step->tasks.toInt(&number) > 0;
    if (!step->tasks.isEmpty() && !(number ? positive : placeholderNames(step->tasks).size() == 1))
        fields.report("tasks", tr("expected a number or one placeholder, {each}."));
    step->mpi = fields.text("mpi");
    if (!step->mpi.isEmpty() && !isIdentifier(step->mpi))
        fields.report("mpi", tr("expected an MPI plugin of srun, such as pmix or pmi2."));
    step->ranks = fields.flag("ranks");
    step->perLane = fields.flag("per_lane");
    step->perSweep = fields.flag("per_sweep");
    step->expect = fields.word("expect", Expect::Success,
        {{"success", Expect::Success}, {"failure", Expect::Failure}, {"either", Expect::Either}});
}

/// "{definition}": nothing but one placeholder.
bool isPlaceholder(const QString& text)
{
    const QStringList names = placeholderNames(text);
    return names.size() == 1 && text == u'{' + names.front() + u'}';
}

void readBuild(JsonFields& fields, RecipeStep* step)
{
    step->definition = fields.text("definition", step->kind == Kind::Build);
    step->output = fields.text("output", step->kind == Kind::Build);
    step->base = fields.text("base");
    const bool chosen = isPlaceholder(step->output); // lint looks at what a person enters
    if (!step->output.isEmpty() && !chosen
        && (!isInnerPath(step->output) || step->output.contains(u'/')))
        fields.report("output", tr("expected a plain file name, nbody.sif, or one placeholder."));
    if (step->kind == Kind::Build && !step->workDir.isEmpty() && !isInnerPath(step->workDir))
        fields.report("work_dir", tr("expected a folder below the run folder."));
}

void checkNames(JsonFields& fields, const Recipe& recipe, QStringList* names)
{
    bool lanesAsked = false;
    for (const Parameter& parameter : recipe.parameters) {
        if (names->contains(parameter.key))
            fields.report("parameters", tr("the key “%1” is given twice.").arg(parameter.key));
        *names << parameter.key;
        lanesAsked = lanesAsked || parameter.type == Parameter::Type::Lanes;
    }
    for (const Lane& lane : recipe.lanes)
        *names << lane.values.keys();
    if (recipe.lanes.empty() == lanesAsked)
        fields.report("lanes",
            tr("lanes require a parameter of type lanes, and such a parameter requires lanes."));
}

void checkSweep(JsonFields& fields, const Recipe& recipe)
{
    const bool asked = std::any_of(recipe.steps.begin(), recipe.steps.end(),
        [](const RecipeStep& step) { return step.perSweep; });
    const bool steps =
        !recipe.sweep.parameter.isEmpty() && recipe.sweep.as == RecipeSweep::As::Steps;
    if (asked != steps)
        fields.report("sweep",
            tr("a sweep over steps requires a step with per_sweep, and per_sweep requires such a "
               "sweep."));
    if (recipe.sweep.parameter.isEmpty())
        return;
    const auto found = std::find_if(recipe.parameters.begin(), recipe.parameters.end(),
        [&](const Parameter& parameter) { return parameter.key == recipe.sweep.parameter; });
    const bool resource = resourceKeys().contains(recipe.sweep.parameter);
    if (found == recipe.parameters.end() && !resource)
        fields.report(
            "sweep", tr("“%1” is not a field of this recipe.").arg(recipe.sweep.parameter));
    else if (steps && (resource || found->type != Parameter::Type::IntegerList))
        fields.report("sweep", tr("a sweep over steps needs a parameter of type integer-list."));
}

bool isImageKey(const Recipe& recipe, const QString& key)
{
    return std::any_of(
        recipe.parameters.begin(), recipe.parameters.end(), [&](const Parameter& parameter) {
            return parameter.key == key && parameter.type == Parameter::Type::Image;
        });
}

/// The fields that decide whether there is a step.
void checkConditions(JsonFields& fields, const Recipe& recipe)
{
    for (const RecipeStep& step : recipe.steps) {
        const bool known = step.onlyIf.isEmpty()
            || std::any_of(recipe.parameters.begin(), recipe.parameters.end(),
                [&step](const Parameter& one) { return one.key == step.onlyIf; });
        if (!known)
            fields.report("steps",
                tr("“%1” depends on “%2”, which is not a parameter of this recipe.")
                    .arg(step.id, step.onlyIf));
    }
}

void checkImages(JsonFields& fields, const Recipe& recipe)
{
    QStringList built;
    for (const RecipeStep& step : recipe.steps) {
        if (!step.image.isEmpty() && !built.contains(step.image) && !isImageKey(recipe, step.image))
            fields.report("steps",
                tr("“%1” runs in “%2”, which is neither an image parameter nor an earlier build.")
                    .arg(step.id, step.image));
        if (!step.base.isEmpty() && !isImageKey(recipe, step.base))
            fields.report("steps",
                tr("“%1” starts from “%2”, which is not an image parameter.")
                    .arg(step.id, step.base));
        if (step.kind != Kind::Build)
            continue;
        const bool chosen = recipe.ownFolder && isPlaceholder(step.definition);
        if (!chosen && !recipe.files.contains(step.definition)
            && !recipe.templates.contains(step.definition))
            fields.report("steps",
                tr("“%1” builds from “%2”, which is not listed in files or templates.")
                    .arg(step.id, step.definition));
        built << step.output;
    }
}

/// All texts of a step that may contain placeholders.
QStringList filledTexts(const RecipeStep& step)
{
    QStringList texts{
        step.command, step.title, step.tasks, step.workDir, step.definition, step.output};
    for (const Bind& bind : step.binds)
        texts << bind.source << bind.destination;
    return texts;
}

} // namespace

RecipeStep readRecipeStep(JsonFields& fields)
{
    RecipeStep step;
    step.id = fields.text("id", true);
    if (!isIdentifier(step.id))
        fields.report("id", tr("expected a word of a-z, 0-9 and -."));
    step.title = fields.text("title", true);
    step.kind = fields.word("kind", Kind::Exec,
        {{"exec", Kind::Exec}, {"host", Kind::Host}, {"build", Kind::Build},
            {"packages", Kind::Packages}});
    step.onlyIf = fields.text("if");
    step.command = fields.text("command", step.kind != Kind::Build);
    const QString why = placeholderProblem(step.command);
    if (!why.isEmpty())
        fields.report("command", why);
    readStart(fields, &step);
    readContainer(fields, &step);
    readBuild(fields, &step);
    step.comment = fields.texts("comment");
    for (const QString& line : step.comment) {
        if (line.contains(u'\n'))
            fields.report("comment", tr("expected one line per string."));
    }
    return step;
}

void checkRecipeSteps(JsonFields& fields, const Recipe& recipe)
{
    QStringList names = resourceKeys();
    names << QStringLiteral("lane") << QStringLiteral("lane_label");
    checkNames(fields, recipe, &names);
    checkSweep(fields, recipe);
    checkImages(fields, recipe);
    checkConditions(fields, recipe);
    if (recipe.steps.empty())
        fields.report("steps", tr("missing; expected at least one step."));
    QStringList ids{
        QStringLiteral("image"), QStringLiteral("check"), QStringLiteral("check-container")};
    for (const RecipeStep& step : recipe.steps) {
        if (ids.contains(step.id))
            fields.report(
                "steps", tr("the id “%1” is used twice, or is reserved by Slipway.").arg(step.id));
        ids << step.id;
        const QStringList known =
            step.perSweep ? names + QStringList{QStringLiteral("each")} : names;
        for (const QString& text : filledTexts(step)) {
            for (const QString& name : placeholderNames(text)) {
                if (!known.contains(name))
                    fields.report("steps",
                        tr("{%1} in “%2” is not a parameter of this recipe.").arg(name, step.id));
            }
        }
    }
}

} // namespace slipway
