// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

namespace slipway {

const std::vector<Command>& allCommands()
{
    static const std::vector<Command> commands{sitesCommand(), recipesCommand(), workflowsCommand(),
        renderCommand(), lintCommand(), runCommand(), runsCommand(), labelCommand(), showCommand(),
        logCommand(), cancelCommand(), fetchCommand(), compareCommand(), reportCommand(),
        metricsCommand(), explainCommand(), nodeCommand(), cleanupCommand(), imageCommand(),
        secretCommand(), connectionsCommand(), demoCommand(), completionCommand()};
    return commands;
}

} // namespace slipway
