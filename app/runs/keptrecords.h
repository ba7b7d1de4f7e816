// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/logposition.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// KeptRecords is the folder <run>/records on this computer: copies of the files that metrics
/// loggers write in the run's folder, numbered, and index.json with their names. How far a file was
/// read is the size of its copy. Bounded in number and size; what is beyond stays on the cluster. A
/// value that reads and writes the disk; only the program that drives the run writes.
class KeptRecords {
public:
    explicit KeptRecords(const QString& runFolder);

    static constexpr qsizetype mostFiles = 64;
    static constexpr qint64 mostOfOne = 64 * 1024 * 1024;
    static constexpr qint64 mostOfAll = 256 * 1024 * 1024;

    struct File {
        QString name; ///< within the run's folder on the cluster
        QString path; ///< of the copy
        quint64 inode = 0; ///< of the file on the cluster
        int rewrites = 0; ///< how often it was truncated or replaced there
    };
    const std::vector<File>& files() const { return m_files; }
    QString indexPath() const;
    qint64 sizeOfAll() const;

    LogPosition position(const QString& name) const;
    /// False: a limit was reached, or the disk is full. Bytes that are here already are left out.
    bool append(const QString& name, const QByteArray& bytes, qint64 offset);
    void noteInode(const QString& name, quint64 inode);
    /// The file was truncated or replaced: its copy begins again.
    void restart(const QString& name);

private:
    File* find(const QString& name);
    void writeIndex() const;

    QString m_folder;
    std::vector<File> m_files;
};

} // namespace slipway
