// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/projectfiles.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace slipway {

// What build files, sources of C, C++ and Fortran, job scripts and container files say. Each
// reader is a function of the text, and bounded by its length; `Found::file` is left empty.

/// What a Makefile or a CMakeLists.txt builds.
struct BuildReading {
    QStringList programs; ///< as they are called, relative to where they are built
    Found program; ///< the rule or command that names the first
    Found mpi, cuda, fortran;
    Found ranks; ///< mpirun -np 4; `what` is the number
};
BuildReading readMakefile(const QString& text);
BuildReading readCMake(const QString& text);

/// The first inclusion of MPI in C, C++ or Fortran, outside of comments.
Found readMpiUse(const QString& text, bool isFortran);

/// What a shell script or an sbatch script asks for.
struct ScriptReading {
    QMap<QString, Found> requests; ///< of #SBATCH lines: "gpus", "cpus", "memory", "time", "nodes"
    Found torchrun; ///< a line that starts processes with torchrun
    Found processes; ///< its --nproc_per_node, if it is a number
    Found ranks; ///< mpirun -np 4
};
ScriptReading readScript(const QString& text);

/// What an image is built from.
struct BaseImage {
    QString reference; ///< docker://…; empty: none that can be pulled
    Found place; ///< the line that names it
    bool addsMore = false; ///< the file installs or copies on top of it
};
BaseImage readDockerfileBase(const QString& text);
BaseImage readDefinitionBase(const QString& text);

/// What a stage of a definition file starts from. slipway_asked_registries in slipway.sh reads the
/// same: a line that looks like one of a header counts wherever it stands, because a login goes
/// nowhere if it might be asked for by another registry.
struct DefinitionStart {
    QString agent; ///< in small letters: "docker"
    QString from; ///< as it is written: "nvcr.io/nvidia/pytorch:24.03-py3", "{{ BASE }}"
    int line = 0; ///< of From:
    bool operator==(const DefinitionStart&) const = default;
};
std::vector<DefinitionStart> definitionStarts(const QString& text);
/// Whether the registry is in the text, and not in a variable of the build: "{{ BASE }}".
bool registryIsWritten(const QString& from);

} // namespace slipway
