// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/imagecheck.h"
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
    bool fails = plan.hasErrors();
    if (context.arguments.has("--ask-registry")) {
        const LaunchSpec asked = *spec;
        const std::vector<CheckedImage> images = co_await checkImages(context, asked);
        printImages(context, images);
        fails = fails || imageRefusal(images).has_value();
    }
    if (plan.problems.empty() && !fails && !context.out.json)
        context.out.line(tr("No problems found."));
    co_return fails ? ExitCode::Failed : ExitCode::Done;
}

} // namespace

Command lintCommand()
{
    std::vector<OptionSpec> options = launchOptions();
    options.push_back({QStringLiteral("--interactive"), {}, tr("check an interactive run")});
    options.push_back(
        {QStringLiteral("--ask-registry"), {}, tr("ask the registry about the image as well")});
    return {QStringLiteral("lint"),
        QStringLiteral("RECIPE|FILE --site S [--set K=V]… [--gpus N] [--image REF] [--exercise N] "
                       "[--interactive] [--ask-registry] [-- WORD…]"),
        tr("check a launch before it is submitted"),
        tr("Prints one problem per line, with its fix. The exit code is 1 if there is an error; "
           "warnings do not count.\nOnly the facts in the site file are checked, because lint does "
           "not connect.\nWith --ask-registry, the image must exist and run on the partition; an "
           "answer that is not known is no error."),
        options, 1, 1, printProblems, {}, true};
}

} // namespace slipway
