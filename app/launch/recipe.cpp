// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/recipe.h"

#include "app/launch/fields.h"
#include "app/launch/jsonfields.h"
#include "app/launch/names.h"
#include "app/launch/placeholders.h"

#include <algorithm>

namespace slipway {

namespace {

Parameter readParameter(JsonFields& fields)
{
    using Type = Parameter::Type;
    Parameter parameter;
    parameter.key = fields.text("key", true);
    if (!isKey(parameter.key))
        fields.complain("key", QStringLiteral("expected a word of a-z, 0-9 and _."));
    if (resourceKeys().contains(parameter.key))
        fields.complain("key", QStringLiteral("“%1” is a field of every job; give its default in resources.").arg(parameter.key));
    parameter.label = fields.text("label", true);
    parameter.help = fields.text("help");
    parameter.type = fields.word("type", Type::Text,
        {{"text", Type::Text}, {"integer", Type::Integer}, {"integer-list", Type::IntegerList},
            {"choice", Type::Choice}, {"flag", Type::Flag}, {"image", Type::Image},
            {"command", Type::Command}, {"lanes", Type::Lanes}, {"wall-time", Type::WallTime},
            {"memory", Type::Memory}});
    parameter.value = fields.text("value");
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
        fields.complain("choices", QStringLiteral("missing; a choice needs some."));
    const bool computed = parameter.type == Type::Lanes; // its choices are the lanes
    const QString why = parameter.value.isEmpty() || computed ? QString() : valueComplaint(parameter, parameter.value);
    if (!why.isEmpty())
        fields.complain("value", why);
    return parameter;
}

Lane readLane(JsonFields& fields)
{
    Lane lane;
    lane.id = fields.text("id", true);
    if (!isIdentifier(lane.id))
        fields.complain("id", QStringLiteral("expected a word of a-z, 0-9 and -."));
    lane.label = fields.text("label", true);
    lane.needsGpu = fields.flag("needs_gpu");
    lane.values = fields.textMap("values");
    return lane;
}

RecipeStep readStep(JsonFields& fields)
{
    RecipeStep step;
    step.id = fields.text("id", true);
    if (!isIdentifier(step.id))
        fields.complain("id", QStringLiteral("expected a word of a-z, 0-9 and -."));
    step.title = fields.text("title", true);
    step.kind = fields.word("kind", RecipeStep::Kind::Exec,
        {{"exec", RecipeStep::Kind::Exec}, {"host", RecipeStep::Kind::Host}});
    step.command = fields.text("command", true);
    const QString why = placeholderComplaint(step.command);
    if (!why.isEmpty())
        fields.complain("command", why);
    step.perLane = fields.flag("per_lane");
    step.nv = fields.flag("nv");
    step.comment = fields.texts("comment");
    for (const QString& line : step.comment) {
        if (line.contains(u'\n'))
            fields.complain("comment", QStringLiteral("expected one line a text."));
    }
    return step;
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
    fields.objects("points", [&](JsonFields& point) {
        const std::optional<double> x = point.number("x"), y = point.number("y");
        if (!x || !y)
            return point.complain("y", QStringLiteral("expected numbers for x and y."));
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
    chart.higherIsBetter = fields.flag("higher_is_better", true);
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
            fields.complain("resources",
                QStringLiteral("“%1” is not a field of a job; known are: %2.").arg(key, resourceKeys().join(u", ")));
    }
    recipe->mostNodes = std::max(1, fields.count("most_nodes", 1));
}

void readPaths(JsonFields& fields, Recipe* recipe)
{
    recipe->files = fields.texts("files");
    recipe->results = fields.texts("results");
    for (const QString& file : recipe->files) {
        if (!isInnerPath(file) || file.contains(u'*'))
            fields.complain("files", QStringLiteral("“%1” is not a plain path inside the recipe's folder.").arg(file));
    }
    for (const QString& pattern : recipe->results) {
        if (!isInnerPath(pattern))
            fields.complain("results", QStringLiteral("“%1” is not a pattern inside results/.").arg(pattern));
    }
}

/// What one field cannot tell: names that must differ, placeholders that must be known.
void checkWhole(JsonFields& fields, const Recipe& recipe)
{
    QStringList names = resourceKeys();
    names << QStringLiteral("lane") << QStringLiteral("lane_label");
    bool lanesAsked = false;
    for (const Parameter& parameter : recipe.parameters) {
        if (names.contains(parameter.key))
            fields.complain("parameters", QStringLiteral("the key “%1” is given twice.").arg(parameter.key));
        names << parameter.key;
        lanesAsked = lanesAsked || parameter.type == Parameter::Type::Lanes;
    }
    for (const Lane& lane : recipe.lanes)
        names << lane.values.keys();
    if (recipe.lanes.empty() == lanesAsked)
        fields.complain("lanes", QStringLiteral("lanes and a parameter of type lanes come together."));
    if (recipe.steps.empty())
        fields.complain("steps", QStringLiteral("missing; expected at least one step."));
    QStringList steps;
    for (const RecipeStep& step : recipe.steps) {
        if (steps.contains(step.id))
            fields.complain("steps", QStringLiteral("the id “%1” is given twice.").arg(step.id));
        steps << step.id;
        for (const QString& name : placeholderNames(step.command)) {
            if (!names.contains(name))
                fields.complain("steps", QStringLiteral("{%1} in “%2” is no parameter of this recipe.").arg(name, step.id));
        }
    }
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
        fields.complain("id", QStringLiteral("expected a word of a-z, 0-9 and -."));
    recipe.title = fields.text("title", true);
    recipe.group = fields.text("group", true);
    recipe.summary = fields.text("summary", true);
    recipe.about = fields.text("about");
    readResources(fields, &recipe);
    fields.objects("parameters",
        [&](JsonFields& parameter) { recipe.parameters.push_back(readParameter(parameter)); });
    fields.objects("lanes", [&](JsonFields& lane) { recipe.lanes.push_back(readLane(lane)); });
    fields.objects("steps", [&](JsonFields& step) { recipe.steps.push_back(readStep(step)); });
    readPaths(fields, &recipe);
    recipe.recognisers = fields.texts("recognisers");
    fields.objects("charts", [&](JsonFields& chart) { recipe.charts.push_back(readChart(chart)); });
    checkWhole(fields, recipe);
    fields.finish();
    if (!parsed->clean())
        return parsed->error();
    return recipe;
}

} // namespace slipway
