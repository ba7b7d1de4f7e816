// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/nodeobject.h"

#include <algorithm>

namespace slipway {

QJsonObject checkObject(const CheckRow& row)
{
    QJsonObject object{
        {QStringLiteral("id"), row.id}, {QStringLiteral("state"), checkWord(row.state)}};
    const auto put = [&object](const char* key, const QString& text) {
        if (!text.isEmpty())
            object.insert(QLatin1String(key), text);
    };
    put("node", row.node);
    put("where", row.where);
    put("value", row.value);
    put("expected", row.expected);
    put("why", row.why);
    put("fix", row.fix);
    if (!row.data.isEmpty())
        object.insert(QStringLiteral("data"), row.data);
    return object;
}

QJsonArray checkObjects(const NodeReport& report)
{
    QJsonArray objects;
    for (const CheckRow& row : report.rows)
        objects.append(checkObject(row));
    return objects;
}

namespace {

/// Rows for a person: what failed tells why and what to do.
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
        context.out.table({QStringLiteral("STATE"), QStringLiteral("NODE"), QStringLiteral("WHERE"),
                              QStringLiteral("CHECK"), QString()},
            rows);
    if (!report.complete)
        context.out.note(QStringLiteral("The look at the node has not ended."));
}

QCoro::Task<ExitCode> showNode(Context& context)
{
    const std::optional<Run> run = context.run(context.arguments.positional.first());
    if (!run)
        co_return ExitCode::Usage;
    // A run that goes on may have more to tell.
    if (!isTerminal(run->phase)) {
        const Result<void> connected = co_await context.connectTo(run->spec.siteId);
        if (connected.ok())
            co_await context.runChange(run->id, std::chrono::seconds(5));
        else
            context.out.note(connected.error().summary
                + QStringLiteral(" What follows is what was known last."));
    }
    const std::optional<NodeReport> report = context.engine().runs()->nodeReport(run->id);
    if (!report)
        co_return context.fail(Error{ErrorKind::NotFound,
            QStringLiteral("Nothing was said of the node of run %1.").arg(run->id),
            QStringLiteral("The check begins with the job; --set check=report asks for it where "
                           "the recipe uses no GPU.")});
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
    return {QStringLiteral("node"), QStringLiteral("RUN"),
        QStringLiteral("say what was found on a run's node"),
        QStringLiteral("Shows what slipway-probe found on the node of a run and in its container: "
                       "one sentence, then a row a check, with\n"
                       "its reason and remedy where it is not well. With --json each row is an "
                       "object, and the last one has the sentence.\n"
                       "It ends with 1 when a check failed."),
        {{QStringLiteral("--report"), {}, QStringLiteral("as plain text, to paste into a mail")}},
        1, 1, showNode};
}

} // namespace slipway
