// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/documents/documentcheck.h"
#include "remote/base/tr.h"

#include <QJsonArray>

#include <algorithm>

namespace slipway {

namespace {

QString runsWord(DemoRun::How how)
{
    switch (how) {
    case DemoRun::How::Whole:
        return QStringLiteral("ran here");
    case DemoRun::How::Cpu:
        return QStringLiteral("ran here on its CPU lane");
    case DemoRun::How::No:
        break;
    }
    return QStringLiteral("rendered");
}

QJsonObject workflowObject(const Workflow& workflow, const Recipe& recipe)
{
    return {{QStringLiteral("workflow"), workflow.id}, {QStringLiteral("title"), workflow.title},
        {QStringLiteral("source"), workflow.source}, {QStringLiteral("recipe"), recipe.id},
        {QStringLiteral("demo"), runsWord(recipe.demo.how)},
        {QStringLiteral("why"), recipe.demo.why},
        {QStringLiteral("sites"), QJsonArray::fromStringList(recipe.sites)}};
}

/// The number of rows of a document that are exact, that differ, and that are absent.
QMap<DocumentRow::How, int> rowCounts(const Document& document)
{
    QMap<DocumentRow::How, int> counts;
    for (const DocumentRow& row : document.rows)
        ++counts[row.how];
    return counts;
}

void printDocumentsMarkdown(Context& context, const Documents& documents)
{
    context.out.line(QStringLiteral("| Document | Rows | Exact | Differs on purpose | Outside "
                                    "Slipway |\n|---|---|---|---|---|"));
    for (const Document& document : documents.documents) {
        const QMap<DocumentRow::How, int> counts = rowCounts(document);
        context.out.line(QStringLiteral("| %1 | %2 | %3 | %4 | %5 |")
                             .arg(document.title)
                             .arg(document.rows.size())
                             .arg(counts.value(DocumentRow::How::Exact))
                             .arg(counts.value(DocumentRow::How::Differs))
                             .arg(counts.value(DocumentRow::How::Absent)));
    }
    context.out.line();
}

/// One table per document, as in the README. Not translated, as the README is not.
void printMarkdown(Context& context, const Documents& documents,
    const std::vector<std::pair<Workflow, const Recipe*>>& rows)
{
    printDocumentsMarkdown(context, documents);
    QString source;
    for (const auto& [workflow, recipe] : rows) {
        if (workflow.source != source) {
            if (!source.isEmpty())
                context.out.line();
            source = workflow.source;
            context.out.line(QStringLiteral(
                "**%1**\n\n| Workflow | Recipe | On the demo cluster | Why |\n|---|---|---|---|")
                                 .arg(source));
        }
        context.out.line(recipe ? QStringLiteral("| %1 %2 | `%3` | %4 | %5 |")
                                      .arg(workflow.id, workflow.title, recipe->id,
                                          runsWord(recipe->demo.how), recipe->demo.why)
                                : QStringLiteral("| %1 %2 | – | – | No recipe covers it. |")
                                      .arg(workflow.id, workflow.title));
    }
}

QJsonObject rowObject(const Document& document, const DocumentRow& row, const QStringList& problems)
{
    return {{QStringLiteral("document"), document.id}, {QStringLiteral("row"), row.id},
        {QStringLiteral("place"), row.place}, {QStringLiteral("what"), row.what},
        {QStringLiteral("kind"), rowKindName(row.kind)}, {QStringLiteral("workflow"), row.workflow},
        {QStringLiteral("how"), rowHowName(row.how)}, {QStringLiteral("why"), row.why},
        {QStringLiteral("done_by"), QJsonArray::fromStringList(rowPlaces(row))},
        {QStringLiteral("problems"), QJsonArray::fromStringList(problems)},
        // Its name in the previous version.
        {QStringLiteral("complaints"), QJsonArray::fromStringList(problems)}};
}

/// Lists every row of the documents, or of one; with --check, the rows that are no longer correct.
/// A document that cannot be read is not correct either.
ExitCode listSteps(Context& context, const Documents& documents, const QString& only, bool check)
{
    Engine& engine = context.engine();
    const CheckGround ground{
        engine.catalogue()->resources(), engine.hints(), engine.raceReferences()};
    std::vector<QStringList> table;
    QStringList broken;
    bool known = only.isEmpty();
    for (const Document& document : documents.documents) {
        known = known || document.id == only;
        if (!only.isEmpty() && document.id != only)
            continue;
        for (const DocumentRow& row : document.rows) {
            const QStringList problems = check ? rowProblems(row, ground) : QStringList();
            for (const QString& problem : problems)
                broken << QStringLiteral("%1, %2: %3").arg(document.id, row.id, problem);
            if (context.out.json)
                context.out.object(rowObject(document, row, problems));
            table.push_back({document.id, row.id, row.place, row.what, rowHowName(row.how),
                rowPlaces(row).join(QStringLiteral(", ")), row.why});
        }
    }
    if (!known)
        return context.misused(tr("There is no document “%1”.").arg(only),
            tr("The first column of “slipway-cli workflows --steps” lists them."));
    if (!context.out.json && !check)
        context.out.table({tr("DOCUMENT"), tr("ROW"), tr("PLACE"), tr("WHAT"), tr("HOW"),
                              tr("DONE BY"), tr("WHY")},
            table);
    const bool correct = broken.isEmpty() && (!check || documents.errors.empty());
    if (!context.out.json && check && !broken.isEmpty())
        context.out.line(broken.join(u'\n'));
    if (!context.out.json && check && correct)
        context.out.line(tr("All %1 rows are correct.").arg(table.size()));
    return correct ? ExitCode::Done : ExitCode::Failed;
}

QCoro::Task<ExitCode> listWorkflows(Context& context)
{
    const Documents documents = context.engine().readDocuments();
    for (const Error& error : documents.errors)
        context.out.note(error.text()); // not on stdout: that has only the rows, also with --json
    const bool check = context.arguments.has("--check");
    const QString document = context.arguments.value("--document");
    if (check || !document.isEmpty() || context.arguments.has("--steps"))
        co_return listSteps(context, documents, document, check);
    std::vector<std::pair<Workflow, const Recipe*>> rows;
    for (const Workflow& workflow : documents.workflows()) {
        const std::size_t before = rows.size();
        for (const Recipe& recipe : context.engine().catalogue()->recipes()) {
            if (recipe.workflows.contains(workflow.id))
                rows.push_back({workflow, &recipe});
        }
        if (rows.size() == before)
            rows.push_back({workflow, nullptr});
    }
    // One table per document requires that its rows are consecutive.
    std::stable_sort(rows.begin(), rows.end(),
        [](const auto& a, const auto& b) { return a.first.source < b.first.source; });
    if (context.arguments.has("--markdown")) {
        printMarkdown(context, documents, rows);
        co_return ExitCode::Done;
    }
    std::vector<QStringList> table;
    for (const auto& [workflow, recipe] : rows) {
        if (context.out.json && recipe)
            context.out.object(workflowObject(workflow, *recipe));
        table.push_back({workflow.id, workflow.title, recipe ? recipe->id : QStringLiteral("–"),
            recipe ? runsWord(recipe->demo.how) : QString(),
            recipe ? recipe->demo.why : tr("No recipe covers it.")});
    }
    if (!context.out.json)
        context.out.table(
            {tr("ID"), tr("WORKFLOW"), tr("RECIPE"), tr("DEMO CLUSTER"), tr("WHY")}, table);
    co_return ExitCode::Done;
}

} // namespace

Command workflowsCommand()
{
    return {QStringLiteral("workflows"),
        QStringLiteral("[--steps] [--document D] [--check] [--markdown]"),
        tr("list the workflows of the documents, and their recipes"),
        tr("Lists every workflow of the documents that Slipway is based on, the recipe that covers "
           "it, and whether it\n"
           "runs on the demo cluster, which has no GPU and no internet access. “ran here” means "
           "that the cluster tests\n"
           "run it every time. --steps lists every command, script, setting, number, output block "
           "and exercise of the\n"
           "documents, where Slipway covers it, and the reason for any difference. --check "
           "verifies all rows and prints\n"
           "those that are no longer correct; the exit code is then 1."),
        {{QStringLiteral("--steps"), {}, tr("list every step of the documents")},
            {QStringLiteral("--document"), QStringLiteral("D"),
                tr("list the steps of one document")},
            {QStringLiteral("--check"), {},
                tr("verify every row, and print those that are no longer correct")},
            {QStringLiteral("--markdown"), {}, tr("print tables for a README")}},
        0, 0, listWorkflows};
}

} // namespace slipway
