// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/quantities.h"
#include "remote/slurm/sshare.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// A partition as reported by the scheduler.
struct PartitionInfo {
    QString name;
    bool isDefault = false;
    bool available = true;
    WallTime timeLimit = WallTime::unlimited();
    int nodes = 0;
    int cpusPerNode = 0;
    MemorySize memoryPerNode;
    QString gpuType;
    int gpusPerNode = 0;
    std::optional<int> gpusFree; ///< none: unknown
};

/// ClusterInfo is what is known of a cluster after login. Every field may be unknown (empty).
struct ClusterInfo {
    QDateTime asked;
    QString slurmVersion;
    QString clusterName;
    QString userName, homeFolder, loginShell;
    QString scratch; ///< the site's scratch expression, evaluated on the cluster; the home folder
                     ///< if a site has none
    std::vector<PartitionInfo> partitions;
    QStringList accounts; ///< empty: unknown or accounting is off
    QStringList qos;
    std::vector<AccountShare> shares; ///< of the accounts; empty: unknown or accounting is off
    QStringList mpiPlugins;
    QString runtimeVersion; ///< "apptainer version 1.4.5" on the login node; empty: not available
    bool accounting = false;
    bool fairShareCounts = false; ///< in the priority of jobs; false: unknown, or it does not
    int arraySize = 0; ///< MaxArraySize, the most tasks of an array; 0: unknown, 1: no arrays
};

} // namespace slipway
