// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/jsonobjects.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

/// A table for a person; checks that did not pass have their cause and remedy.
void printReport(Context& context, const NodeReport& report)
{
    if (const QString sentence = nodeSentence(report); !sentence.isEmpty())
        context.out.line(terminalText(sentence));
    std::vector<QStringList> rows;
    for (const CheckRow& row : report.rows) {
        QString text = row.value;
        for (const QString& more : {row.state == CheckState::Ok ? QString() : row.why,
                 row.state == CheckState::Ok ? QString() : row.fix})
            if (!more.isEmpty())
                text += (text.isEmpty() ? QString() : QStringLiteral(". ")) + more;
        rows.push_back({checkWord(row.state), terminalText(row.node), terminalText(row.where),
            terminalText(checkTitle(row.id)), terminalText(text)});
    }
    if (!rows.empty())
        context.out.table({tr("STATE"), tr("NODE"), tr("WHERE"), tr("CHECK"), QString()}, rows);
    if (!report.complete)
        context.out.note(tr("The check of the node has not finished."));
}

QCoro::Task<ExitCode> showNode(Context& context)
{
    const std::optional<Run> run = context.run(context.arguments.positional.first());
    if (!run)
        co_return ExitCode::Usage;
    // A run that has not ended may have new rows.
    if (!isTerminal(run->phase)) {
        const Result<void> connected = co_await context.connectTo(run->spec.siteId);
        if (connected.ok())
            co_await context.runChange(run->id, std::chrono::seconds(5));
        else
            context.out.note(
                connected.error().summary + u' ' + tr("Showing the last known state."));
    }
    const std::optional<NodeReport> report = context.engine().runs()->nodeReport(run->id);
    if (!report)
        co_return context.fail(
            Error{ErrorKind::NotFound, tr("There is no report on the node of run %1.").arg(run->id),
                tr("The check starts with the job. If the recipe uses no GPU, request it with "
                   "--set check=report.")});
    if (context.arguments.has("--report")) {
        context.out.raw(nodeReportText(*report).toUtf8());
    } else if (context.out.json) {
        for (const CheckRow& row : report->rows)
            context.out.object(checkObject(row));
        context.out.object({{QStringLiteral("sentence"), nodeSentence(*report)},
            {QStringLiteral("complete"), report->complete},
            {QStringLiteral("worst"), checkWord(report->worst())},
            {QStringLiteral("unreadable"), report->unreadable}});
    } else {
        printReport(context, *report);
    }
    co_return report->worst() == CheckState::Fail ? ExitCode::Failed : ExitCode::Done;
}

} // namespace

Command nodeCommand()
{
    return {QStringLiteral("node"), QStringLiteral("RUN [--report]"),
        tr("show the check of a run's node"),
        tr("Shows what slipway-probe found on the node of a run and in its container: one "
           "sentence, then one row per\n"
           "check, with cause and remedy if it did not pass. With --json, each row is an object, "
           "and the last object has\n"
           "the sentence. The exit code is 1 if a check failed."),
        {{QStringLiteral("--report"), {}, tr("print plain text, to paste into an email")}}, 1, 1,
        showNode};
}

} // namespace slipway
