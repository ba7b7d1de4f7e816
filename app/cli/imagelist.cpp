// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/image.h"
#include "app/cli/jsonobjects.h"
#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QJsonArray>

#include <algorithm>
#include <cstdio>

namespace slipway {

namespace {

QString imageSizeText(qint64 bytes)
{
    return ByteCount(bytes).text();
}

QString dayText(const QDateTime& time)
{
    return time.isValid() ? time.date().toString(Qt::ISODate) : QString();
}

/// As a person names it: below the image folder.
QString nameIn(const ImageList& list, const StoredImage& image)
{
    return image.path.mid(list.folder.size() + 1);
}

QJsonObject imageObject(const ImageList& list, const StoredImage& image)
{
    return {{QStringLiteral("kind"), QStringLiteral("image")},
        {QStringLiteral("name"), nameIn(list, image)}, {QStringLiteral("path"), image.path},
        {QStringLiteral("from"), textOrNull(image.from)},
        {QStringLiteral("digest"), textOrNull(image.digest)},
        {QStringLiteral("bytes"), image.bytes},
        {QStringLiteral("modified"), textOrNull(image.modified.toString(Qt::ISODate))},
        {QStringLiteral("last_read"), textOrNull(image.lastRead.toString(Qt::ISODate))},
        {QStringLiteral("deleted_on"),
            image.deletedOn ? textOrNull(image.deletedOn->toString(Qt::ISODate)) : QJsonValue()},
        {QStringLiteral("runs"), QJsonArray::fromStringList(image.runs)},
        {QStringLiteral("in_use"), image.inUse}, {QStringLiteral("partial"), image.isPartial}};
}

QJsonObject cacheObject(const ImageCache& cache)
{
    return {{QStringLiteral("kind"), QStringLiteral("cache")},
        {QStringLiteral("runtime"), cache.runtime}, {QStringLiteral("path"), cache.path},
        {QStringLiteral("bytes"), cache.known ? QJsonValue(cache.bytes) : QJsonValue()}};
}

QJsonObject packageSetObject(const PackageSet& set)
{
    return {{QStringLiteral("kind"), QStringLiteral("packages")},
        {QStringLiteral("name"), set.path.section(u'/', -1)}, {QStringLiteral("path"), set.path},
        {QStringLiteral("requirements"), textOrNull(set.requirements)},
        {QStringLiteral("first_lines"), textOrNull(set.firstLines)},
        {QStringLiteral("bytes"), set.bytes ? QJsonValue(*set.bytes) : QJsonValue()},
        {QStringLiteral("files"), set.files ? QJsonValue(*set.files) : QJsonValue()},
        {QStringLiteral("modified"), textOrNull(set.modified.toString(Qt::ISODate))},
        {QStringLiteral("last_used"), textOrNull(set.lastUsed.toString(Qt::ISODate))},
        {QStringLiteral("deleted_on"),
            set.deletedOn ? textOrNull(set.deletedOn->toString(Qt::ISODate)) : QJsonValue()},
        {QStringLiteral("in_use"), set.inUse}, {QStringLiteral("partial"), !set.isComplete}};
}

/// Free space, and what a learner could type.
QJsonObject summaryObject(const ImageList& list)
{
    return {{QStringLiteral("kind"), QStringLiteral("summary")},
        {QStringLiteral("folder"), list.folder},
        {QStringLiteral("images"), qint64(list.images.size())},
        {QStringLiteral("bytes"), list.bytes()},
        {QStringLiteral("free"), list.freeBytes ? QJsonValue(*list.freeBytes) : QJsonValue()},
        {QStringLiteral("quota_used"),
            list.quota ? QJsonValue(list.quota->usedBytes) : QJsonValue()},
        {QStringLiteral("quota_limit"),
            list.quota ? QJsonValue(list.quota->limitBytes) : QJsonValue()},
        {QStringLiteral("command"), list.command}};
}

/// The newest three, and how many more.
QString runsText(const QStringList& runs)
{
    constexpr qsizetype shown = 3;
    const QString text = runs.mid(0, shown).join(u' ');
    return runs.size() > shown ? text + u" +" + QString::number(runs.size() - shown) : text;
}

QString fromText(const StoredImage& image)
{
    return image.isPartial     ? tr("incomplete: its pull or build was ended")
        : image.from.isEmpty() ? tr("unknown")
                               : image.from;
}

void printImages(Context& context, const ImageList& list, const std::vector<StoredImage>& images)
{
    std::vector<QStringList> rows;
    for (const StoredImage& image : images) {
        if (context.out.json)
            context.out.object(imageObject(list, image));
        rows.push_back({nameIn(list, image), fromText(image), imageSizeText(image.bytes),
            dayText(image.lastRead),
            image.deletedOn ? image.deletedOn->toString(Qt::ISODate) : QString(),
            runsText(image.runs), image.inUse ? tr("in use") : QString()});
    }
    if (!context.out.json && !rows.empty())
        context.out.table(
            {tr("NAME"), tr("FROM"), tr("SIZE"), tr("LAST READ"), tr("DELETED ON"), tr("RUNS"), {}},
            rows);
}

void printPackages(Context& context, const std::vector<PackageSet>& sets)
{
    std::vector<QStringList> rows;
    for (const PackageSet& set : sets) {
        if (context.out.json)
            context.out.object(packageSetObject(set));
        const QString lines = set.firstLines.simplified().left(60);
        rows.push_back({set.path.section(u'/', -1).left(12),
            set.isComplete ? terminalText(set.requirements + u": " + lines)
                           : tr("incomplete: its installation was ended"),
            set.bytes ? imageSizeText(*set.bytes) : tr("unknown"), dayText(set.lastUsed),
            set.deletedOn ? set.deletedOn->toString(Qt::ISODate) : QString(),
            set.inUse ? tr("may be in use") : QString()});
    }
    if (!context.out.json && !rows.empty())
        context.out.table(
            {tr("PACKAGES"), tr("FROM"), tr("SIZE"), tr("LAST USED"), tr("DELETED ON"), {}}, rows);
}

void printCaches(Context& context, const ImageList& list)
{
    std::vector<QStringList> rows;
    for (const ImageCache& cache : list.caches) {
        if (context.out.json)
            context.out.object(cacheObject(cache));
        rows.push_back(
            {cache.runtime, cache.known ? imageSizeText(cache.bytes) : tr("unknown"), cache.path});
    }
    if (!context.out.json && !rows.empty())
        context.out.table({tr("CACHE"), tr("SIZE"), tr("WHERE")}, rows);
}

void printSummary(Context& context, const ImageList& list)
{
    if (context.out.json)
        return context.out.object(summaryObject(list));
    const QString free = spaceWords(list);
    context.out.note(counted(
        qint64(list.images.size()), tr("1 image, %2, in %3; %4."), tr("%1 images, %2, in %3; %4."))
                         .arg(imageSizeText(list.bytes()), terminalText(list.folder), free));
    if (list.leftOut > 0)
        context.out.note(counted(list.leftOut,
            tr("1 more is not listed: its name is unusual, or the list is too long."),
            tr("%1 more are not listed: their names are unusual, or the list is too long.")));
    context.out.note(u"$ " + terminalText(list.command));
}

/// The list of the site that --site names. None: the error was printed, and `code` says how the
/// command ends.
QCoro::Task<std::optional<ImageList>> imagesThere(Context& context, ExitCode* code)
{
    *code = ExitCode::Usage;
    const QString id = context.arguments.value("--site");
    if (id.isEmpty()) {
        context.misused(tr("--site is required."), tr("“slipway-cli sites” lists them."));
        co_return std::nullopt;
    }
    if (!context.site(id))
        co_return std::nullopt;
    const Result<void> connected = co_await context.connectTo(id);
    if (!connected.ok()) {
        *code = context.fail(connected.error());
        co_return std::nullopt;
    }
    // A run that ended while no program was connected no longer uses its image.
    const std::vector<Run> runs = context.engine().runs()->all();
    for (const Run& run : runs) {
        if (run.spec.siteId != id || isTerminal(run.phase))
            continue;
        co_await context.untilSettled(run.id);
        if (!context.engine().runs()->isSettled(run.id))
            break; // the scheduler does not answer, which list() reports
    }
    Result<ImageList> list = co_await context.engine().imageStore()->list(id);
    if (!list.ok()) {
        *code = context.fail(list.error());
        co_return std::nullopt;
    }
    *code = ExitCode::Done;
    co_return std::optional<ImageList>(*list);
}

/// Whether the user confirms: --yes, or a yes on the terminal.
bool isConfirmed(Context& context, const QString& question)
{
    if (context.arguments.has("--yes"))
        return true;
    context.out.note(question);
    char answer[16] = {};
    if (std::fgets(answer, sizeof answer, stdin) && QByteArray(answer).trimmed() == "yes")
        return true;
    context.out.note(tr("Nothing was deleted."));
    return false;
}

/// The images of a path, a name below the image folder, or a file name.
std::vector<StoredImage> imagesNamed(const ImageList& list, const QString& text)
{
    std::vector<StoredImage> exact, byFileName;
    for (const StoredImage& image : list.images) {
        if (image.path == text || nameIn(list, image) == text)
            exact.push_back(image);
        else if (image.path.section(u'/', -1) == text)
            byFileName.push_back(image);
    }
    return exact.empty() ? byFileName : exact;
}

/// Takes the sets of packages out of the arguments: a path, or the name as the list prints it.
std::vector<PackageSet> takePackageSets(Context& context, const ImageList& list)
{
    constexpr qsizetype printed = 12;
    std::vector<PackageSet> sets;
    QStringList others;
    for (const QString& text : context.arguments.positional) {
        const auto isMeant = [&text](const PackageSet& set) {
            const QString name = set.path.section(u'/', -1);
            return set.path == text || (text.size() >= printed && name.startsWith(text));
        };
        const auto begin = list.packages.begin(), end = list.packages.end();
        if (std::count_if(begin, end, isMeant) != 1)
            others << text;
        else if (std::none_of(sets.begin(), sets.end(), isMeant))
            sets.push_back(*std::find_if(begin, end, isMeant));
    }
    context.arguments.positional = others;
    return sets;
}

/// Those that the arguments name; none: the error was printed.
std::vector<StoredImage> wantedImages(Context& context, const ImageList& list)
{
    std::vector<StoredImage> wanted;
    for (const QString& text : context.arguments.positional) {
        const std::vector<StoredImage> named = imagesNamed(list, text);
        if (named.empty()) {
            context.misused(tr("There is no image “%1” in %2.").arg(text, list.folder),
                tr("“slipway-cli image list --site %1” lists them.")
                    .arg(context.arguments.value("--site")));
            return {};
        }
        if (named.size() > 1) {
            context.misused(tr("“%1” is the name of several images.").arg(text),
                tr("Name one of them by its folder: %1 or %2.")
                    .arg(nameIn(list, named[0]), nameIn(list, named[1])));
            return {};
        }
        const bool isNamed = std::any_of(wanted.begin(), wanted.end(),
            [&](const StoredImage& one) { return one.path == named[0].path; });
        if (!isNamed)
            wanted.push_back(named[0]);
    }
    return wanted;
}

void printRemoved(Context& context, const ImageStore::Removed& removed)
{
    for (const QString& path : context.out.json ? removed.gone : QStringList())
        context.out.object({{QStringLiteral("path"), path}, {QStringLiteral("removed"), true}});
    for (qsizetype i = 0; i < removed.left.size(); ++i) {
        const QString &path = removed.left[i], why = removed.whyLeft.value(i);
        if (context.out.json)
            context.out.object({{QStringLiteral("path"), path}, {QStringLiteral("removed"), false},
                {QStringLiteral("why"), why}});
        else
            context.out.line(tr("%1 was left: %2.").arg(terminalText(path), terminalText(why)));
    }
    const qsizetype all = removed.gone.size() + removed.left.size();
    context.out.note(
        counted(all, tr("%L2 of 1 deleted, %3 freed."), tr("%L2 of %1 deleted, %3 freed."))
            .arg(removed.gone.size())
            .arg(imageSizeText(removed.bytes)));
}

QCoro::Task<ExitCode> clearThem(Context& context, ImageList list)
{
    if (list.caches.empty()) {
        context.out.note(tr("There is no cache to clear."));
        co_return ExitCode::Done;
    }
    if (!context.out.json)
        printCaches(context, list);
    const QString question = counted(qint64(list.caches.size()),
        tr("Clear this cache? Its layers are downloaded again when they are needed. Type yes:"),
        tr("Clear these %1 caches? Their layers are downloaded again when they are needed. Type "
           "yes:"));
    if (!isConfirmed(context, question))
        co_return ExitCode::Refused;
    const QString site = context.arguments.value("--site");
    const Result<qint64> freed = co_await context.engine().imageStore()->clearCaches(site);
    if (!freed.ok())
        co_return context.fail(freed.error());
    if (context.out.json)
        context.out.object({{QStringLiteral("freed"), *freed}});
    else
        context.out.note(tr("%1 freed.").arg(imageSizeText(*freed)));
    co_return ExitCode::Done;
}

} // namespace

QCoro::Task<ExitCode> listImages(Context& context)
{
    if (!context.arguments.positional.isEmpty())
        co_return context.misused(
            tr("Unexpected argument “%1”.").arg(context.arguments.positional.first()));
    ExitCode code = ExitCode::Done;
    const std::optional<ImageList> list = co_await imagesThere(context, &code);
    if (!list)
        co_return code;
    printImages(context, *list, list->images);
    if (!context.out.json && !list->images.empty() && !list->packages.empty())
        context.out.line();
    printPackages(context, list->packages);
    const bool hasRows = !list->images.empty() || !list->packages.empty();
    if (!context.out.json && hasRows && !list->caches.empty())
        context.out.line();
    printCaches(context, *list);
    printSummary(context, *list);
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> removeImages(Context& context)
{
    if (context.arguments.positional.isEmpty())
        co_return context.misused(tr("“image remove” requires the path or the name of an image."),
            tr("“slipway-cli image list --site S” lists them."));
    ExitCode code = ExitCode::Done;
    const std::optional<ImageList> list = co_await imagesThere(context, &code);
    if (!list)
        co_return code;
    const std::vector<PackageSet> sets = takePackageSets(context, *list);
    const std::vector<StoredImage> wanted = wantedImages(context, *list);
    if (wanted.empty() && (sets.empty() || !context.arguments.positional.isEmpty()))
        co_return ExitCode::Usage;
    QStringList paths;
    qint64 bytes = 0;
    for (const PackageSet& set : sets) {
        paths << set.path;
        bytes += set.bytes.value_or(0);
    }
    for (const StoredImage& image : wanted) {
        paths << image.path;
        bytes += image.bytes;
    }
    if (!context.out.json) {
        printImages(context, *list, wanted);
        printPackages(context, sets);
    }
    const QString question = counted(paths.size(),
        sets.empty() ? tr("Delete this image (%2)? Type yes:")
                     : tr("Delete this set of packages (%2)? Type yes:"),
        sets.empty() ? tr("Delete these %1 images (%2)? Type yes:")
                     : tr("Delete all %1 of these (%2)? Type yes:"))
                                 .arg(imageSizeText(bytes));
    if (!isConfirmed(context, question))
        co_return ExitCode::Refused;
    const QString site = context.arguments.value("--site");
    const Result<ImageStore::Removed> removed =
        co_await context.engine().imageStore()->remove(site, paths);
    if (!removed.ok())
        co_return context.fail(removed.error());
    printRemoved(context, *removed);
    co_return removed->left.isEmpty() ? ExitCode::Done : ExitCode::Failed;
}

QCoro::Task<ExitCode> showImageCaches(Context& context)
{
    if (!context.arguments.positional.isEmpty())
        co_return context.misused(
            tr("Unexpected argument “%1”.").arg(context.arguments.positional.first()));
    if (context.arguments.has("--yes") && !context.arguments.has("--clear"))
        co_return context.misused(tr("--yes requires --clear."));
    ExitCode code = ExitCode::Done;
    const std::optional<ImageList> list = co_await imagesThere(context, &code);
    if (!list)
        co_return code;
    if (context.arguments.has("--clear")) {
        const ExitCode cleared = co_await clearThem(context, *list);
        co_return cleared;
    }
    printCaches(context, *list);
    if (!context.out.json)
        context.out.note(
            list->caches.empty() ? tr("No caches were found.") : tr("--clear empties them."));
    co_return ExitCode::Done;
}

} // namespace slipway
