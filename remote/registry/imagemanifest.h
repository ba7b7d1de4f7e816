// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/registry/imagedescription.h"

#include <QByteArray>

#include <optional>
#include <vector>

namespace slipway {

/// How much of an image's documents is read. Real ones stay far below: the largest images have some
/// 130 layers, and an index has one entry for each platform and one for its attestation.
namespace manifestlimits {
constexpr qint64 mostManifestBytes = 4 * 1024 * 1024;
constexpr qint64 mostConfigBytes = 8 * 1024 * 1024;
constexpr qsizetype mostEntries = 1000; ///< of an index
constexpr qsizetype mostLayers = 1000;
constexpr qsizetype mostVariables = 2000; ///< of the environment; labels and arguments as well
constexpr qsizetype mostHistory = 4000;
constexpr qint64 mostLayerBytes = qint64(1) << 50;
constexpr int deepest = 32; ///< of JSON
constexpr qsizetype mostContainers = 50'000; ///< objects and arrays in a document
constexpr qsizetype mostValues = 300'000;
constexpr qsizetype longestText = 32 * 1024; ///< characters; more is cut
} // namespace manifestlimits

/// One manifest that an index (Docker: manifest list) offers.
struct IndexEntry {
    QString digest;
    qint64 bytes = 0;
    ImagePlatform platform; ///< empty: not said
};

/// An index without its attestations, which are no images.
struct ImageIndex {
    std::vector<IndexEntry> entries;

    /// Those that are named, each once.
    std::vector<ImagePlatform> platforms() const;
    /// The entry for `wanted`; else the first of all.
    const IndexEntry& entryFor(const ImagePlatform& wanted) const;
};

struct ImageManifest {
    QString configDigest;
    qint64 configBytes = 0;
    std::vector<ImageLayer> layers;
};

/// What a name in a registry stands for: an index with at least one entry, or a manifest.
struct ManifestDocument {
    std::optional<ImageIndex> index;
    ImageManifest manifest; ///< where there is no index
};

/// Reads an OCI index or manifest, a Docker manifest list or a schema 2 manifest. Unsupported: a
/// schema 1 manifest, or an artifact that is no image. Protocol: none of these, or over a limit.
Result<ManifestDocument> parseManifest(const QByteArray& json);

/// The configuration of an image, as far as it is shown.
struct ImageConfig {
    ImagePlatform platform;
    QDateTime created;
    QMap<QString, QString> environment;
    QMap<QString, QString> labels;
    QStringList entrypoint;
    QStringList command;
    QString user;
    QString workFolder;
    QStringList layerOrigins; ///< createdBy of each entry of the history that made a layer
};

Result<ImageConfig> parseImageConfig(const QByteArray& json);

/// Puts both together; reference, digests and platforms are the caller's. Origins are named only
/// where the history has as many as there are layers.
ImageDescription describedImage(const ImageManifest& manifest, const ImageConfig& config);

} // namespace slipway
