// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/cudadrivers.h"

#include <QString>

namespace slipway {

// What verdicts take from resources/cuda-drivers.json beside CudaDrivers itself. Pure.

/// Major and minor version: drivers and tables know no more.
probe::Version cudaVersion(const QString& text);
QString versionText(const probe::Version& version);

/// The document that a source of the table stands for: "compatibility", "releases", "nvcc",
/// "general".
QString cudaDocument(const char* source);

/// The oldest driver for a CUDA version, with what the table says of it.
struct OldestDriver {
    probe::Version driver; ///< empty: the table does not know this CUDA
    bool unverified = false;
    bool ofFamily = false; ///< minor-version compatibility: of all of one major version

    QString source() const;
};
OldestDriver oldestDriverFor(const probe::Version& cuda);

/// The newest family of the table: what is newer needs at least its driver. Null: it has none.
const probe::CudaDrivers::Entry* newestFamily();

/// Whether every driver that runs `cuda` by itself is new enough for its whole family: that of CUDA
/// 11.0 is not.
bool coversItsFamily(const probe::Version& cuda);

/// The entry by which a CUDA version dropped these GPUs; null: it did not. What dropped newer GPUs
/// dropped these as well.
const probe::CudaDrivers::Architecture* droppedBy(
    const probe::Version& cuda, const probe::CudaDrivers::Architecture& gpus);

/// The first CUDA whose machine code runs on these GPUs: that for 8.0 also runs on 8.6 and 8.9.
probe::Version firstCodeFor(const probe::CudaDrivers::Architecture& gpus);

} // namespace slipway
