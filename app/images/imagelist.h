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

/// Python packages that were installed once for a requirements file and an image. A value.
struct PackageSet {
    QString path;
    QString requirements; ///< the name of the file that they were installed from; empty: unknown
    QString firstLines; ///< of that file, bounded
    std::optional<qint64> bytes; ///< none: could not be measured in time
    std::optional<int> files;
    QDateTime modified; ///< when they were installed; the cluster's clock
    QDateTime lastUsed; ///< by a job; invalid: unknown
    std::optional<QDate> deletedOn; ///< as in StoredImage
    bool isComplete = false; ///< false: an installation that was ended has left it
    bool inUse = false; ///< a job has not ended, and it may use them
};

/// What this account may keep on a file system. A value.
struct StorageQuota {
    qint64 usedBytes = 0;
    qint64 limitBytes = 0;
};

/// What is kept on a cluster. A value.
struct ImageList {
    QString folder;
    std::vector<StoredImage> images; ///< the largest first
    std::vector<ImageCache> caches;
    QString packageFolder; ///< empty: there is none
    std::vector<PackageSet> packages; ///< the largest first
    std::optional<qint64> freeBytes; ///< of the file system of `folder`
    std::optional<StorageQuota> quota; ///< there; none: there is none, or it is unknown
    QString command; ///< what a learner could type
    qint64 leftOut = 0; ///< images with unusual names, and those beyond the limit of the list
    qint64 bytes() const;
};

/// "12 GiB of 50 GiB used (quota), 3 TiB free"; without a known quota the free space alone.
QString spaceWords(const ImageList& list);

} // namespace slipway
