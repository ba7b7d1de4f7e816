// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"

#include "app/catalogue/exercises.h"
#include "app/catalogue/fields.h"
#include "app/catalogue/jsonfields.h"
#include "app/catalogue/names.h"
#include "app/catalogue/recipesteps.h"
#include "plots/metrics/patternspec.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

using Type = Parameter::Type;

Parameter readParameter(JsonFields& fields)
{
    Parameter parameter;
    parameter.key = fields.text("key", true);
    if (!isKey(parameter.key))
        fields.report("key", tr("expected a word of a-z, 0-9 and _."));
    if (resourceKeys().contains(parameter.key))
        fields.report("key",
            tr("“%1” is a field of every job; give its default in resources.").arg(parameter.key));
    parameter.label = fields.text("label", true);
    parameter.help = fields.text("help");
    parameter.type = fields.word("type", Type::Text,
        {{"text", Type::Text}, {"integer", Type::Integer}, {"integer-list", Type::IntegerList},
            {"choice", Type::Choice}, {"flag", Type::Flag}, {"image", Type::Image},
            {"command", Type::Command}, {"lanes", Type::Lanes}, {"wall-time", Type::WallTime},
            {"memory", Type::Memory}, {"number", Type::Number}, {"path", Type::Path},
            {"folders", Type::Folders}});
    parameter.value = fields.text("value");
    parameter.example = fields.text("example");
    parameter.choices = fields.texts("choices");
    parameter.least = fields.integer("least");
    parameter.most = fields.integer("most");
    parameter.required = fields.flag("required");
    parameter.advanced = fields.flag("advanced");
    fields.object("memory_need", [&parameter](JsonFields& need) {
        parameter.bytesEach = need.number("bytes").value_or(0);
        parameter.power = need.count("power", 1);
    });
    if (parameter.type == Type::Choice && parameter.choices.isEmpty())
        fields.report("choices", tr("missing; a field of type choice needs at least one."));
    const bool computed = parameter.type == Type::Lanes; // its choices are the lanes
    const bool settled =
        !parameter.value.isEmpty() && !computed && !parameter.value.contains(u"{built}");
    const QString why = settled ? valueProblem(parameter, parameter.value) : QString();
    if (!why.isEmpty())
        fields.report("value", why);
    if (const QString no =
            parameter.example.isEmpty() ? QString() : valueProblem(parameter, parameter.example);
        !no.isEmpty())
        fields.report("example", no);
    return parameter;
}

Lane readLane(JsonFields& fields)
{
    Lane lane;
    lane.id = fields.text("id", true);
    if (!isIdentifier(lane.id))
        fields.report("id", tr("expected a word of a-z, 0-9 and -."));
    lane.label = fields.text("label", true);
    lane.needsGpu = fields.flag("needs_gpu");
    lane.values = fields.textMap("values");
    return lane;
}

ChartAxis readAxis(JsonFields& fields, const char* key)
{
    ChartAxis axis;
    fields.object(key, [&axis](JsonFields& object) {
        axis.name = object.text("name");
        axis.unit = object.text("unit");
        axis.logarithmic = object.flag("logarithmic");
    });
    return axis;
}

ReferenceSeries readReference(JsonFields& fields)
{
    ReferenceSeries reference;
    reference.label = fields.text("label", true);
    reference.series = fields.text("series");
    reference.source = fields.text("source", true);
    reference.conditions = fields.text("conditions");
    reference.notComparable = fields.text("not_comparable");
    fields.objects("points", [&](JsonFields& point) {
        const std::optional<double> x = point.number("x"), y = point.number("y");
        if (!x || !y)
            return point.report("y", tr("expected numbers for x and y."));
        reference.points.push_back({*x, *y});
    });
    return reference;
}

ChartSpec readChart(JsonFields& fields)
{
    ChartSpec chart;
    chart.id = fields.text("id", true);
    chart.title = fields.text("title", true);
    chart.series = fields.text("series");
    chart.x = readAxis(fields, "x");
    chart.y = readAxis(fields, "y");
    if (fields.has("higher_is_better"))
        chart.higherIsBetter = fields.flag("higher_is_better");
    fields.objects("references",
        [&](JsonFields& reference) { chart.references.push_back(readReference(reference)); });
    return chart;
}

