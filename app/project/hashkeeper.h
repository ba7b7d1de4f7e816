// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>

#include <sys/stat.h>

namespace slipway {

/// What tells that a file has changed without reading it.
struct FileStamp {
    qint64 bytes = 0;
    qint64 modifiedNs = 0;
    qint64 changedNs = 0; ///< ctime: nobody can set it back
    quint64 inode = 0;
    quint64 device = 0;
    static FileStamp of(const struct stat& status);
    bool operator==(const FileStamp&) const = default;
};

/// HashKeeper keeps the hashes of a folder's files in a file, so that a file whose stamp is the
/// same needs not be read again. Whatever is wrong with that file, the hashes are made anew. A
/// value for one worker thread.
class HashKeeper {
public:
    /// Reads `file`; empty: nothing is kept.
    explicit HashKeeper(QString file);

    /// Empty: not known.
    QByteArray find(const QString& path, const FileStamp& stamp) const;
    /// `readAtNs` is when its reading began. A file that was written less than 2 s before is not
    /// kept: it could be written again without a new time.
    void keep(const QString& path, const FileStamp& stamp, const QByteArray& hash, qint64 readAtNs);
    /// Replaces the file by what was found and kept since; nobody else may read it.
    bool save() const;

private:
    struct Entry {
        FileStamp stamp;
        QByteArray hash;
    };
    void read();

    QString m_file;
    QHash<QString, Entry> m_known;
    mutable QHash<QString, Entry> m_used;
};

} // namespace slipway
