// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/project/proposal.h"

namespace slipway {

/// The id of the recipe that runs a person's own program.
QString ownRecipe();

/// Whether a proposal is of use for a recipe: it runs a program of the person's folder, and leaves
/// open which. Not for one that builds an image there, or that was kept with its values.
bool takesProposal(const Recipe& recipe);

/// The field that a proposed value fills: tasks are those of a node.
QString proposalField(const QString& key);

/// The proposed values by field, as values of the launch `spec`. What the site file says of own
/// programs goes first, and a value that has no field at this site is left out. Pure.
QMap<QString, QString> proposedValues(
    const Proposal& proposal, const Recipe& recipe, const Site& site, LaunchSpec spec);

} // namespace slipway
