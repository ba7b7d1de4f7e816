// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/ownrecipes.h"

#include "app/runs/keeprecipe.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonObject>

namespace slipway {

namespace {

QString titleOf(const Run& run)
{
    return run.labels.name.isEmpty() ? run.title : run.labels.name;
}

void printLeftOut(Context& context, const QStringList& leftOut)
{
    if (leftOut.isEmpty())
        return;
    context.out.note(tr("Not kept:"));
    for (const QString& one : leftOut)
        context.out.note(u"  " + terminalText(one));
}

} // namespace

QCoro::Task<ExitCode> keepRunAsRecipe(Context& context, QString runId)
{
    const Arguments arguments = context.arguments;
    const std::optional<Run> run = context.run(runId);
    if (!run)
        co_return ExitCode::Usage;
    if (!arguments.has("--id"))
        co_return context.misused(tr("--id is required: the name of the recipe."),
            tr("slipway-cli recipes keep %1 --id %2").arg(runId, proposedRecipeId(titleOf(*run))));
    KeepRequest request = keepRequest(context.engine().runs()->plan(run->spec));
    request.id = arguments.value("--id");
    request.title = arguments.has("--title") ? arguments.value("--title") : titleOf(*run);
    request.summary = arguments.value("--summary");
    Catalogue* const catalogue = context.engine().catalogue();
    const bool replaces = arguments.has("--replace");
    const Result<WrittenRecipe> folder = co_await keepRecipe(catalogue, request, replaces);
    if (!folder.ok())
        co_return context.fail(folder.error());
    const Recipe* const kept = catalogue->recipe(request.id);
    const QStringList leftOut = folder->leftOut;
    if (context.out.json) {
        context.out.object(
            {{QStringLiteral("recipe"), request.id}, {QStringLiteral("folder"), folder->folder},
                {QStringLiteral("left_out"), QJsonArray::fromStringList(leftOut)}});
        co_return kept ? ExitCode::Done : ExitCode::Failed;
    }
    context.out.line(folder->folder);
    printLeftOut(context, leftOut);
    context.out.note(
        tr("Launch it with: slipway-cli run %1 --site %2").arg(request.id, run->spec.siteId));
    context.out.note(tr("To share it, copy the folder into ~/.config/slipway/recipes on another "
                        "computer."));
    co_return kept ? ExitCode::Done : ExitCode::Failed;
}

ExitCode removeKeptRecipe(Context& context, const QString& id)
{
    Catalogue* const catalogue = context.engine().catalogue();
    const Recipe* const known = context.recipe(id);
    if (!known)
        return ExitCode::Usage;
    const QString folder = known->folder;
    const Result<void> removed = catalogue->removeRecipe(id);
    if (!removed.ok())
        return context.fail(removed.error());
    if (context.out.json)
        context.out.object({{QStringLiteral("removed"), folder}});
    else
        context.out.note(tr("Deleted %1.").arg(folder));
    return ExitCode::Done;
}

std::vector<OptionSpec> ownRecipeOptions()
{
    return {{QStringLiteral("--id"), QStringLiteral("ID"),
                tr("of keep: the name of the recipe, a word of a-z, 0-9 and -")},
        {QStringLiteral("--title"), QStringLiteral("TEXT"),
            tr("of keep: its title in the gallery; otherwise the name of the run")},
        {QStringLiteral("--summary"), QStringLiteral("TEXT"), tr("of keep: one line about it")},
        {QStringLiteral("--replace"), {},
            tr("of keep: replace a recipe of your own that has this id")}};
}

} // namespace slipway
