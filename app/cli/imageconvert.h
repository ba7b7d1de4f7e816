// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "app/project/dockerfile.h"

namespace slipway {

/// Reads a Dockerfile, “-” for the standard input, and converts it. Which sources of COPY are
/// folders is looked up beside it.
Result<Conversion> convertDockerfileAt(const QString& name);

/// Writes the definition; what a person has written is kept unless `mayReplace`.
Result<void> writeDefinition(const QString& path, const QByteArray& text, bool mayReplace);

/// Prints the definition and the remarks as one object.
void printConversion(Context& context, const Conversion& conversion);
/// Prints what is different or was not converted, by line, on stderr.
void printRemarks(Context& context, const Conversion& conversion);

} // namespace slipway
