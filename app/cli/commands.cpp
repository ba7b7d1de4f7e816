// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

namespace slipway {

const std::vector<Command>& allCommands()
{
    static const std::vector<Command> commands{sitesCommand(), recipesCommand(), workflowsCommand(),
        renderCommand(), lintCommand(), runCommand(), runsCommand(), showCommand(), logCommand(),
        cancelCommand(), fetchCommand(), compareCommand(), metricsCommand(), explainCommand(),
        nodeCommand(), cleanupCommand(), demoCommand()};
    return commands;
}

} // namespace slipway
