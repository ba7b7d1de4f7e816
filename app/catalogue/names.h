// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

// What a text may contain to be used in a script unquoted or in double quotes. Pure.

/// An id of a site, recipe, step or lane: a word of a-z, 0-9 and "-".
bool isIdentifier(const QString& text);

/// A key of a value, "cpu_count": a word of a-z, 0-9 and "_".
bool isKey(const QString& text);

/// A name of an environment variable.
bool isVariableName(const QString& text);

/// A path that a shell on the cluster expands: absolute, or beginning with a variable,
/// "$SCRATCH/x". It contains no dollar sign but those of variables, and no quote, back-quote,
/// backslash or control character, so double quotes make it one word and nothing in it is executed.
bool isPathExpression(const QString& text);

/// A relative path that stays inside its folder.
bool isInnerPath(const QString& text);

/// A module as `module load` accepts it: "apptainer", "cuda/12.3".
bool isModuleName(const QString& text);

/// A value as one word of bash: unchanged where every character is harmless, else in single quotes.
QString shellWord(const QString& text);

} // namespace slipway
