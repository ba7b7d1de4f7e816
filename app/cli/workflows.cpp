// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

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
    return {{QStringLiteral("workflow"), workflow.id}, {QStringLiteral("title"), workflow.title}, {QStringLiteral("source"), workflow.source},
        {QStringLiteral("recipe"), recipe.id}, {QStringLiteral("demo"), runsWord(recipe.demo.how)}, {QStringLiteral("why"), recipe.demo.why},
        {QStringLiteral("sites"), QJsonArray::fromStringList(recipe.sites)}};
}

/// One table a document, as the README has it.
void printMarkdown(Context& context, const std::vector<std::pair<Workflow, const Recipe*>>& rows)
{
    QString source;
    for (const auto& [workflow, recipe] : rows) {
        if (workflow.source != source) {
            if (!source.isEmpty())
                context.out.line();
            source = workflow.source;
            context.out.line(QStringLiteral("**%1**\n\n| Workflow | Recipe | On the demo cluster | Why |\n|---|---|---|---|").arg(source));
        }
        context.out.line(recipe ? QStringLiteral("| %1 %2 | `%3` | %4 | %5 |").arg(workflow.id, workflow.title, recipe->id, runsWord(recipe->demo.how), recipe->demo.why)
                                : QStringLiteral("| %1 %2 | – | – | No recipe covers it. |").arg(workflow.id, workflow.title));
    }
}

QCoro::Task<ExitCode> listWorkflows(Context& context)
{
    std::vector<std::pair<Workflow, const Recipe*>> rows;
    for (const Workflow& workflow : context.workbench().workflows()) {
        const std::size_t before = rows.size();
        for (const Recipe& recipe : context.workbench().recipes()) {
            if (recipe.workflows.contains(workflow.id))
                rows.push_back({workflow, &recipe});
        }
        if (rows.size() == before)
            rows.push_back({workflow, nullptr});
    }
    // One table a document needs the rows of each together.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first.source < b.first.source; });
    if (context.arguments.has("--markdown")) {
        printMarkdown(context, rows);
        co_return ExitCode::Done;
    }
    std::vector<QStringList> table;
    for (const auto& [workflow, recipe] : rows) {
        if (context.out.json && recipe)
            context.out.object(workflowObject(workflow, *recipe));
        table.push_back({workflow.id, workflow.title, recipe ? recipe->id : QStringLiteral("–"),
            recipe ? runsWord(recipe->demo.how) : QString(), recipe ? recipe->demo.why : QStringLiteral("No recipe covers it.")});
    }
    if (!context.out.json)
        context.out.table({QStringLiteral("ID"), QStringLiteral("WORKFLOW"), QStringLiteral("RECIPE"), QStringLiteral("DEMO CLUSTER"), QStringLiteral("WHY")}, table);
    co_return ExitCode::Done;
}

} // namespace

Command workflowsCommand()
{
    return {QStringLiteral("workflows"), QStringLiteral("[--markdown]"), QStringLiteral("list what the documents teach, and the recipes for it"),
        QStringLiteral("Lists every workflow of the documents that Slipway began with, the recipe that covers it, and whether\n"
                       "it really runs on the demo cluster, which has neither a GPU nor the internet. What “ran here” says is\n"
                       "what the cluster tests run each time."),
        {{QStringLiteral("--markdown"), {}, QStringLiteral("as tables for a README")}}, 0, 0, listWorkflows};
}

} // namespace slipway
