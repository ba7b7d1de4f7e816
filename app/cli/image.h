// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

// The parts of “slipway-cli image”, one file each.

/// image inspect REF --site S: what the registry says of an image, and a verdict per partition.
QCoro::Task<ExitCode> inspectImage(Context& context);
/// image pull REF --site S [--partition P] [--time T]: as a job on a compute node, followed to its
/// end.
QCoro::Task<ExitCode> pullImage(Context& context);
/// image list --site S
QCoro::Task<ExitCode> listImages(Context& context);
/// image remove PATH… --site S [--yes]
QCoro::Task<ExitCode> removeImages(Context& context);
/// image cache --site S [--clear [--yes]]
QCoro::Task<ExitCode> showImageCaches(Context& context);
/// image convert DOCKERFILE [--output FILE]: a definition file, and what could not be converted.
QCoro::Task<ExitCode> convertImage(Context& context);
/// image login REGISTRY [--user NAME] [--site S] [--check] [--yes]: asks, checks, keeps.
QCoro::Task<ExitCode> loginToRegistry(Context& context);
/// image logout REGISTRY [--site S]
QCoro::Task<ExitCode> logoutOfRegistry(Context& context);
/// image logins: registries and users, no secrets.
QCoro::Task<ExitCode> listRegistryLogins(Context& context);
/// image build DOCKERFILE --local --site S [--name N]: built on this computer, uploaded, and turned
/// into an image file there.
QCoro::Task<ExitCode> buildImageHere(Context& context);
/// What the registry says of an image, for a site; asks without a login at the site as long as that
/// is possible.
QCoro::Task<Result<ImageInspection>> inspected(
    Context& context, QString siteId, ImageReference image, std::optional<RegistryLogin> login);
/// image compare REF1 REF2 [--site S]
QCoro::Task<ExitCode> compareImages(Context& context);
/// image build FILE --site S [--name N]: on a node of the cluster, or here with --local.
QCoro::Task<ExitCode> buildImage(Context& context);

} // namespace slipway
