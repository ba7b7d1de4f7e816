// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

#include <functional>
#include <optional>

namespace slipway {

/// A name for an image and its definition file, from what a person typed: without ".sif" or ".def".
/// Empty: it cannot be the name of a file. Pure.
QString definitionName(const QString& typed);

/// Writes `folder`/NAME.def and returns its path. A file with other content is replaced only if
/// `mayReplace`.
Result<QString> keepDefinition(
    const QString& folder, const QString& name, const QString& text, bool mayReplace);

/// Whether a path of the build context is a folder, which is that of the Dockerfile; none: it does
/// not exist.
std::function<std::optional<bool>(const QString& path)> folderLookup(const QString& dockerfile);

/// The file that is meant: of a folder its Dockerfile or Containerfile.
QString dockerfileOf(const QString& path);

/// The text of a definition file or Dockerfile, at most 1 MiB.
Result<QString> readDefinition(const QString& path);

} // namespace slipway
