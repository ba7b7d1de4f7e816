// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/jsonobjects.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

bool changesLabels(const Arguments& arguments)
{
    return arguments.has("--name") || arguments.has("--note") || arguments.has("--tag")
        || arguments.has("--untag");
}

RunLabels changedLabels(const Arguments& arguments, RunLabels labels)
{
    if (arguments.has("--name"))
        labels.name = arguments.value("--name");
    if (arguments.has("--note"))
        labels.note = arguments.value("--note");
    for (const QString& tags : arguments.values("--untag"))
        for (QString tag : tagsIn(tags)) {
            if (tag.startsWith(u'#'))
                tag.remove(0, 1);
            labels.tags.removeIf(
                [&tag](const QString& one) { return one.compare(tag, Qt::CaseInsensitive) == 0; });
        }
    for (const QString& tags : arguments.values("--tag"))
        labels.tags << tagsIn(tags);
    return labels;
}

void printLabels(Context& context, const Run& run)
{
    if (context.out.json)
        return context.out.object(runObject(run));
    const auto print = [&context](const QString& label, const QString& text) {
        context.out.line(label.leftJustified(7) + (text.isEmpty() ? tr("–") : terminalText(text)));
    };
    print(tr("Name"), run.labels.name);
    print(tr("Tags"), run.labels.tags.join(u' '));
    print(tr("Note"), run.labels.note);
}

QCoro::Task<ExitCode> labelRun(Context& context)
{
    const std::optional<Run> kept = context.run(context.arguments.positional.first());
    if (!kept)
        co_return ExitCode::Usage;
    if (changesLabels(context.arguments)) {
        const Result<void> set = context.engine().runs()->setLabels(
            kept->id, changedLabels(context.arguments, kept->labels));
        if (!set.ok())
            co_return context.fail(set.error());
    }
    printLabels(context, *context.engine().runs()->run(kept->id));
    co_return ExitCode::Done;
}

} // namespace

Command labelCommand()
{
    return {QStringLiteral("label"), QStringLiteral("RUN [--name NAME] [--tag T]… [--note TEXT]"),
        tr("name a run, tag it, add a note"),
        tr("Gives a run a name of your own, tags and a note, and prints them. Without options it "
           "only "
           "prints them. They are stored on this computer and shown by “slipway-cli runs” and in "
           "the "
           "window."),
        {{QStringLiteral("--name"), QStringLiteral("NAME"),
             tr("shown instead of the recipe's title; \"\" removes it")},
            {QStringLiteral("--tag"), QStringLiteral("T"), tr("add a tag; can be repeated"), true},
            {QStringLiteral("--untag"), QStringLiteral("T"), tr("remove a tag; can be repeated"),
                true},
            {QStringLiteral("--note"), QStringLiteral("TEXT"),
                tr("replace the note; \"\" removes it")}},
        1, 1, labelRun};
}

} // namespace slipway
