// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

namespace slipway {

namespace {

QCoro::Task<ExitCode> printScript(Context& context)
{
    const std::optional<LaunchSpec> spec = context.launchSpec();
    if (!spec)
        co_return ExitCode::Usage;
    const Plan plan = context.engine().runs()->plan(*spec);
    const QByteArray script = renderScript(plan);
    if (context.out.json)
        context.out.object(
            {{QStringLiteral("recipe"), spec->recipeId}, {QStringLiteral("site"), spec->siteId},
                {QStringLiteral("script"), QString::fromUtf8(script)},
                {QStringLiteral("errors"), plan.hasErrors()}});
    else
        context.out.raw(script);
    if (!plan.hasErrors())
        co_return ExitCode::Done;
    context.out.note(QStringLiteral("This would be refused; “slipway-cli lint” says why."));
    co_return ExitCode::Failed;
}

} // namespace

Command renderCommand()
{
    std::vector<OptionSpec> options = launchOptions();
    options.push_back({QStringLiteral("--interactive"), {},
        QStringLiteral("show the steps of an interactive run")});
    return {QStringLiteral("render"),
        QStringLiteral("RECIPE --site S [--set K=V]… [--exercise N] [--interactive]"),
        QStringLiteral("print the script that would be submitted"),
        QStringLiteral(
            "Prints the exact bytes of the script that “run” would submit. Nothing is sent."),
        options, 1, 1, printScript};
}

} // namespace slipway
