// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

// The parts of “slipway-cli image”, one file each.

/// image inspect REF --site S: what the registry says of an image, and a verdict per partition.
QCoro::Task<ExitCode> inspectImage(Context& context);
/// image list --site S
QCoro::Task<ExitCode> listImages(Context& context);
/// image remove PATH… --site S [--yes]
QCoro::Task<ExitCode> removeImages(Context& context);
/// image cache --site S [--clear [--yes]]
QCoro::Task<ExitCode> showImageCaches(Context& context);
/// image convert DOCKERFILE [--output FILE]: a definition file, and what could not be converted.
QCoro::Task<ExitCode> convertImage(Context& context);

} // namespace slipway
