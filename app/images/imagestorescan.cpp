// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagestorescan.h"

#include "app/images/packagescan.h"
#include "app/plan/stepimages.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostImages = 5'000;
constexpr size_t mostRows = 200'000;
constexpr size_t mostCaches = 20;
/// Larger than any file: 1 PiB. A sum of all images fits into 64 bits.
constexpr qint64 mostFileBytes = qint64(1) << 50;

struct ScanRow {
    QByteArray kind;
    QList<QByteArray> words; ///< four
    QString name;
};

std::vector<ScanRow> scanRows(const QByteArray& answer)
{
    std::vector<ScanRow> rows;
    for (const QByteArray& text : answer.split('\0')) {
        const QList<QByteArray> words = text.split(' ');
        if (words.size() < 6 || rows.size() >= mostRows)
            continue;
        qsizetype begin = 5;
        for (int i = 0; i < 5; ++i)
            begin += words[i].size();
        rows.push_back({words[0], words.mid(1, 4), QString::fromUtf8(text.mid(begin))});
    }
    return rows;
}

/// A number of bytes of a file system; none: it is not one.
std::optional<qint64> bytesIn(const QByteArray& text, qint64 unit)
{
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    return ok && number >= 0 && number <= mostFileBytes / unit ? std::optional(number * unit)
                                                               : std::nullopt;
}

QDateTime timeIn(const QByteArray& seconds)
{
    const double t = seconds.toDouble();
    return t > 0 && t < 3.2e10 ? QDateTime::fromMSecsSinceEpoch(qint64(t * 1000)) : QDateTime();
}

/// Whether the time of the last read means anything: with noatime it is that of the copy or the
/// creation. Options that could not be read are taken for that.
bool notesReads(const QByteArray& options)
{
    const QList<QByteArray> words = options.split(',');
    return words.size() > 1 && !words.contains("noatime");
}

/// The digest beside an image belongs to the file with this size, inode and time; "%.9Y" of stat
/// has nine decimals.
QString digestIn(const ScanRow& note, const ScanRow& file)
{
    static const QRegularExpression form(QStringLiteral("\\A[0-9a-f]{64}\\z"));
    const QByteArray time = file.words[0].left(file.words[0].indexOf('.') + 10);
    const QByteArray of = file.words[2] + '-' + file.words[3] + '-' + time;
    const QString sum = QString::fromLatin1(note.words[0]);
    return note.words[1] == of && form.match(sum).hasMatch() ? u"sha256:" + sum : QString();
}

/// Runs, origin and use of an image.
void readUses(StoredImage* image, const QString& name, const ImageScan& scan)
{
    const QString whole = image->isPartial ? name.chopped(5) : name;
    const QString path = image->isPartial ? image->path.chopped(5) : image->path;
    const QString fileName = whole.section(u'/', -1);
    image->inUse = scan.allInUse
        || std::any_of(scan.activeTexts.begin(), scan.activeTexts.end(),
            [&](const QString& text) { return text.contains(fileName); });
    for (const ImageUse& use : scan.uses) {
        const bool named = use.name == whole || use.name == path;
        const bool known = !use.digest.isEmpty() && !image->digest.isEmpty();
        if (named && image->from.isEmpty())
            image->from = use.from;
        // It may be pulled again by the time that a waiting job begins.
        image->inUse = image->inUse || (named && use.isActive);
        const bool used = known ? use.digest == image->digest : named;
        if (used && !use.runId.isEmpty() && !image->isPartial && !image->runs.contains(use.runId))
            image->runs << use.runId;
    }
}

/// By the site's rule, a file in scratch may be deleted when it was not read for so many days. The
/// day is the earliest possible: a read that the file system does not note would only delay it.
std::optional<QDate> deletionDay(const StoredImage& image, const ImageScan& scan)
{
    const bool inScratch =
        !scan.scratch.isEmpty() && image.path.startsWith(QString(scan.scratch + u'/'));
    const QDateTime since = image.lastRead.isValid() ? image.lastRead : image.modified;
    if (!inScratch || scan.purgeDays <= 0 || !since.isValid())
        return {};
    return since.date().addDays(scan.purgeDays);
}

