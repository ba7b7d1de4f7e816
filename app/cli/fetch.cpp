// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/resultfiles.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

QCoro::Task<ExitCode> fetchRun(Context& context)
{
    const std::optional<Run> run = context.run(context.arguments.positional.first());
    if (!run)
        co_return ExitCode::Usage;
    QObject receiver;
    QObject::connect(&context.interrupts(), &Interrupts::interrupted, &receiver,
        [&context, site = run->spec.siteId] { context.engine().sessions()->disconnectSite(site); });
    const Result<void> connected = co_await context.connectTo(run->spec.siteId);
    if (!connected.ok() && Interrupts::pending())
        co_return ExitCode::Interrupted;
    if (!connected.ok())
        co_return context.fail(connected.error());
    context.out.progress(tr("Fetching run %1…").arg(run->id));
    const Result<QString> folder =
        co_await fetchFiles(context, *run, context.arguments.positional.at(1));
    if (!folder.ok())
        co_return context.fail(folder.error());
    if (context.out.json)
        context.out.object({{QStringLiteral("run"), run->id}, {QStringLiteral("path"), *folder}});
    else
        context.out.line(*folder);
    co_return ExitCode::Done;
}

} // namespace

Command fetchCommand()
{
    return {QStringLiteral("fetch"), QStringLiteral("RUN DIR"),
        tr("copy a run's script, log and results to this computer"),
        tr("Copies the script, log, events, results and run.json to a new folder in DIR, and "
           "prints its path."),
        {}, 2, 2, fetchRun};
}

} // namespace slipway
