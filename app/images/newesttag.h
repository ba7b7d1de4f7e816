// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"

namespace slipway {

/// The newest tag of an image's repository that runs. A value.
struct NewestTag {
    std::optional<ImageReference> image; ///< none: none of those that were looked at runs
    QString partition; ///< on which it runs
    QString sentence; ///< the verdict there
    QStringList lookedAt; ///< tags, in this order
    bool allTags = true; ///< false: the repository has more tags than were read

    /// "2.4.1 is the newest tag that runs on gpu-h100: …", for a person.
    QString words() const;
};

/// The verdict by which an image runs on a partition, or, where none is named, on the GPUs of one;
/// at a site without GPUs, on its CPUs. Null: it does not, or it is not known.
const PartitionVerdict* verdictThatRuns(
    const std::vector<PartitionVerdict>& verdicts, const QString& partition);

/// Looks at the newest tags of the same flavour, six at most, until one runs. The inspector may be
/// deleted meanwhile. Without `login`, with the one that is kept.
QCoro::Task<Result<NewestTag>> newestThatRuns(ImageInspector* inspector, QString siteId,
    ImageReference image, QString partition, std::optional<RegistryLogin> login = {});

} // namespace slipway