/// The defaults of the job's own fields.
void readResources(JsonFields& fields, Recipe* recipe)
{
    recipe->resources = fields.textMap("resources");
    for (const QString& key : recipe->resources.keys()) {
        if (!resourceKeys().contains(key))
            fields.report("resources",
                tr("“%1” is not a field of a job; known are: %2.")
                    .arg(key, resourceKeys().join(u", ")));
    }
    const QMap<QString, QMap<QString, QString>> byGpus = fields.textMaps("by_gpus");
    for (auto it = byGpus.begin(); it != byGpus.end(); ++it) {
        static const QStringList known{
            QStringLiteral("cpus"), QStringLiteral("memory"), QStringLiteral("tasks_per_node")};
        const QStringList keys = it->keys();
        if (it.key().toInt() < 1 || !std::all_of(keys.begin(), keys.end(), [](const QString& key) {
                return known.contains(key);
            }))
            fields.report("by_gpus",
                tr("“%1”: expected a number of GPUs, with cpus, memory and tasks_per_node.")
                    .arg(it.key()));
        recipe->byGpus.insert(it.key().toInt(), *it);
    }
    recipe->mostNodes = std::max(1, fields.count("most_nodes", 1));
}

void readPaths(JsonFields& fields, Recipe* recipe)
{
    recipe->files = fields.texts("files");
    recipe->templates = fields.texts("templates");
    recipe->results = fields.texts("results");
    for (const QString& file : recipe->files + recipe->templates) {
        if (!isInnerPath(file) || file.contains(u'*'))
            fields.report(
                "files", tr("“%1” is not a plain path inside the recipe's folder.").arg(file));
    }
    for (const QString& pattern : recipe->results) {
        if (!isInnerPath(pattern))
            fields.report("results", tr("“%1” is not a pattern inside results/.").arg(pattern));
    }
}

void readTeaching(JsonFields& fields, Recipe* recipe)
{
    fields.object("teaching", [recipe](JsonFields& teaching) {
        recipe->teaching.purpose = teaching.text("purpose", true);
        recipe->teaching.expect = teaching.text("expect");
        recipe->teaching.next = readNext(teaching);
    });
    recipe->source = fields.text("source");
    recipe->workflows = fields.texts("workflows");
}

/// The sites of the recipe, and the values of its fields there.
void readPlaces(JsonFields& fields, Recipe* recipe)
{
    recipe->sites = fields.texts("sites");
    for (const QString& name : fields.texts("runtimes")) {
        const std::optional<RuntimeKind> runtime = runtimeNamed(name);
        if (!runtime) {
            fields.report("runtimes",
                tr("“%1” is not a container runtime; expected one of: apptainer, singularity, "
                   "enroot, pyxis.")
                    .arg(name));
            continue;
        }
        if (!recipe->runtimes)
            recipe->runtimes.emplace();
        recipe->runtimes->push_back(*runtime);
    }
    recipe->siteValues = fields.textMaps("site_values");
    fields.object("demo", [recipe](JsonFields& demo) {
        recipe->demo.how = demo.word("runs", DemoRun::How::No,
            {{"no", DemoRun::How::No}, {"cpu", DemoRun::How::Cpu}, {"whole", DemoRun::How::Whole}});
        recipe->demo.why = demo.text("why", true);
        recipe->demo.series = demo.texts("series");
        recipe->demo.hints = demo.texts("hints");
        recipe->demo.state = demo.has("state") ? demo.text("state") : QStringLiteral("done");
        const QStringList states{QStringLiteral("done"), QStringLiteral("failed"),
            QStringLiteral("timeout"), QStringLiteral("out-of-memory"), QStringLiteral("refused")};
        if (!states.contains(recipe->demo.state))
            demo.report("state", tr("expected one of: %1.").arg(states.join(u", ")));
    });
}

PatternSpec readPattern(JsonFields& fields)
{
    PatternSpec pattern;
    pattern.match = fields.text("match", true);
    pattern.x = fields.text("x");
    pattern.units = fields.textMap("units");
    pattern.lane = fields.text("lane");
    const QString why = pattern.match.isEmpty() ? QString() : patternProblem(pattern);
    if (!why.isEmpty())
        fields.report("match", why);
    return pattern;
}

