// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/follow.h"
#include "app/runs/logblock.h"
#include "app/runs/logstages.h"
#include "remote/base/tr.h"

#include <limits>

namespace slipway {

namespace {

/// Prints the lines of one stage, also of a long log whose beginning is only in the file.
QCoro::Task<ExitCode> printStageLines(Context& context, QString id, QString stage)
{
    Follower follower(context, id, Follower::OwnLines::Nothing);
    co_await follower.untilCaughtUp();
    const std::shared_ptr<RunFeed> feed = context.engine().runs()->holdFeed(id);
    const Run run = *context.engine().runs()->run(id);
    const auto sections = logSections(feed->headers(), run.stages);
    const auto wanted = sectionsOf(sections, run.stages, stage);
    if (wanted.empty()) {
        QStringList known;
        for (const LogSection& one : sections)
            known << run.stages[std::size_t(one.stage)].id;
        known.removeDuplicates();
        co_return context.misused(
            tr("The log of run %1 has no stage “%2”.").arg(id, terminalText(stage)),
            known.isEmpty() ? tr("It has no stages yet.")
                            : tr("It has: %1.").arg(known.join(QStringLiteral(", "))));
    }
    for (const LogSection& one : wanted) {
        constexpr qint64 end = std::numeric_limits<qint64>::max() / 4;
        const LogBlockRequest request{one.first, one.last > 0 ? one.last : end, one.first};
        const LogBlock block = readLogBlock(feed->source(), feed->placeBefore(one.first), request);
        if (!block.trouble.isEmpty())
            co_return context.fail(Error{ErrorKind::Io, block.trouble});
        for (std::size_t i = 0; i < block.numbers.size(); ++i) {
            const QString line = block.lines.at(qsizetype(i));
            if (context.out.json)
                context.out.object({{QStringLiteral("run"), id},
                    {QStringLiteral("line"), block.numbers[i]}, {QStringLiteral("log"), line}});
            else
                context.out.line(terminalText(line));
        }
        if (!block.numbers.empty() && one.last > block.numbers.back())
            context.out.note(tr("The stage is longer than what is printed at once: %1 of %2 lines.")
                                 .arg(block.numbers.size())
                                 .arg(one.last - one.first + 1));
    }
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> printLog(Context& context)
{
    const std::optional<Run> kept = context.run(context.arguments.positional.first());
    if (!kept)
        co_return ExitCode::Usage;
    const QString id = kept->id;
    const bool follow = context.arguments.has("--follow");
    if (follow && context.arguments.has("--stage"))
        co_return context.misused(tr("--stage and --follow exclude each other."));
    if (!isTerminal(kept->phase)) {
        const Result<void> connected = co_await context.connectTo(kept->spec.siteId);
        if (!connected.ok() && follow)
            co_return context.fail(connected.error());
        if (!connected.ok())
            context.out.note(connected.error().summary + u' '
                + tr("Showing the part of the log that is stored on this computer."));
    }
    if (context.arguments.has("--stage")) {
        const ExitCode printed =
            co_await printStageLines(context, id, context.arguments.value("--stage"));
        co_return printed;
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
    return {QStringLiteral("log"), QStringLiteral("RUN [--follow | --stage STAGE]"),
        tr("print the log of a run"),
        tr("Prints the log of a run. With --follow, continues until the run ends, with the same "
           "exit codes as “run”."),
        {{QStringLiteral("--follow"), {}, tr("continue until the run ends")},
            {QStringLiteral("--stage"), QStringLiteral("STAGE"),
                tr("only the lines of one stage, by its id or title: image, build, run")}},
        1, 1, printLog};
}

} // namespace slipway
