// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/filledspec.h"

#include "app/catalogue/fields.h"

namespace slipway {

LaunchSpec filledSpec(const Recipe& recipe, const Site& site, const QMap<QString, QString>& values)
{
    LaunchSpec spec;
    spec.recipeId = recipe.id;
    spec.siteId = site.id;
    spec.values = values;
    if (recipe.ownFolder)
        spec.project = QStringLiteral("/home/ada/project");
    if (site.account == AccountRule::Required && !spec.values.contains(QStringLiteral("account")))
        spec.values.insert(QStringLiteral("account"), QStringLiteral("csc000"));
    for (const Parameter& field : formFields(recipe, site, {}, spec)) {
        if (field.required && field.value.isEmpty() && !field.example.isEmpty()
            && !values.contains(field.key))
            spec.values.insert(
                field.key, withoutPlaceholders(field.example, QStringLiteral("ada")));
    }
    return spec;
}

} // namespace slipway