struct ScanParts {
    QByteArray state; ///< of the folder
    QString folder;
    bool notesReads = false;
    bool isSlow = false;
    bool isComplete = false;
    QHash<QString, ScanRow> notes; ///< by the name of the image
};

/// Everything but the images, which need it.
ScanParts scanParts(const std::vector<ScanRow>& rows, ImageList* list)
{
    ScanParts parts;
    for (const ScanRow& row : rows) {
        if (row.kind == "folder" && parts.state.isEmpty()) {
            parts.state = row.words[0];
            parts.folder = row.name;
        } else if (row.kind == "free") {
            list->freeBytes = bytesIn(row.words[0], 1024);
        } else if (row.kind == "mount") {
            parts.notesReads = notesReads(row.words[0]);
        } else if (row.kind == "note") {
            parts.notes.insert(row.name.chopped(std::min<qsizetype>(row.name.size(), 15)), row);
        } else if (row.kind == "cache" && list->caches.size() < mostCaches
            && row.name.startsWith(u'/') && isSafeRelativeName(row.name.mid(1))) {
            const std::optional<qint64> bytes = bytesIn(row.words[1], 1024);
            list->caches.push_back({QString::fromLatin1(row.words[0]), row.name, bytes.value_or(0),
                bytes.has_value()});
        }
        parts.isSlow = parts.isSlow || row.kind == "slow";
        parts.isComplete = row.kind == "end";
    }
    return parts;
}

StoredImage storedImage(const ScanRow& row, const ScanParts& parts, const ImageScan& scan)
{
    StoredImage image;
    image.path = parts.folder + u'/' + row.name;
    image.isPartial = row.name.endsWith(u".part");
    image.bytes = bytesIn(row.words[2], 1).value_or(0);
    image.modified = timeIn(row.words[0]);
    const QDateTime read = timeIn(row.words[1]);
    if (parts.notesReads && read > image.modified)
        image.lastRead = read;
    if (const auto note = parts.notes.constFind(row.name); note != parts.notes.cend())
        image.digest = digestIn(*note, row);
    image.deletedOn = deletionDay(image, scan);
    readUses(&image, row.name, scan);
    return image;
}

std::optional<Error> scanError(const ScanParts& parts)
{
    if (!parts.isComplete || parts.folder.isEmpty())
        return Error{ErrorKind::Protocol, tr("The list of images was cut off."), tr("Try again.")};
    if (parts.isSlow)
        return Error{ErrorKind::Timeout,
            tr("%1 could not be read within 20 seconds.").arg(parts.folder),
            tr("Its file system is slow now. Try again later.")};
    if (parts.state == "link")
        return Error{ErrorKind::Refused,
            tr("The image folder %1 is a link, and links are not followed.").arg(parts.folder),
            tr("Name the folder that it leads to as image_folder in the site's file.")};
    if (parts.state == "closed")
        return Error{ErrorKind::Io, tr("The image folder %1 cannot be entered.").arg(parts.folder),
            tr("Check its permissions.")};
    return {};
}

/// What a learner could type.
QString scanCommand(const ImageList& list)
{
    QString command =
        QStringLiteral("find %1 -type f -size +0 -exec ls -lhu {} +; df -h %1").arg(list.folder);
    for (const ImageCache& cache : list.caches)
        command += u"; du -sh " + cache.path;
    return command;
}

} // namespace

bool isImageName(const QString& name)
{
    static const QRegularExpression form(
        QStringLiteral("(?:\\.(?:sif|sqsh|simg|img)|\\Aarchives/[^/]+\\.tar)(?:\\.part)?\\z"));
    return isSafeRelativeName(name) && form.match(name).hasMatch();
}

