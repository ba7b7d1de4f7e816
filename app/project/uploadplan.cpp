// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/uploadplan.h"

#include "app/project/tarstream.h"
#include "remote/base/tr.h"

#include <QCryptographicHash>
#include <QFile>
#include <QSet>
#include <QStringBuilder>
#include <QUuid>

#include <algorithm>

namespace slipway {

namespace {

/// Programs and libraries, on Linux and macOS.
bool isCompiled(const QByteArray& content)
{
    return content.startsWith("\x7f"
                              "ELF")
        || content.startsWith("!<arch>\n") || content.startsWith("\xcf\xfa\xed\xfe");
}

/// The folders of all entries, parents first; none may be an entry itself.
Result<QStringList> foldersOf(const std::vector<SnapshotEntry>& entries)
{
    QSet<QString> names, folders;
    for (const auto& entry : entries)
        names.insert(entry.path);
    for (const auto& entry : entries) {
        for (auto slash = entry.path.lastIndexOf(u'/'); slash > 0;
             slash = entry.path.lastIndexOf(u'/', slash - 1)) {
            const QString folder = entry.path.left(slash);
            if (names.contains(folder))
                return Error{ErrorKind::Invalid,
                    tr("%1 is a folder and a file at once.").arg(folder), tr("Launch again.")};
            if (folders.contains(folder))
                break;
            folders.insert(folder);
        }
    }
    QStringList sorted(folders.begin(), folders.end());
    sorted.sort();
    return sorted;
}

QByteArray treeOf(
    const QByteArray& prefix, const QStringList& folders, const std::vector<SnapshotEntry>& entries)
{
    TarMember member;
    member.modified = StoreScripts::sourceTime;
    member.type = TarMember::Type::Folder;
    member.name = prefix;
    QByteArray tree = tarHeader(member);
    for (const auto& folder : folders) {
        member.name = prefix + '/' + folder.toUtf8();
        tree += tarHeader(member);
    }
    for (const auto& entry : entries) {
        member.name = prefix + '/' + entry.path.toUtf8();
        const bool isLink = !entry.linkTarget.isEmpty();
        member.type = isLink ? TarMember::Type::SymbolicLink : TarMember::Type::HardLink;
        member.target =
            isLink ? entry.linkTarget.toUtf8() : StoreScripts::pathOf(contentKey(entry));
        member.isExecutable = entry.isExecutable;
        tree += tarHeader(member);
    }
    return tree + tarEnd();
}

} // namespace

Error contentHasChanged(const QString& path)
{
    return {ErrorKind::Invalid, tr("%1 has changed since the launch began.").arg(path),
        tr("Launch again.")};
}

QByteArray contentKey(const SnapshotEntry& entry)
{
    return entry.isExecutable ? QByteArray(entry.sha256 + 'x') : entry.sha256;
}

Result<UploadPlan> makeUploadPlan(const Snapshot& snapshot)
{
    // The manifest's reader knows what a good entry is.
    const QByteArray manifest = snapshot.manifest();
    if (const auto entries = Snapshot::readManifest(manifest); !entries.ok())
        return entries.error();
    const auto folders = foldersOf(snapshot.entries);
    if (!folders.ok())
        return folders.error();
    UploadPlan plan;
    plan.id = QUuid::createUuid().toByteArray(QUuid::Id128);
    plan.stamp = QCryptographicHash::hash(manifest, QCryptographicHash::Sha256).toHex();
    QByteArray list;
    for (const auto& entry : snapshot.entries) {
        if (!entry.linkTarget.isEmpty())
            continue;
        ++plan.files;
        const QByteArray key = contentKey(entry);
        if (plan.contents.contains(key))
            continue;
        plan.contents.insert(
            key, {key, QString(snapshot.folder + u'/' + entry.path), entry.bytes, 0});
        list += StoreScripts::pathOf(key) + ' ' + QByteArray::number(entry.bytes) + '\n';
    }
    plan.list = gzipped(list);
    plan.tree = gzipped(treeOf("tmp/" + plan.id + "/code", *folders, snapshot.entries));
    return plan;
}

QByteArray copyPlan(const Snapshot& snapshot)
{
    QByteArray text;
    for (const auto& entry : snapshot.entries)
        if (entry.linkTarget.isEmpty())
            text += contentKey(entry) + '\t' + entry.path.toUtf8() + '\n';
    return gzipped(text);
}

Result<std::vector<MissingContent>> readMissing(const UploadPlan& plan, const QByteArray& answer)
{
    std::vector<MissingContent> missing;
    QSet<QByteArray> named;
    QHash<QByteArray, qint64> parts;
    for (const auto& line : answer.split('\n')) {
        const auto words = line.split(' ');
        if (words.size() == 3 && words[0] == "part")
            parts.insert(words[1], words[2].toLongLong());
        if (words.size() != 2 || words[0] != "need")
            continue;
        const auto content = plan.contents.constFind(words[1]);
        if (content == plan.contents.constEnd() || named.contains(words[1]))
            return Error{ErrorKind::Protocol,
                tr("The cluster asked for a file that is not part of the launch."),
                tr("Try again."), line.left(200)};
        named.insert(words[1]);
        missing.push_back(*content);
    }
    for (auto& content : missing) {
        const qint64 there = parts.value(content.key, 0);
        if (content.bytes > largeContentBytes && there > 0 && there <= content.bytes)
            content.there = there;
    }
    // Small ones first: many of them are there after a cut.
    std::sort(missing.begin(), missing.end(), [](const auto& a, const auto& b) {
        return a.bytes != b.bytes ? a.bytes < b.bytes : a.key < b.key;
    });
    return missing;
}

Result<QByteArray> contentArchive(const std::vector<MissingContent>& contents)
{
    QByteArray archive;
    QSet<QByteArray> folders;
    for (const auto& content : contents) {
        QFile file(content.path);
        const bool open = file.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
        const QByteArray bytes = open ? file.read(content.bytes + 1) : QByteArray();
        const auto sum = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
        if (!open || bytes.size() != content.bytes || !content.key.startsWith(sum))
            return contentHasChanged(content.path);
        TarMember member;
        if (const auto folder = content.key.left(2); !folders.contains(folder)) {
            folders.insert(folder);
            member.type = TarMember::Type::Folder;
            member.name = folder;
            archive += tarHeader(member);
        }
        member.type = TarMember::Type::File;
        member.name = StoreScripts::pathOf(content.key);
        member.bytes = content.bytes;
        member.isExecutable = content.key.endsWith('x');
        member.modified = isCompiled(bytes) ? StoreScripts::builtTime : StoreScripts::sourceTime;
        archive += tarHeader(member) + bytes + tarPadding(content.bytes);
    }
    return QByteArray(archive + tarEnd());
}

Result<ContentPiece> contentPiece(const MissingContent& content, qint64 bytes)
{
    QFile file(content.path);
    ContentPiece piece;
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || file.size() != content.bytes)
        return contentHasChanged(content.path);
    piece.isBuilt = isCompiled(file.read(8));
    if (!file.seek(content.there))
        return contentHasChanged(content.path);
    const qint64 wanted = std::min(bytes, content.bytes - content.there);
    piece.bytes = file.read(wanted);
    if (piece.bytes.size() != wanted)
        return contentHasChanged(content.path);
    return piece;
}

} // namespace slipway
