// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/container/runtime.h"

#include <QDateTime>
#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// The platform of an image, in the words of the OCI image specification. A value.
struct ImagePlatform {
    QString os; ///< "linux"
    QString architecture; ///< "amd64", "arm64", "ppc64le"
    QString variant; ///< "v8"; mostly empty

    QString text() const; ///< "linux/arm64/v8"
    /// Of nodes, from what uname(1) and site files say: "x86_64" is linux/amd64. Empty: x86_64.
    static ImagePlatform ofNodes(const QString& architecture);
    /// Whether nodes of `wanted` can run it: a variant matters only where both have one.
    bool fits(const ImagePlatform& wanted) const;
    bool operator==(const ImagePlatform&) const = default;
};

struct ImageLayer {
    QString digest;
    qint64 bytes = 0; ///< compressed, as they travel
    QString createdBy; ///< the instruction of its build, from the history; empty: not said
};

/// ImageDescription is what a registry says of an image before anything is pulled: its manifest and
/// its configuration (OCI image specification 1.1; Docker image manifest version 2, schema 2). A
/// value. Texts are the image's own and must be shown as plain text.
struct ImageDescription {
    ImageReference reference;
    QString digest; ///< of what the reference names: an index, or the manifest itself
    QString manifestDigest; ///< of the manifest of `platform`
    ImagePlatform platform; ///< the one that was read
    std::vector<ImagePlatform> platforms; ///< all that are offered, attestations left out
    std::vector<ImageLayer> layers; ///< the lowest first
    QDateTime created; ///< invalid: not said
    QMap<QString, QString> environment;
    QMap<QString, QString> labels;
    QStringList entrypoint;
    QStringList command;
    QString user; ///< empty: root
    QString workFolder;

    qint64 compressedBytes() const;
    bool offers(const ImagePlatform& wanted) const;
};

} // namespace slipway
