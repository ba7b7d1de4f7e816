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

// Fields of a launch that hold several things in one text, as a person types them: modules, folders
// to bind, variables. Pure. Errors are sentences for the field.

/// "apptainer cuda/12.3": module names, separated by blanks, in the order in which they are loaded.
Result<QStringList> parseModules(const QString& text);

/// "/projects,$SCRATCH/data:/data:ro": folders of the node, where they stand in the container
/// (absent: in the same place), and whether they may only be read. Separated by commas.
Result<std::vector<Bind>> parseBinds(const QString& text);

/// "FI_PROVIDER=tcp LABEL='two words'": variables, separated by blanks, values in quotes where they
/// hold some. The value of a variable may begin with another one: "$SCRATCH/cache".
Result<QMap<QString, QString>> parseEnvironment(const QString& text);

/// A map of variables as parseEnvironment() reads it.
QString environmentText(const QMap<QString, QString>& environment);

/// The text of the field "modules", "binds" or "environment" with one more entry; a variable that
/// is there already gets the new value. None: the field cannot be read, so only the person can mend
/// it.
std::optional<QString> appendedList(const QString& key, const QString& text, const QString& more);

} // namespace slipway
