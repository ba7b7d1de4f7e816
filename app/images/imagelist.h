// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One image file on a cluster. A value.
struct StoredImage {
    QString path;
    QString from; ///< the image that it was pulled from, or its definition file; empty: unknown
    QString digest; ///< "sha256:…" of the file, as its job calculated it; empty: unknown
    qint64 bytes = 0;
    QDateTime modified; ///< the cluster's clock
    /// Invalid: never since it was written, or the file system does not note it.
    QDateTime lastRead;
    /// The first day on which the site's rule permits its deletion; none: no rule, or unknown.
    std::optional<QDate> deletedOn;
    QStringList runs; ///< ids of the runs of this computer that used it
    bool inUse = false; ///< by a job that has not ended: it cannot be removed
    bool isPartial = false; ///< what a pull or a build that was ended has left; of use to no one
};

/// A cache of a container runtime, with what clears it.
struct ImageCache {
    QString runtime; ///< "apptainer", "enroot"
    QString path;
    qint64 bytes = 0;
    bool known = true; ///< false: it could not be measured in time, and `bytes` says nothing
};

/// What is kept on a cluster. A value.
struct ImageList {
    QString folder;
    std::vector<StoredImage> images; ///< the largest first
    std::vector<ImageCache> caches;
    std::optional<qint64> freeBytes; ///< of the file system of `folder`
    QString command; ///< what a learner could type
    qint64 leftOut = 0; ///< images with unusual names, and those beyond the limit of the list
    qint64 bytes() const;
};

} // namespace slipway
