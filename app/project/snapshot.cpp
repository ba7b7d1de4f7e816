// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/snapshot.h"

#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"

#include <QHash>

#include <algorithm>

namespace slipway {

namespace {

constexpr char manifestHead[] = "slipway-manifest 1";
constexpr qsizetype mostManifestLines = 50'000;

Error badManifest(qsizetype line)
{
    return {ErrorKind::Invalid,
        tr("The list of a run's files could not be read (line %1).").arg(line),
        tr("Launch again from the folder.")};
}

bool isHexHash(const QByteArray& text)
{
    return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
}

/// A relative target below the folder's top; it may have ".." as long as it does not leave.
bool isSafeTarget(const QString& link, const QString& target)
{
    if (target.isEmpty() || target.startsWith(u'/') || target.size() > 1024)
        return false;
    auto depth = link.count(u'/');
    for (const auto& part : target.split(u'/')) {
        if (part.isEmpty() || part == u".")
            continue;
        if (part == u"..")
            --depth;
        else if (isSafeRelativeName(QString(u'x' + part)))
            ++depth;
        else
            return false;
        if (depth < 0)
            return false;
    }
    return true;
}

/// A line: "file", "program" or "link", hash or target, size, path, with tabs between, which no
/// name has.
bool readManifestLine(const QByteArray& line, SnapshotEntry* entry)
{
    const auto fields = line.split('\t');
    if (fields.size() != 4)
        return false;
    bool number = false;
    entry->bytes = fields[2].toLongLong(&number);
    entry->path = QString::fromUtf8(fields[3]);
    entry->isExecutable = fields[0] == "program";
    if (!number || entry->bytes < 0 || !isSafeRelativeName(entry->path))
        return false;
    if (fields[0] == "link") {
        entry->linkTarget = QString::fromUtf8(fields[1]);
        return isSafeTarget(entry->path, entry->linkTarget);
    }
    entry->sha256 = fields[1];
    return (entry->isExecutable || fields[0] == "file") && isHexHash(entry->sha256);
}

} // namespace

qint64 Snapshot::bytes() const
{
    qint64 sum = 0;
    for (const auto& entry : entries)
        sum += entry.bytes;
    return sum;
}

QByteArray Snapshot::manifest() const
{
    QByteArray text = QByteArray(manifestHead) + '\n';
    for (const auto& entry : entries) {
        if (!entry.linkTarget.isEmpty())
            text += "link\t" + entry.linkTarget.toUtf8();
        else
            text += (entry.isExecutable ? "program\t" : "file\t") + entry.sha256;
        text += '\t' + QByteArray::number(entry.bytes) + '\t' + entry.path.toUtf8() + '\n';
    }
    return text;
}

Result<std::vector<SnapshotEntry>> Snapshot::readManifest(const QByteArray& text)
{
    const auto lines = text.split('\n');
    if (lines.front() != manifestHead || !lines.back().isEmpty())
        return badManifest(1);
    if (lines.size() > mostManifestLines + 2)
        return badManifest(mostManifestLines + 2);
    std::vector<SnapshotEntry> entries;
    entries.reserve(std::size_t(lines.size()));
    for (qsizetype i = 1; i < lines.size() - 1; ++i) {
        SnapshotEntry entry;
        if (!readManifestLine(lines[i], &entry)
            || (!entries.empty() && !(entries.back().path < entry.path)))
            return badManifest(i + 1);
        entries.push_back(std::move(entry));
    }
    return entries;
}

SnapshotDifference compareSnapshots(
    const std::vector<SnapshotEntry>& before, const std::vector<SnapshotEntry>& after)
{
    QHash<QString, const SnapshotEntry*> former;
    for (const auto& entry : before)
        former.insert(entry.path, &entry);
    SnapshotDifference difference;
    for (const auto& entry : after) {
        const auto* known = former.take(entry.path);
        if (known && *known == entry)
            continue;
        (known ? difference.changed : difference.added) << entry.path;
        difference.bytes += entry.bytes;
    }
    for (const auto* entry : std::as_const(former))
        difference.removed << entry->path;
    difference.removed.sort();
    return difference;
}

} // namespace slipway
