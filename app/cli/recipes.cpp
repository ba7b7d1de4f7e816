// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

#include <QJsonArray>

namespace slipway {

namespace {

QJsonObject recipeObject(const Recipe& recipe)
{
    QJsonArray parameters, lanes;
    for (const Parameter& parameter : recipe.parameters)
        parameters.append(QJsonObject{{QStringLiteral("key"), parameter.key}, {QStringLiteral("label"), parameter.label},
            {QStringLiteral("value"), parameter.value}, {QStringLiteral("help"), parameter.help}});
    for (const Lane& lane : recipe.lanes)
        lanes.append(lane.id);
    static const char* const here[] = {"rendered", "cpu", "whole"};
    return {{QStringLiteral("id"), recipe.id}, {QStringLiteral("demo"), QLatin1String(here[int(recipe.demo.how)])}, {QStringLiteral("title"), recipe.title}, {QStringLiteral("group"), recipe.group},
        {QStringLiteral("summary"), recipe.summary}, {QStringLiteral("source"), recipe.source},
        {QStringLiteral("workflows"), QJsonArray::fromStringList(recipe.workflows)}, {QStringLiteral("sites"), QJsonArray::fromStringList(recipe.sites)},
        {QStringLiteral("purpose"), recipe.teaching.purpose}, {QStringLiteral("expect"), recipe.teaching.expect},
        {QStringLiteral("next"), QJsonArray::fromStringList(recipe.teaching.next)}, {QStringLiteral("parameters"), parameters}, {QStringLiteral("lanes"), lanes},
        {QStringLiteral("folder"), recipe.folder}};
}

QCoro::Task<ExitCode> listRecipes(Context& context)
{
    std::vector<QStringList> rows;
    for (const Recipe& recipe : context.workbench().recipes()) {
        if (context.out.json)
            context.out.object(recipeObject(recipe));
        QStringList keys;
        for (const Parameter& parameter : recipe.parameters)
            keys << parameter.key;
        rows.push_back({recipe.id, recipe.title, recipe.summary, keys.join(u' ')});
    }
    if (!context.out.json)
        context.out.table({QStringLiteral("RECIPE"), QStringLiteral("TITLE"), QStringLiteral("ABOUT"), QStringLiteral("FIELDS")}, rows);
    co_return ExitCode::Done;
}

} // namespace

Command recipesCommand()
{
    return {QStringLiteral("recipes"), {}, QStringLiteral("list what can be launched"),
        QStringLiteral("Lists what can be launched, with the fields that --set takes besides those of every job\n"
                       "(partition, time, gpus, cpus, memory…). Your own are folders in ~/.config/slipway/recipes."),
        {}, 0, 0, listRecipes};
}

} // namespace slipway
