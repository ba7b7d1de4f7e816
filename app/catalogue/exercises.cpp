// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/exercises.h"

#include "app/catalogue/fields.h"
#include "app/catalogue/jsonfields.h"
#include "app/catalogue/resources.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

Exercise readExercise(JsonFields& fields)
{
    Exercise exercise;
    exercise.text = fields.text("text", true);
    exercise.values = fields.textMap("values");
    exercise.recipe = fields.text("recipe");
    exercise.field = fields.text("field");
    if (exercise.isAdvice())
        fields.report("values",
            tr("an exercise needs values, a recipe or a field; write advice as a plain string."));
    return exercise;
}

/// Whether its fields are those of the recipe that contains it.
bool isOwn(const Exercise& exercise, const Recipe& recipe)
{
    return exercise.recipe.isEmpty() || exercise.recipe == recipe.id;
}

/// Why the fields of `recipe` do not accept this; empty: they do.
QString exerciseProblem(const Exercise& exercise, const Recipe& recipe)
{
    QStringList keys = exercise.values.keys();
    if (!exercise.field.isEmpty())
        keys << exercise.field;
    for (const QString& key : keys) {
        const auto field = std::find_if(recipe.parameters.begin(), recipe.parameters.end(),
            [&key](const Parameter& parameter) { return parameter.key == key; });
        if (field == recipe.parameters.end()) {
            if (!resourceKeys().contains(key))
                return tr("“%1” is not a field of %2.").arg(key, recipe.id);
            continue;
        }
        Parameter checked = *field;
        for (const Lane& lane : recipe.lanes) {
            if (checked.type == Parameter::Type::Lanes)
                checked.choices << lane.id;
        }
        const QString value = exercise.values.value(key);
        const QString why = value.isEmpty() ? QString() : valueProblem(checked, value);
        if (!why.isEmpty())
            return key + u": " + why;
    }
    return {};
}

} // namespace

std::vector<Exercise> readNext(JsonFields& teaching)
{
    std::vector<Exercise> next;
    teaching.textsOrObjects(
        "next",
        [&next](const QString& advice) {
            next.push_back({advice, {}, {}, {}});
        },
        [&next](JsonFields& fields) { next.push_back(readExercise(fields)); });
    return next;
}

void checkExercises(JsonFields& fields, const Recipe& recipe)
{
    int index = 0;
    for (const Exercise& exercise : recipe.teaching.next) {
        const QByteArray at = QStringLiteral("teaching.next[%1]").arg(index++).toUtf8();
        const QString why = isOwn(exercise, recipe) ? exerciseProblem(exercise, recipe) : QString();
        if (!why.isEmpty())
            fields.report(at.constData(), why);
    }
}

void checkExercises(Resources* resources)
{
    for (Recipe& recipe : resources->recipes) {
        const auto problem = [&](const Exercise& exercise) {
            const auto named = std::find_if(resources->recipes.begin(), resources->recipes.end(),
                [&](const Recipe& one) { return one.id == exercise.recipe; });
            return named == resources->recipes.end()
                ? tr("there is no recipe “%1”.").arg(exercise.recipe)
                : exerciseProblem(exercise, *named);
        };
        std::vector<Exercise> kept;
        for (const Exercise& exercise : recipe.teaching.next) {
            const QString why = isOwn(exercise, recipe) ? QString() : problem(exercise);
            if (why.isEmpty())
                kept.push_back(exercise);
            else
                resources->errors.push_back(Error{ErrorKind::Invalid,
                    QStringLiteral("%1/recipe.json: teaching.next: %2").arg(recipe.folder, why)});
        }
        recipe.teaching.next = std::move(kept);
    }
}

} // namespace slipway
