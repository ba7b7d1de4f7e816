// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <cstdio>

namespace slipway {

namespace {

/// As it is in JSON; translated in the table.
const char* kindWord(CleanupItem::Kind kind)
{
    switch (kind) {
    case CleanupItem::Kind::Probe:
        return QT_TRANSLATE_NOOP("Slipway", "probe");
    case CleanupItem::Kind::RunFolder:
        return QT_TRANSLATE_NOOP("Slipway", "run folder");
    case CleanupItem::Kind::Image:
        return QT_TRANSLATE_NOOP("Slipway", "image");
    case CleanupItem::Kind::Checkpoints:
        return QT_TRANSLATE_NOOP("Slipway", "checkpoints");
    case CleanupItem::Kind::Process:
        return QT_TRANSLATE_NOOP("Slipway", "process");
    case CleanupItem::Kind::Job:
        break;
    }
    return QT_TRANSLATE_NOOP("Slipway", "job");
}

QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, 1);
}

QJsonObject cleanupObject(const CleanupItem& item)
{
    QJsonObject object{{QStringLiteral("kind"), QString::fromLatin1(kindWord(item.kind))},
        {QStringLiteral("path"), item.path}, {QStringLiteral("detail"), item.detail},
        {QStringLiteral("bytes"), item.bytes}, {QStringLiteral("in_use"), item.inUse}};
    if (item.modified.isValid())
        object.insert(QStringLiteral("modified"), item.modified.toString(Qt::ISODate));
    if (!item.runId.isEmpty())
        object.insert(QStringLiteral("run"), item.runId);
    return object;
}

void printCleanupList(Context& context, const CleanupList& list)
{
    std::vector<QStringList> rows;
    for (const CleanupItem& item : list.items) {
        if (context.out.json)
            context.out.object(cleanupObject(item));
        rows.push_back({tr(kindWord(item.kind)), item.inUse ? tr("in use") : QString(),
            item.bytes > 0 ? sizeText(item.bytes) : QString(), terminalText(item.detail),
            terminalText(item.path)});
    }
    if (!context.out.json && !rows.empty())
        context.out.table({tr("KIND"), {}, tr("SIZE"), tr("WHAT"), tr("WHERE")}, rows);
}

/// Whether the user confirms the deletion: --yes, or a yes on the terminal.
bool confirmed(Context& context, size_t count, qint64 bytes)
{
    if (context.arguments.has("--yes"))
        return true;
    context.out.note(counted(
        qint64(count), tr("Delete 1 item (%2)? Type yes:"), tr("Delete %1 items (%2)? Type yes:"))
                         .arg(sizeText(bytes)));
    char answer[16] = {};
    return std::fgets(answer, sizeof answer, stdin) && QByteArray(answer).trimmed() == "yes";
}

QCoro::Task<ExitCode> removeAll(Context& context, QString site, CleanupList all)
{
    CleanupList unused;
    for (const CleanupItem& item : all.items)
        if (!item.inUse
            && (item.kind != CleanupItem::Kind::Checkpoints
                || context.arguments.has("--checkpoints")))
            unused.items.push_back(item);
    if (unused.items.empty()) {
        context.out.note(tr("There is nothing to delete."));
        co_return ExitCode::Done;
    }
    if (!confirmed(context, unused.items.size(), unused.bytes())) {
        context.out.note(tr("Nothing was deleted."));
        co_return ExitCode::Refused;
    }
    const auto wanted = qint64(unused.items.size());
    const Result<CleanupList> left = co_await context.engine().cleanup()->remove(site, unused);
    if (!left.ok())
        co_return context.fail(left.error());
    printCleanupList(context, *left);
    context.out.note(counted(wanted, tr("%L2 of 1 item deleted."), tr("%L2 of %1 items deleted."))
                         .arg(wanted - qint64(left->items.size())));
    co_return left->items.empty() ? ExitCode::Done : ExitCode::Failed;
}

QCoro::Task<ExitCode> showCleanup(Context& context)
{
    const Site* const site = context.site(context.arguments.positional.first());
    if (!site)
        co_return ExitCode::Usage;
    const QString id = site->id;
    if (context.arguments.has("--yes") && !context.arguments.has("--remove"))
        co_return context.misused(tr("--yes requires --remove."));
    if (context.arguments.has("--checkpoints") && !context.arguments.has("--remove"))
        co_return context.misused(tr("--checkpoints requires --remove."));
    const Result<void> connected = co_await context.connectTo(id);
    if (!connected.ok())
        co_return context.fail(connected.error());
    const Result<CleanupList> found = co_await context.engine().cleanup()->find(id);
    if (!found.ok())
        co_return context.fail(found.error());
    if (context.arguments.has("--remove")) {
        const ExitCode code = co_await removeAll(context, id, *found);
        co_return code;
    }
    printCleanupList(context, *found);
    if (!context.out.json)
        context.out.note(found->items.empty()
                ? tr("No files, processes or jobs of Slipway were found.")
                : tr("%1 in total. --remove deletes what is not in use.")
                      .arg(sizeText(found->bytes())));
    co_return ExitCode::Done;
}

} // namespace

Command cleanupCommand()
{
    return {QStringLiteral("cleanup"), QStringLiteral("SITE [--remove [--checkpoints] [--yes]]"),
        tr("list what Slipway keeps on a cluster, or delete it"),
        tr("Lists every file, process and job of Slipway on a cluster: probes, run folders and "
           "images. With --remove,\n"
           "deletes what no job is using, after confirmation, and lists what was kept and why. "
           "Nothing outside Slipway's\n"
           "own folder is changed. Results that were already fetched are kept, and so are "
           "checkpoints, unless --checkpoints is given."),
        {{QStringLiteral("--remove"), {}, tr("delete what is not in use")},
            {QStringLiteral("--checkpoints"), {},
                tr("with --remove: also the checkpoint folders of long trainings")},
            {QStringLiteral("--yes"), {}, tr("do not ask for confirmation")}},
        1, 1, showCleanup, QStringLiteral("guests")};
}

} // namespace slipway
