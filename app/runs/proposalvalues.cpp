// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/proposalvalues.h"

#include <algorithm>

namespace slipway {

QString ownRecipe()
{
    return QStringLiteral("own-code");
}

bool takesProposal(const Recipe& recipe)
{
    return recipe.ownFolder
        && std::any_of(recipe.parameters.begin(), recipe.parameters.end(),
            [](const Parameter& one) { return one.key == u"command" && one.value.isEmpty(); });
}

QString proposalField(const QString& key)
{
    return key == u"tasks" ? QStringLiteral("tasks_per_node") : key;
}

QMap<QString, QString> proposedValues(
    const Proposal& proposal, const Recipe& recipe, const Site& site, LaunchSpec spec)
{
    spec.project = proposal.folder;
    QStringList fields;
    for (const Parameter& field : formFields(recipe, site, {}, spec))
        fields << field.key;
    const QMap<QString, QString> ofSite = site.recipeValues.value(recipe.id);
    QMap<QString, QString> values;
    for (const QString& name : proposal.values.keys()) {
        const QString key = proposalField(name);
        if (fields.contains(key) && !ofSite.contains(key))
            values.insert(key, proposal.values.value(name));
    }
    return values;
}

} // namespace slipway
