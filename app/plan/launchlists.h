// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/container/runtime.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

// Fields of a launch that contain several values in one text, as a user types them: modules,
// folders to bind, variables. Pure. Errors are sentences for the field.

/// "apptainer cuda/12.3": module names, separated by blanks, in the order in which they are loaded.
Result<QStringList> parseModules(const QString& text);

/// "/projects,$SCRATCH/data:/data:ro": folders of the node, their path in the container (absent:
/// the same path), and whether they are read-only. Separated by commas.
Result<std::vector<Bind>> parseBinds(const QString& text);

/// "/datasets/imagenet,$SCRATCH/data:/data": folders of the cluster that a program only reads. At
/// most 32, none inside the container twice.
Result<std::vector<Bind>> parseDataFolders(const QString& text);

/// Whether each node has a folder of its own at this path, "/tmp/x" or "$TMPDIR", so that nothing
/// that the login node says of it holds on another one.
bool isNodeLocal(const QString& path);

/// "FI_PROVIDER=tcp LABEL='two words'": variables, separated by blanks, values in quotes where they
/// contain blanks. The value of a variable may begin with another one: "$SCRATCH/cache".
Result<QMap<QString, QString>> parseEnvironment(const QString& text);

/// A map of variables as parseEnvironment() reads it.
QString environmentText(const QMap<QString, QString>& environment);

/// The text of the field "modules", "binds" or "environment" with one more entry; an existing
/// variable gets the new value. None: the field cannot be parsed, so only the user can correct it.
std::optional<QString> appendedList(const QString& key, const QString& text, const QString& more);

} // namespace slipway
