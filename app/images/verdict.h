// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "app/images/cudaverdict.h"
#include "app/images/imagecuda.h"
#include "remote/registry/imagedescription.h"
#include "remote/slurm/clusterinfo.h"

#include <optional>
#include <vector>

namespace slipway {

/// The verdict on one partition. A value.
struct PartitionVerdict {
    QString partition;
    QString hardware; ///< "4 × H100 80 GB, driver 550.54.15"; "no GPU"
    Verdict verdict = Verdict::Unknown;
    bool isCpuOnly = false; ///< the nodes have no GPU, or the image has no CUDA
    QString sentence; ///< "CUDA 13.0 needs driver 580 or newer; the driver here is 550.54.15."
    QString rule; ///< what it was decided by: "minor-version compatibility of CUDA 12"
    QString source; ///< of the rule: the document that the table names; empty: no table was needed
    /// What decides is the processors that the image is built for, with and without GPUs.
    bool isOfPlatform = false;
};

/// One verdict for each partition of the site, in its order. Pure. The rules and their sources are
/// those of resources/cuda-drivers.json.
std::vector<PartitionVerdict> judgeImage(
    const ImageDescription& image, const Site& site, const std::optional<ClusterInfo>& cluster);

/// The platform of a partition's nodes.
ImagePlatform partitionPlatform(const SitePartition& partition, const Site& site);

} // namespace slipway
