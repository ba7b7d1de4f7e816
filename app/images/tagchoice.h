// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

// Tags of a repository as versions and flavours, and which of them to look at. Pure.

/// A tag in its parts: "2.4.1-cuda12.1-cudnn9-runtime" is version 2.4.1 in the flavour
/// "-cuda*-cudnn*-runtime". A value.
struct TagParts {
    std::vector<int> version; ///< empty: it names none, as "latest"
    QString flavour; ///< what follows, in lower case; versions of CUDA and cuDNN are "*"
    std::vector<int> variant; ///< those versions, in order
    bool isPreRelease = false; ///< "2.16.0rc0", "1.0-beta2"
};
TagParts tagParts(const QString& tag);

/// The tags of the same flavour as `asked`, the newest version first, at most `most`. Versions are
/// as precise as the one that was asked for, and previews are left out unless it is one.
QStringList newestTags(const QStringList& tags, const QString& asked, qsizetype most);

/// Existing tags that resemble one that does not exist: of its flavour and near its version, older
/// ones first; else those that begin as it does. At most `most`.
QStringList nearestTags(const QStringList& tags, const QString& asked, qsizetype most);

} // namespace slipway
