// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/problems.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

QCoro::Task<ExitCode> printProblems(Context& context)
{
    const std::optional<LaunchSpec> spec = context.launchSpec();
    if (!spec)
        co_return ExitCode::Usage;
    const Plan plan = context.engine().runs()->plan(*spec);
    for (const Problem& problem : plan.problems)
        printProblem(context, problem);
    if (plan.problems.empty() && !context.out.json)
        context.out.line(tr("No problems found."));
    co_return plan.hasErrors() ? ExitCode::Failed : ExitCode::Done;
}

} // namespace

Command lintCommand()
{
    std::vector<OptionSpec> options = launchOptions();
    options.push_back({QStringLiteral("--interactive"), {}, tr("check an interactive run")});
    return {QStringLiteral("lint"),
        QStringLiteral("RECIPE|FILE --site S [--set K=V]… [--gpus N] [--image REF] [--exercise N] "
                       "[--interactive] [-- WORD…]"),
        tr("check a launch before it is submitted"),
        tr("Prints one problem per line, with its fix. The exit code is 1 if there is an error; "
           "warnings do not count.\nOnly the facts in the site file are checked, because lint does "
           "not connect."),
        options, 1, 1, printProblems, {}, true};
}

} // namespace slipway
