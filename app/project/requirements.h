// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/projectfiles.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// One package that a file names.
struct Requirement {
    QString name; ///< lower case, with '-': "scikit-learn"
    QString versions; ///< "==2.3.0", ">=1,<2"; empty: any
    Found place;
};

/// What a project says of the Python packages that it needs. A value.
struct PackageReading {
    std::vector<Requirement> packages;
    QString python; ///< ">=3.10"; empty: nothing is said
    Found pythonPlace;
    QStringList unread; ///< files that are named with -r and are not in the folder
};

/// A requirements file with those that it includes (-r), within the folder.
PackageReading readRequirements(const ProjectFiles& files, const QString& path);
/// The dependencies of a pyproject.toml: those of the project, or Poetry's.
PackageReading readPyproject(const ProjectFile& file);
/// The dependencies of a conda environment, with those of its `pip` list.
PackageReading readEnvironment(const ProjectFile& file);

/// Whether a version is one of those that are wanted; what is not understood fits.
bool versionFits(const QString& version, const QString& wanted);

} // namespace slipway
