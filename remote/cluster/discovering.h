// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/sections.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/slurm/clusterinfo.h"
#include "remote/slurm/records.h"
#include "remote/slurm/scontrol.h"
#include "remote/slurm/sinfo.h"

namespace slipway {

/// All queries after a login, as one script.
QByteArray discoverScript(
    const Sections& sections, const Separators& separators, const QString& scratchExpression);

/// Parses the output of discoverScript(). `pathLine` is set when only a login shell finds Slurm.
struct Discovery {
    ClusterInfo info;
    bool hasSlurm = false;
    QByteArray pathLine;
};
Discovery parseDiscovery(
    const QByteArray& output, const Sections& sections, const Separators& separators);

/// One PartitionInfo per partition, in the order of sinfo, merged from its rows.
std::vector<PartitionInfo> mergedPartitions(
    const std::vector<PartitionRow>& rows, const std::vector<NodeRow>& nodes);

QCoro::Task<Result<ClusterInfo>> discoverCluster(
    std::shared_ptr<SlurmContext> side, QString scratchExpression);

} // namespace slipway
