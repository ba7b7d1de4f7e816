// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/launchspec.h"
#include "remote/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

// Building an image from a Dockerfile on this computer: the command lines. Pure.

/// A program of this computer that builds images from Dockerfiles. A value.
struct LocalBuilder {
    enum class Kind { Docker, Podman, Buildah };
    Kind kind = Kind::Docker;
    QString path; ///< of the program
    QString version; ///< as it says
    /// buildah only, where this computer is a container itself or has no OCI runtime: a RUN then
    /// happens in a chroot, and layers are plain folders.
    bool chroot = false;
};
QString builderName(LocalBuilder::Kind kind); ///< "docker"

/// What is to be built. A value.
struct LocalBuild {
    QString dockerfile; ///< absolute
    QString folder; ///< that COPY reads from
    QString name; ///< of the image, as isBuildName() permits
    QString platform; ///< "linux/arm64"; empty: that of this computer
    QString archive; ///< the file on this computer that it is saved to
};

/// One command of a build. A value.
struct LocalCommand {
    QString title; ///< "Build the image"
    QString program;
    QStringList arguments;

    QString text() const; ///< as it could be typed
};

/// Small letters, digits, dots, hyphens and underscores: what every program accepts as a tag.
bool isBuildName(const QString& name);
/// From the folder of a Dockerfile: "My Project" gives "my-project".
QString buildNameFor(const QString& folder);

/// The value of --platform for nodes of `nodes` ("x86_64", "aarch64"; empty: x86_64) on a computer
/// of `here`; empty: the same.
QString buildPlatform(const QString& nodes, const QString& here);

/// Builds, then saves as a docker-archive. The archive must not exist.
std::vector<LocalCommand> localBuildCommands(const LocalBuilder& builder, const LocalBuild& build);

/// Why a command failed, from its last lines.
Error localBuildError(const LocalCommand& command, int exitCode, const QByteArray& lastLines);

} // namespace slipway
