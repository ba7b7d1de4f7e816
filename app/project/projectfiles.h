// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// One text file of a project. A value.
struct ProjectFile {
    QString path; ///< relative to the folder
    QString text; ///< with '\n' at the end of lines, without a byte order mark

    QString name() const { return path.mid(path.lastIndexOf(u'/') + 1); }
    QString folder() const; ///< "" at the top, otherwise "src"
    QString suffix() const; ///< "py"; empty: none
    int depth() const { return int(path.count(u'/')); }
};

/// ProjectFiles is what can be read of a person's folder: program texts, requirements, build and
/// container files. Everything else is not opened. A value.
struct ProjectFiles {
    QString folder; ///< absolute
    std::vector<ProjectFile> files; ///< those nearest to the top first, then by path
    QStringList notebooks; ///< *.ipynb, which are not read
    QStringList unread; ///< of a kind that is read, but binary, too large or not readable
    bool isCut = false; ///< there is more than is read

    const ProjectFile* find(const QString& path) const;
    /// Those with one of these suffixes.
    std::vector<const ProjectFile*> withSuffix(const QStringList& suffixes) const;
};

/// Where something was read.
struct Found {
    QString what; ///< as it is written there: "torch.cuda"
    QString file;
    int line = 0; ///< 0: nothing was found
    bool isOptional = false; ///< in a `try`, so that the program may do without it

    bool isKnown() const { return line > 0; }
    QString place() const; ///< "train.py, line 3"
};

/// Up to 2,000 files of 1 MiB each and 8 MiB together, 12 folders deep; no .git, virtual
/// environments and caches, and no link that leads out of the folder. Blocks.
Result<ProjectFiles> readProjectFiles(const QString& folder);

/// The bytes as text: UTF-8, or Latin-1 where it is not. Empty for binary content.
QString projectText(QByteArray bytes);

/// Foreign text for a value or a sentence: on one line, without control characters, and cut.
QString plainText(const QString& text, qsizetype longest = 500);

} // namespace slipway
