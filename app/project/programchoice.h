// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/codefacts.h"
#include "app/project/owncodetable.h"
#include "app/project/projectfiles.h"

#include <QString>
#include <QStringList>

namespace slipway {

/// The program of a folder and how it is started. A value.
struct ProgramChoice {
    enum class Language { None, Python, Shell, Compiled };

    Language language = Language::None;
    QString path; ///< relative; of a compiled program: as it is built
    QString command; ///< without arguments
    QString reason;
    QString setup, setupReason; ///< what builds it
    QStringList questions;
};

/// A program that starts as it is. `given`: the file that was named, or empty.
ProgramChoice chooseScript(const ProjectFiles& files, const QString& given);
/// A program that a build file or a compiler makes. `given`: a source file, or empty.
ProgramChoice chooseBuilt(const ProjectFiles& files, const CodeFacts& facts, const QString& given);

/// The image to run in. A value.
struct ImageChoice {
    QString value, reason; ///< empty: undecided
    QStringList questions;
    QStringList kept; ///< packages of the list that the image brings: "torch"
};
ImageChoice chooseImage(const ProjectFiles& files, const CodeFacts& facts,
    const ProgramChoice& program, const OwnCodeTable& table);

/// A word as one would type it: in quotes where a shell needs them.
QString typedWord(const QString& word);

} // namespace slipway
