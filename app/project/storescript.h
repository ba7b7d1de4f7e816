// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

namespace slipway {

/// StoreScripts are the scripts that work in a content store on the cluster.
///
/// The store has each content once, as `<two digits>/<sha256>`, with an `x` behind it if it may be
/// executed: the mode belongs to the content, because hard links share it. `tmp` holds what is not
/// complete: `tmp/<id>` of one upload, `tmp/<key>.part` of a large file.
///
/// A login node takes a millisecond or more for each process, and a project has thousands of
/// files, so no script starts a program for each file. Contents travel as a tar archive, and so
/// does the code folder: its members are hard links to contents, so that one tar makes all of them.
/// The archive is unpacked below the store, where linking works; then the folder is moved.
///
/// Files of up to 8 MiB are then copied, so that a program may write into what it was sent with:
/// they share nothing with the store, other runs or files of the same content. Larger ones stay
/// links. A job that writes into one of those writes to the content itself, also for runs that
/// have not ended, and gives it another time or size: the next upload sends it again, under a new
/// inode.
///
/// Contents have one of two modification times. Of the two, what a compiler has made gets the
/// earlier time, so that make(1) never takes a program that was built on another computer for newer
/// than its source.
///
/// Plain sh, coreutils, tar, gzip, awk, find and xargs. A value; any thread.
class StoreScripts {
public:
    // RunFolder knows by these times what was sent.
    static constexpr qint64 builtTime = 1'000'000'000; ///< 2001-09-09 01:46:40 UTC
    static constexpr qint64 sourceTime = builtTime + 60;

    /// `id` names the upload's folder in tmp, `stamp` the content of the code folder.
    StoreScripts(const QString& store, const QString& codeFolder, QByteArray id, QByteArray stamp);

    /// Takes the list of contents (“key size”, gzip) and the code folder's archive (gzip) from
    /// stdin. Prints “need KEY” for each content that is missing or damaged, and “part KEY SIZE”
    /// for what there is of a large one. If nothing is needed it makes the code folder.
    QByteArray ask(qint64 listBytes, qint64 treeBytes) const;
    /// Takes an archive of contents from stdin.
    QByteArray addContents(qint64 count, bool isLast) const;
    /// Takes the bytes of a large content that begin at `offset`.
    struct Piece {
        QByteArray key;
        qint64 offset = 0, bytes = 0, whole = 0;
        bool isBuilt = false;
    };
    QByteArray addPiece(const Piece& piece, bool isLast) const;
    /// Takes “key TAB path” of each file from stdin (gzip), and copies those that could not be
    /// linked.
    QByteArray copyMissing() const;
    /// Removes what the upload has left.
    QByteArray giveUp() const;

    static QByteArray pathOf(const QByteArray& key) { return key.left(2) + '/' + key; }

    /// Exit codes of the scripts.
    static constexpr int damagedCode = 74, exchangedCode = 75, existsCode = 73, sweptCode = 76;

private:
    QByteArray m_opening;
    QByteArray m_id;
};

} // namespace slipway
