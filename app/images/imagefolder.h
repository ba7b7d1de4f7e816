// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace slipway {

// The folder of images on a cluster, and how much fits into it. Pure.

struct ImageFolder {
    QString path; ///< there
    std::optional<qint64> freeBytes; ///< of its file system; none: unknown
    QString
        keptSince; ///< "2026-01-02": since when the files are there; empty: unknown, or one is not
};

/// Asks for the folder that `expression` (a path expression of a site file) stands for in a login
/// shell, and for the space in it or, where it does not exist yet, in what it will be made in. And,
/// where `fileWords` names files (shell words, as imageFileWord() makes them), whether they are
/// there.
QByteArray imageFolderScript(const QString& expression, const QStringList& fileWords = {});
/// None: it has no answer, because a variable is not set there for example.
std::optional<ImageFolder> parseImageFolder(const QByteArray& output);

} // namespace slipway
