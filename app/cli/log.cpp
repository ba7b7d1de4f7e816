// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/follow.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

QCoro::Task<ExitCode> printLog(Context& context)
{
    const std::optional<Run> kept = context.run(context.arguments.positional.first());
    if (!kept)
        co_return ExitCode::Usage;
    const QString id = kept->id;
    const bool follow = context.arguments.has("--follow");
    if (!isTerminal(kept->phase)) {
        const Result<void> connected = co_await context.connectTo(kept->spec.siteId);
        if (!connected.ok() && follow)
            co_return context.fail(connected.error());
        if (!connected.ok())
            context.out.note(connected.error().summary + u' '
                + tr("Showing the part of the log that is stored on this computer."));
    }
    Follower follower(context, id);
    if (!follow) {
        co_await follower.untilCaughtUp();
        co_return ExitCode::Done;
    }
    const Follower::End end = co_await follower.untilEnd();
    if (end != Follower::End::Ended)
        co_return printLeaving(context, id, end);
    const Run run = *context.engine().runs()->run(id);
    printResults(context, run);
    const ExitCode code = printEnding(context, run);
    const ExitCode released = co_await releaseAtEnd(context, id, code);
    co_return released;
}

} // namespace

Command logCommand()
{
    return {QStringLiteral("log"), QStringLiteral("RUN [--follow]"), tr("print the log of a run"),
        tr("Prints the log of a run. With --follow, continues until the run ends, with the same "
           "exit codes as “run”."),
        {{QStringLiteral("--follow"), {}, tr("continue until the run ends")}}, 1, 1, printLog};
}

} // namespace slipway
