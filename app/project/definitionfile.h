// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/dockerfile.h"

#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace slipway {

/// Some text of a definition file and the instruction it comes from (an index; -1: none). The text
/// may hold line breaks inside quotes. A value.
struct DefinitionLine {
    QString text;
    int instruction = -1;
};
using DefinitionLines = std::vector<DefinitionLine>;

/// One stage of a definition file, section by section. A value.
struct DefinitionStage {
    QString name; ///< empty: the definition has only this one
    QString image; ///< of Docker Hub or another registry: "ubuntu:22.04"
    int fromInstruction = -1;
    std::vector<std::pair<QString, DefinitionLines>> filesFrom; ///< by the stage copied from
    DefinitionLines files, post, environment, labels, runscript;
    QString postShell; ///< "/bin/bash"; empty: /bin/sh
};

/// A definition file, and for each range of its lines the instruction. A value.
struct DefinitionText {
    struct Range {
        int instruction = -1;
        int first = 0, last = 0; ///< from 1, the last one included
    };
    QString text;
    std::vector<Range> ranges; ///< in the order of the text
    bool hasLongSection = false; ///< longer than Apptainer's parser reads
};

/// Writes a definition file in the order in which Apptainer works: files, %post, and what the image
/// keeps. Pure.
DefinitionText definitionText(const std::vector<DefinitionStage>& stages);

} // namespace slipway
