// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/snapshot.h"
#include "app/project/storescript.h"

#include <QHash>

#include <vector>

namespace slipway {

/// One content that the cluster does not have. A value.
struct MissingContent {
    QByteArray key;
    QString path; ///< here, absolute
    qint64 bytes = 0;
    qint64 there = 0; ///< of a large one: what an earlier upload has brought
};

/// UploadPlan is a snapshot in the form in which it travels: its contents, and its folder as an
/// archive of links to them. A value, made and read on worker threads.
struct UploadPlan {
    QByteArray id;
    QByteArray stamp; ///< sha256 of the manifest
    QByteArray list; ///< gzip; for StoreScripts::ask()
    QByteArray tree; ///< gzip
    QHash<QByteArray, MissingContent> contents; ///< by key
    int files = 0; ///< entries that are no links
};

/// Contents of more bytes travel in pieces.
constexpr qint64 largeContentBytes = 8 * 1024 * 1024;

QByteArray contentKey(const SnapshotEntry& entry);

/// Invalid: the snapshot has names that are not safe, twice the same, or files below files.
Result<UploadPlan> makeUploadPlan(const Snapshot& snapshot);
/// For StoreScripts::copyMissing().
QByteArray copyPlan(const Snapshot& snapshot);

/// What the answer to StoreScripts::ask() names. Protocol: it names what was not asked for.
Result<std::vector<MissingContent>> readMissing(const UploadPlan& plan, const QByteArray& answer);

/// An archive of these contents. Invalid: one is no longer what the snapshot has.
Result<QByteArray> contentArchive(const std::vector<MissingContent>& contents);

/// A part of one large content.
struct ContentPiece {
    QByteArray bytes;
    bool isBuilt = false; ///< the whole was made by a compiler
};
Result<ContentPiece> contentPiece(const MissingContent& content, qint64 bytes);

Error contentHasChanged(const QString& path);

} // namespace slipway
