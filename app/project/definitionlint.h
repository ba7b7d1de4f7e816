// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace slipway {

/// Something in a definition file that would make the build fail, or surprise. A value.
struct DefinitionProblem {
    int line = 0; ///< from 1; 0: the file as a whole
    QString text; ///< what it is, and what to do, one or two sentences
    bool isError = true; ///< the build would fail
    bool operator==(const DefinitionProblem&) const = default;
};

/// What is wrong with a definition file, by line, at most 100 problems. `exists` answers for a path
/// below the folder that is sent with the build; none: the folder is not known. Pure.
std::vector<DefinitionProblem> lintDefinition(
    const QString& text, const std::function<bool(const QString& path)>& exists = {});

/// The name of a section, "post", if the line begins one; else empty. Pure.
QString definitionSection(const QString& line);

/// Whether a definition file may have this section: "post".
bool isDefinitionSection(const QString& name);

} // namespace slipway
