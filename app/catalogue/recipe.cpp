// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipe.h"

#include <algorithm>
#include <iterator>

namespace slipway {

QString Teaching::text() const
{
    QStringList parts;
    for (const QString& part : {purpose, expect}) {
        if (!part.isEmpty())
            parts << part;
    }
    for (const Exercise& exercise : next)
        parts << exercise.text;
    return parts.join(QStringLiteral("\n\n"));
}

std::vector<Exercise> Teaching::exercises() const
{
    std::vector<Exercise> exercises;
    std::copy_if(next.begin(), next.end(), std::back_inserter(exercises),
        [](const Exercise& one) { return !one.isAdvice(); });
    return exercises;
}

bool recipeBelongs(const Recipe& recipe, const Site& site)
{
    return site.own || recipe.sites.isEmpty() || recipe.sites.contains(site.id);
}

std::vector<RuntimeKind> recipeRuntimes(const Recipe& recipe)
{
    const bool singleFile =
        std::any_of(recipe.steps.begin(), recipe.steps.end(), [](const RecipeStep& step) {
            return step.kind == RecipeStep::Kind::Build || step.fakeroot || !step.overlay.isEmpty();
        });
    std::vector<RuntimeKind> runtimes;
    for (RuntimeKind runtime : {RuntimeKind::Apptainer, RuntimeKind::Singularity,
             RuntimeKind::Enroot, RuntimeKind::Pyxis}) {
        const bool enroot = isEnrootLike(runtime);
        const bool named = !recipe.runtimes
            || std::find(recipe.runtimes->begin(), recipe.runtimes->end(), runtime)
                != recipe.runtimes->end();
        if (named && !(enroot && singleFile))
            runtimes.push_back(runtime);
    }
    return runtimes;
}

} // namespace slipway