void readSweep(JsonFields& fields, Recipe* recipe)
{
    fields.object("sweep", [recipe](JsonFields& sweep) {
        recipe->sweep.parameter = sweep.text("parameter", true);
        recipe->sweep.as = sweep.word("as", RecipeSweep::As::Steps,
            {{"steps", RecipeSweep::As::Steps}, {"jobs", RecipeSweep::As::Jobs}});
        recipe->sweep.values = sweep.text("values");
    });
    fields.objects("rules", [recipe](JsonFields& rule) {
        const RecipeRule one{rule.text("field", true), rule.text("equals"),
            rule.count("multiple_of"), rule.text("at_most"), rule.text("times"),
            rule.text("why", true)};
        const int kinds =
            int(!one.equals.isEmpty()) + int(one.multipleOf != 0) + int(!one.atMost.isEmpty());
        if (kinds != 1)
            rule.report("equals", tr("expected one of equals, multiple_of and at_most."));
        recipe->rules.push_back(one);
    });
    fields.objects("environment", [recipe](JsonFields& variable) {
        RecipeVariable one{
            variable.text("name", true), variable.text("value", true), variable.text("comment")};
        if (!isVariableName(one.name))
            variable.report("name", tr("“%1” is not a variable name.").arg(one.name));
        recipe->environment.push_back(one);
    });
}

} // namespace

Result<Recipe> parseRecipe(const QByteArray& json, const QString& folder)
{
    const QString file = folder + QStringLiteral("/recipe.json");
    Result<JsonFile> parsed = JsonFile::parse(json, file);
    if (!parsed.ok())
        return parsed.error();
    JsonFields fields(&*parsed, parsed->root(), {});
    Recipe recipe;
    recipe.folder = folder;
    recipe.id = fields.text("id", true);
    if (!isIdentifier(recipe.id))
        fields.report("id", tr("expected a word of a-z, 0-9 and -."));
    recipe.title = fields.text("title", true);
    recipe.group = fields.text("group", true);
    recipe.order = fields.count("order", 100);
    recipe.summary = fields.text("summary", true);
    readTeaching(fields, &recipe);
    readPlaces(fields, &recipe);
    readResources(fields, &recipe);
    fields.objects("parameters",
        [&](JsonFields& parameter) { recipe.parameters.push_back(readParameter(parameter)); });
    fields.objects("lanes", [&](JsonFields& lane) { recipe.lanes.push_back(readLane(lane)); });
    readSweep(fields, &recipe);
    fields.objects(
        "steps", [&](JsonFields& step) { recipe.steps.push_back(readRecipeStep(step)); });
    readPaths(fields, &recipe);
    recipe.ownFolder = fields.flag("own_folder");
    recipe.code = fields.text("code");
    if (!recipe.code.isEmpty() && (!isInnerPath(recipe.code) || recipe.code.contains(u'*')))
        fields.report("code", tr("expected the name of a folder beside recipe.json."));
    else if (!recipe.code.isEmpty() && !recipe.ownFolder)
        fields.report("code", tr("only a recipe with own_folder sends a folder."));
    recipe.recognisers = fields.texts("recognisers");
    fields.objects(
        "patterns", [&](JsonFields& pattern) { recipe.patterns.push_back(readPattern(pattern)); });
    fields.objects("charts", [&](JsonFields& chart) { recipe.charts.push_back(readChart(chart)); });
    checkRecipeSteps(fields, recipe);
    checkExercises(fields, recipe);
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return recipe;
}

QJsonObject patternToJson(const PatternSpec& pattern)
{
    QJsonObject object{{QStringLiteral("match"), pattern.match}};
    const auto put = [&object](const char* key, const QString& text) {
        if (!text.isEmpty())
            object.insert(QLatin1String(key), text);
    };
    put("x", pattern.x);
    put("lane", pattern.lane);
    QJsonObject units;
    for (auto it = pattern.units.begin(); it != pattern.units.end(); ++it)
        units.insert(it.key(), it.value());
    if (!units.isEmpty())
        object.insert(QStringLiteral("units"), units);
    return object;
}

} // namespace slipway
