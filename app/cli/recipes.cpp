// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/ownrecipes.h"
#include "remote/base/tr.h"

#include <QJsonArray>

namespace slipway {

namespace {

/// What to try next. Exercises have the number that --exercise takes; advice has none.
QJsonArray nextObjects(const Recipe& recipe)
{
    QJsonArray objects;
    int number = 0;
    for (const Exercise& exercise : recipe.teaching.next) {
        QJsonObject object{{QStringLiteral("text"), exercise.text}};
        if (!exercise.isAdvice()) {
            QJsonObject values;
            for (auto it = exercise.values.begin(); it != exercise.values.end(); ++it)
                values.insert(it.key(), it.value());
            object.insert(QStringLiteral("exercise"), ++number);
            object.insert(
                QStringLiteral("recipe"), exercise.recipe.isEmpty() ? recipe.id : exercise.recipe);
            object.insert(QStringLiteral("values"), values);
            object.insert(QStringLiteral("field"), exercise.field);
        }
        objects.append(object);
    }
    return objects;
}

QJsonObject recipeObject(const Recipe& recipe)
{
    QJsonArray parameters, lanes;
    for (const Parameter& parameter : recipe.parameters)
        parameters.append(QJsonObject{{QStringLiteral("key"), parameter.key},
            {QStringLiteral("label"), parameter.label}, {QStringLiteral("value"), parameter.value},
            {QStringLiteral("example"), parameter.example},
            {QStringLiteral("help"), parameter.help}});
    for (const Lane& lane : recipe.lanes)
        lanes.append(lane.id);
    static const char* const here[] = {"rendered", "cpu", "whole"};
    return {{QStringLiteral("id"), recipe.id},
        {QStringLiteral("demo"), QLatin1String(here[int(recipe.demo.how)])},
        {QStringLiteral("title"), recipe.title}, {QStringLiteral("group"), recipe.group},
        {QStringLiteral("summary"), recipe.summary}, {QStringLiteral("source"), recipe.source},
        {QStringLiteral("workflows"), QJsonArray::fromStringList(recipe.workflows)},
        {QStringLiteral("sites"), QJsonArray::fromStringList(recipe.sites)},
        {QStringLiteral("purpose"), recipe.teaching.purpose},
        {QStringLiteral("expect"), recipe.teaching.expect},
        {QStringLiteral("next"), nextObjects(recipe)}, {QStringLiteral("parameters"), parameters},
        {QStringLiteral("own"), recipe.own}, {QStringLiteral("code"), recipe.codeFolder()},
        {QStringLiteral("lanes"), lanes}, {QStringLiteral("folder"), recipe.folder}};
}

/// The command of an exercise, with a --set for the value that the user chooses.
QString exerciseCommand(const Recipe& recipe, const Exercise& exercise, int number)
{
    QString command =
        QStringLiteral("slipway-cli run %1 --site S --exercise %2").arg(recipe.id).arg(number);
    if (!exercise.field.isEmpty() && !exercise.values.contains(exercise.field))
        command += u" --set " + exercise.field + u"=VALUE";
    return command;
}

void printNext(Context& context, const Recipe& recipe)
{
    if (recipe.teaching.next.empty())
        return;
    context.out.line();
    context.out.line(tr("What to try next"));
    int number = 0;
    for (const Exercise& exercise : recipe.teaching.next) {
        const QString mark = exercise.isAdvice()
            ? QStringLiteral(" –")
            : QString::number(++number).rightJustified(2) + u'.';
        context.out.line(mark + u' ' + terminalText(exercise.text));
        if (!exercise.isAdvice())
            context.out.line(u"    $ " + exerciseCommand(recipe, exercise, number));
    }
}

ExitCode showRecipe(Context& context, const QString& id)
{
    const Recipe* recipe = context.recipe(id);
    if (!recipe)
        return ExitCode::Usage;
    if (context.out.json) {
        context.out.object(recipeObject(*recipe));
        return ExitCode::Done;
    }
    context.out.line(terminalText(recipe->title));
    for (const QString& text :
        {recipe->summary, recipe->teaching.purpose, recipe->teaching.expect}) {
        if (text.isEmpty())
            continue;
        context.out.line();
        context.out.line(terminalText(text));
    }
    printNext(context, *recipe);
    std::vector<QStringList> rows;
    for (const Parameter& parameter : recipe->parameters)
        rows.push_back({parameter.key,
            parameter.value.isEmpty() && !parameter.example.isEmpty()
                ? tr("(for example %1)").arg(parameter.example)
                : parameter.value,
            parameter.label});
    context.out.line();
    if (!rows.empty())
        context.out.table({tr("FIELD"), tr("VALUE"), tr("ABOUT")}, rows);
    if (!recipe->source.isEmpty())
        context.out.line(tr("Source: %1").arg(terminalText(recipe->source)));
    return ExitCode::Done;
}

QCoro::Task<ExitCode> listRecipes(Context& context)
{
    const QStringList words = context.arguments.positional;
    const QString verb = words.value(0);
    const QStringList verbs{
        QStringLiteral("show"), QStringLiteral("keep"), QStringLiteral("remove")};
    if (!words.isEmpty() && !verbs.contains(verb))
        co_return context.misused(tr("There is no “recipes %1”.").arg(verb),
            tr("Use “recipes show RECIPE”, “recipes keep RUN” or “recipes remove RECIPE”."));
    if (words.size() == 1 && verb == u"keep")
        co_return context.misused(
            tr("“recipes keep” requires a run."), tr("“slipway-cli runs” lists them."));
    if (words.size() == 1)
        co_return context.misused(tr("“recipes %1” requires a recipe.").arg(verb),
            tr("“slipway-cli recipes” lists them."));
    if (verb == u"keep") {
        const ExitCode code = co_await keepRunAsRecipe(context, words.at(1));
        co_return code;
    }
    if (verb == u"remove")
        co_return removeKeptRecipe(context, words.at(1));
    if (words.size() == 2)
        co_return showRecipe(context, words.at(1));
    std::vector<QStringList> rows;
    for (const Recipe& recipe : context.engine().catalogue()->recipes()) {
        if (context.out.json)
            context.out.object(recipeObject(recipe));
        QStringList keys;
        for (const Parameter& parameter : recipe.parameters)
            keys << parameter.key;
        rows.push_back({recipe.id, recipe.title, recipe.summary, keys.join(u' ')});
    }
    if (!context.out.json)
        context.out.table({tr("RECIPE"), tr("TITLE"), tr("ABOUT"), tr("FIELDS")}, rows);
    co_return ExitCode::Done;
}

} // namespace

Command recipesCommand()
{
    return {QStringLiteral("recipes"),
        QStringLiteral("[show RECIPE | keep RUN --id ID | remove RECIPE]"),
        tr("list the recipes, show one, keep a run as one"),
        tr("Lists the recipes, with the fields that --set accepts in addition to those of every "
           "job (partition, time,\n"
           "gpus, cpus, memory…). Your own recipes are folders in ~/.config/slipway/recipes.\n"
           "\n"
           "“recipes show RECIPE” prints the purpose of a recipe, what to expect, and what to try "
           "next. The numbers of\n"
           "the exercises are the ones that --exercise of run, render and lint takes.\n"
           "\n"
           "“recipes keep RUN --id ID” makes a recipe of your own from a run: its recipe with the "
           "values of the run, and\n"
           "your folder as it is now, without what .gitignore and .slipwayignore name, files over "
           "100 MiB, passwords and\n"
           "keys. It prints the folder, which can be shared. “recipes remove RECIPE” deletes a "
           "recipe of your own."),
        ownRecipeOptions(), 0, 2, listRecipes};
}

} // namespace slipway
