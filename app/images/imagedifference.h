// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagelist.h"
#include "remote/registry/imagedescription.h"

#include <optional>
#include <vector>

namespace slipway {

// Two images side by side. Pure.

/// What is known of an image: by its registry, or of its file on a cluster. A value.
struct ComparedImage {
    QString name; ///< as the person wrote it
    std::optional<ImageDescription> described;
    std::optional<StoredImage> stored;
};

/// One property of both. A value; texts are the images' own and are shown as plain text.
struct ImageDifferenceRow {
    enum class State { Same, Differs, Unknown };
    QString key; ///< in JSON: "cuda", "label org.opencontainers.image.version"
    QString title;
    QString first, second; ///< empty: unknown, or not said
    State state = State::Unknown;
};

/// How two images differ. A value.
struct ImageDifference {
    std::vector<ImageDifferenceRow> rows;
    bool layersKnown = false; ///< of both; else the numbers below say nothing
    int sharedLayers = 0;
    qint64 sharedBytes = 0; ///< compressed
    int addedLayers = 0; ///< of the second, which the first does not have
    qint64 addedBytes = 0; ///< what a pull of the second downloads where the first is cached
    int labelsLeftOut = 0; ///< that differ and are not listed
};

ImageDifference compareImages(const ComparedImage& first, const ComparedImage& second);

/// "5 layers (3.1 GB) are in both; after the first, a pull of the second downloads 2 layers, 40
/// MB."
QString sharedLayersSentence(const ImageDifference& difference);

} // namespace slipway
