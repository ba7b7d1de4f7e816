// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "remote/base/tr.h"

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
    context.out.note(tr("This launch would be refused. “slipway-cli lint” explains why."));
    co_return ExitCode::Failed;
}

} // namespace

Command renderCommand()
{
    std::vector<OptionSpec> options = launchOptions();
    options.push_back(
        {QStringLiteral("--interactive"), {}, tr("print the steps of an interactive run")});
    return {QStringLiteral("render"),
        QStringLiteral("RECIPE|FILE --site S [--set K=V]… [--gpus N] [--image REF] [--exercise N] "
                       "[--interactive] [-- WORD…]"),
        tr("print the script that would be submitted"),
        tr("Prints the script exactly as “run” would submit it. Nothing is sent. FILE is a program "
           "of yours or its folder:\n"
           "what it needs is printed on stderr, with the reasons."),
        options, 1, 1, printScript, {}, true};
}

} // namespace slipway
