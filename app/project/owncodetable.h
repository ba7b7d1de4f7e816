// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// A public image for programs of one kind, from resources/own-code.json.
struct CodeImage {
    QString id; ///< "pytorch"
    QString name; ///< "PyTorch 2.4.1 with CUDA 12.1"
    QString image; ///< docker://…
    QStringList modules; ///< Python modules that ask for it
    QStringList languages; ///< "python", "c", "cuda": for programs that no module decides
    QMap<QString, QString> brings; ///< package and version; empty: some version
    QString python; ///< "3.11"; empty: not known
    QStringList lacks; ///< tools that a build may need: "cmake"
    bool takesGpu = false; ///< its programs use a GPU without naming it
};

/// An environment variable that programs with one of these modules may want.
struct CodeSecret {
    QString variable;
    QStringList modules;
    QString why; ///< "for private and gated models"
};

/// What Slipway knows of frameworks, images and services for a person's own programs. A value.
struct OwnCodeTable {
    std::vector<CodeImage> images;
    std::vector<CodeSecret> secrets;
    QMap<QString, QString> packageOf; ///< of modules with another name: "yaml" → "pyyaml"
    QStringList standardModules; ///< of Python itself
    QStringList gpuModules; ///< modules that are of use with a GPU only

    const CodeImage* forLanguage(const QString& language) const;
};

/// The text of own-code.json; strict.
Result<OwnCodeTable> parseOwnCodeTable(const QByteArray& json, const QString& file);
Result<OwnCodeTable> loadOwnCodeTable(const QString& resourcesFolder);

} // namespace slipway
