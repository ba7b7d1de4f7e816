// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/projectfiles.h"
#include "app/project/pythonreading.h"
#include "app/project/requirements.h"
#include "app/project/sourcereading.h"

#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>

namespace slipway {

/// CodeFacts is what the files of one program say: the program and the modules of the folder that
/// it imports, the build files, sources, job scripts and package lists. A value.
struct CodeFacts {
    QMap<QString, Found> modules; ///< "torch.distributed"; not those of the folder itself
    PythonReading python; ///< the first of each kind, with its file; without imports
    PackageReading packages;
    QString packagesFile; ///< what pip can install from: requirements.txt or pyproject.toml
    BuildReading build;
    QString buildFile; ///< Makefile or CMakeLists.txt
    Found mpi, cuda, fortran; ///< of sources and build files
    ScriptReading script;
    QStringList questions;

    /// Where a module, or a part of it, is imported.
    Found module(const QString& name) const;
    /// Where one of these is imported or named among the packages.
    Found need(const QStringList& names) const;
};

/// `program`: relative, as in Proposal; empty where none was found.
CodeFacts readFacts(const ProjectFiles& files, const QString& program);

/// The Python files of the folder that these import, directly or through others.
QSet<QString> importedFiles(const ProjectFiles& files, const QStringList& programs);

} // namespace slipway
