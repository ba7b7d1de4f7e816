// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// One file or symbolic link of a snapshot. A value.
struct SnapshotEntry {
    QString path; ///< relative, '/' between parts, safe on the cluster (isSafeRelativeName)
    qint64 bytes = 0;
    bool isExecutable = false;
    QByteArray sha256; ///< of the content, in hexadecimal; of a link: empty
    QString linkTarget; ///< of a symbolic link within the folder, relative; otherwise empty
    bool operator==(const SnapshotEntry&) const = default;
};

/// A file that stays here, with its reason in a sentence.
struct SnapshotOmission {
    QString path;
    qint64 bytes = 0;
    QString reason;
    bool isLarge = false; ///< left out for its size alone: a person may decide otherwise
};

/// The state of the folder's Git repository.
struct GitState {
    QString commit; ///< 40 or 64 digits; empty: no repository, or no commit
    QString branch;
    QByteArray difference; ///< `git diff HEAD`, cut off after 1 MiB
    int changedFiles = 0;
};

/// Snapshot is a folder as it was at one moment: what a run will see of it. A value.
struct Snapshot {
    QString folder; ///< absolute
    std::vector<SnapshotEntry> entries; ///< sorted by path
    std::vector<SnapshotOmission> omissions;
    GitState git;

    qint64 bytes() const;
    /// A text that lists every entry, one per line; equal for equal content.
    QByteArray manifest() const;
    static Result<std::vector<SnapshotEntry>> readManifest(const QByteArray& text);
};

/// What has changed between two snapshots.
struct SnapshotDifference {
    QStringList added, changed, removed;
    qint64 bytes = 0; ///< of what is added and changed
    bool isEmpty() const { return added.isEmpty() && changed.isEmpty() && removed.isEmpty(); }
};
SnapshotDifference compareSnapshots(
    const std::vector<SnapshotEntry>& before, const std::vector<SnapshotEntry>& after);

struct SnapshotRequest {
    QString folder;
    qint64 largeBytes = 100 * 1024 * 1024; ///< larger files are left out and named
    QStringList wanted = {}; ///< large files that go up nevertheless
    QString hashFile = {}; ///< where hashes are kept by size, inode and times; empty: nowhere
    std::size_t mostEntries = 50'000;
};

/// Reads the folder with its .gitignore and .slipwayignore (gitignore(5)); .git never goes up.
/// Blocks; for a worker thread. Unreadable files and names that are not safe are omissions.
Result<Snapshot> takeSnapshot(const SnapshotRequest& request);

} // namespace slipway
