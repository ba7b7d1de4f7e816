// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "app/runs/proposalvalues.h"

namespace slipway {

/// Whether the first word of a command is a program or folder of this computer. The id of a recipe
/// goes before a file of the same name.
bool isOwnWork(Context& context);

/// Reads the folder that the first word names; the words after “--” are the program's. None: the
/// error was printed.
std::optional<Proposal> readOwnWork(Context& context);

/// The proposed values as values of a launch. What the site file says of own programs goes first,
/// and a value that has no field at this site is left out.
void applyProposal(
    const Proposal& proposal, const Recipe& recipe, const Site& site, LaunchSpec* spec);

/// Prints each value with its reason on stderr, or one object. `set` names the fields that the
/// command line has set.
void printProposal(
    Context& context, const Proposal& proposal, const LaunchSpec& spec, const QStringList& set);

/// Prints what will be sent, and what has changed since the last run of this folder at the site.
QCoro::Task<Result<void>> printChanges(Context& context, LaunchSpec spec);

/// Shows how far the upload of the folder is, as long as the result exists; null: there is none.
std::unique_ptr<QObject> showUpload(Context& context, const LaunchSpec& spec);

} // namespace slipway
