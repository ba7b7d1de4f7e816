// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// A definition file to begin with, from resources/definitions. A value.
struct DefinitionTemplate {
    QString file; ///< "nbody.def"
    QString title;
    QString purpose; ///< a sentence
    QString source; ///< the document that it follows
    QStringList sources; ///< files of the person's own that it copies into the image
    QString text;

    QString name() const; ///< proposed for the image: "nbody"
};

/// The templates of index.json in `resources`/definitions, in its order; empty `resources`: the
/// program's own folder. Strict: an error names the file and what is wrong with it.
Result<std::vector<DefinitionTemplate>> loadDefinitionTemplates(const QString& resources = {});

} // namespace slipway
