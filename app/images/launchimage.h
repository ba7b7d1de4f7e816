// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"
#include "app/plan/plan.h"

#include <QDateTime>

namespace slipway {

/// What a registry said of an image, for a launch at a site. A value.
struct ImageAnswer {
    enum class State {
        Unasked,
        Asking,
        Exists,
        Missing, ///< the registry has no such tag, or no such repository
        Unauthorized, ///< private, or it does not exist: registries do not say which
        Unreachable, ///< no answer that says anything of the image
        File, ///< a file on the cluster, or of a source that is not asked
    };
    State state = State::Unasked;
    QString siteId;
    ImageReference image;
    std::optional<ImageInspection> inspection; ///< if it exists
    QString why; ///< the registry's error in a sentence
    /// "2026-01-02": since when a file of this image is on the cluster; empty: none, or unknown.
    QString keptSince;
    QStringList nearest; ///< tags that exist, of an image that is missing
    QDateTime asked; ///< when the answer came

    /// Of what the reference names, "sha256:…"; empty: not known.
    QString digest() const;
};
QString imageStateName(ImageAnswer::State state); ///< in JSON: "exists", "missing", …

/// How a launch stands with its image. Unknown is an answer: nothing is claimed that the registry
/// did not say.
enum class ImageStanding { Ok, Warning, Error, Unknown };
QString imageStandingName(ImageStanding standing); ///< in JSON: "ok", "warning", …

/// What is said of an image above the launch button. A value.
struct LaunchImageState {
    ImageStanding standing = ImageStanding::Unknown;
    QString sentence;
    QStringList instead; ///< references that exist, the best first
    /// The launch cannot work: the image does not exist and no file of it is kept on the cluster,
    /// or it does not run on the partition.
    bool isCertain = false;
};

/// Judges an answer for a partition (empty: the scheduler's choice) and a job that has a GPU or
/// not. Pure.
LaunchImageState judgeForLaunch(const ImageAnswer& answer, const QString& partition, bool hasGpu);

/// An image of a launch, as its field names it: without the digest that pinning adds. A value.
struct LaunchImage {
    QString field; ///< Parameter::key
    QString label; ///< of the field
    ImageReference image;
};
/// The images of a plan that are not built by its own steps, in the order of the fields. Pure.
std::vector<LaunchImage> launchImages(const Plan& plan);

/// What a pull writes at the least, from the compressed size of the layers: the image file, and the
/// layers in the cache beside it.
qint64 leastPullBytes(qint64 compressed);
/// The same with the layers unpacked, which lie in a temporary folder for a while.
qint64 mostPullBytes(qint64 compressed);

} // namespace slipway
