// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// The product line of a GPU: NVIDIA supports forward compatibility on some of them only.
enum class GpuKind { Unknown, DataCenter, Workstation, GeForce };

/// From the name in a site file or a GPU request: "H100 SXM 80 GB", "Quadro RTX 5000", "rtx2080ti".
/// Unknown where the name says nothing, or names several kinds.
GpuKind gpuKindOf(const QString& name);

/// What is known of the driver and the GPUs of a partition. A value; empty texts are unknown.
struct GpuNode {
    QString driver; ///< "550.54.15"
    QString cuda; ///< the newest CUDA that the driver runs, "12.4"
    QString cudaSeen; ///< a CUDA that is known to have run there
    QString capability; ///< "9.0"
    GpuKind kind = GpuKind::Unknown;
    bool checksRequirement = false; ///< its runtime asks NVIDIA_REQUIRE_CUDA: enroot and pyxis
};

} // namespace slipway