qint64 ImageList::bytes() const
{
    qint64 sum = 0;
    for (const StoredImage& image : images)
        sum += image.bytes;
    return sum;
}

QString spaceWords(const ImageList& list)
{
    const QString free = list.freeBytes ? tr("%1 free").arg(ByteCount(*list.freeBytes).text())
                                        : tr("free space unknown");
    if (!list.quota)
        return free;
    return tr("%1 of %2 used (quota), %3")
        .arg(ByteCount(list.quota->usedBytes).text(), ByteCount(list.quota->limitBytes).text(),
            free);
}

std::vector<ImageUse> imageUses(const Plan& plan)
{
    const QString folder = imageFolder(plan.site) + u'/';
    std::vector<ImageUse> uses;
    for (const PlanImage& image : planImages(plan)) {
        QString path = imagePathWord(plan, image);
        if (path.size() > 1 && (path.startsWith(u'"') || path.startsWith(u'\'')))
            path = path.mid(1, path.size() - 2);
        ImageUse use;
        use.name = path.startsWith(folder) ? path.mid(folder.size()) : path;
        if (image.reference && !image.reference->isFile())
            use.from = image.reference->text();
        for (const RecipeStep& step : plan.recipe.steps) {
            if (step.kind == RecipeStep::Kind::Build && buildOutput(plan, step) == image.key)
                use.from = buildDefinition(plan, step);
        }
        uses.push_back(use);
    }
    return uses;
}

Result<ImageList> readImageList(const QByteArray& answer, const ImageScan& scan)
{
    const std::vector<ScanRow> rows = scanRows(answer);
    ImageList list;
    const ScanParts parts = scanParts(rows, &list);
    if (const auto error = scanError(parts))
        return *error;
    list.folder = parts.folder;
    for (const ScanRow& row : rows) {
        if (row.kind != "file")
            continue;
        const bool isSane = isImageName(row.name) && bytesIn(row.words[2], 1);
        if (!isSane || list.images.size() >= mostImages) {
            ++list.leftOut;
            continue;
        }
        list.images.push_back(storedImage(row, parts, scan));
    }
    std::stable_sort(list.images.begin(), list.images.end(),
        [](const StoredImage& a, const StoredImage& b) { return a.bytes > b.bytes; });
    list.command = scanCommand(list);
    readPackages(answer, scan, &list);
    list.quota = readQuota(answer);
    return list;
}

QStringList readRemovedImages(const QByteArray& answer, size_t count)
{
    QStringList why;
    for (size_t i = 0; i < count; ++i)
        why << tr("there was no answer");
    for (const QByteArray& line : answer.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        bool ok = false;
        const uint i = words.value(1).toUInt(&ok);
        if (!ok || i >= count)
            continue;
        if (words[0] == "gone")
            why[i].clear();
        else if (words[0] == "left")
            why[i] = QString::fromUtf8(line.mid(words[1].size() + 6)).left(300);
    }
    return why;
}

Result<qint64> readClearedCaches(const QByteArray& answer, const std::vector<ImageCache>& before)
{
    qint64 freed = 0;
    bool isComplete = false;
    QString why;
    QHash<QString, qint64> after;
    for (const ScanRow& row : scanRows(answer)) {
        if (row.kind == "cache") {
            if (const auto bytes = bytesIn(row.words[1], 1024))
                after.insert(row.name, *bytes);
        } else if (row.kind == "left") {
            why = row.name.left(300);
        }
        isComplete = row.kind == "end";
    }
    if (!isComplete)
        return Error{ErrorKind::Protocol, tr("Whether the caches were cleared is not known."),
            tr("List them again.")};
    for (const ImageCache& cache : before) {
        if (cache.known && after.contains(cache.path))
            freed += std::max<qint64>(0, cache.bytes - after.value(cache.path));
    }
    if (freed == 0 && !why.isEmpty())
        return Error{
            ErrorKind::Io, tr("A cache could not be cleared: %1.").arg(why), {}, why.toUtf8()};
    return freed;
}

} // namespace slipway
