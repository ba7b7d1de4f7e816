// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

/// “recipes keep RUN --id ID”.
QCoro::Task<ExitCode> keepRunAsRecipe(Context& context, QString runId);

/// “recipes remove ID”.
ExitCode removeKeptRecipe(Context& context, const QString& id);

std::vector<OptionSpec> ownRecipeOptions();

} // namespace slipway
