// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/quantities.h"
#include "remote/slurm/records.h"

#include <QMap>
#include <QString>

#include <optional>
#include <vector>

namespace slipway {

/// One entry of a GRES list: "gpu:h200:2(S:0-1)", "gpu:2", "shard:8".
struct Gres {
    QString name;
    QString type; ///< empty: none given
    int count = 0;
};
/// "(null)" and "N/A" are an empty list. Commas inside parentheses separate nothing. Invalid
/// entries are left out. Accepts the TRES form too ("gres/gpu:h100=4").
std::vector<Gres> parseGres(const QString& text);
/// The number of GPUs in such a list, of all types.
int gpuCount(const std::vector<Gres>& list);

/// One row of the partition query: a partition has one row for each kind and state of its nodes.
struct PartitionRow {
    QString name;
    bool isDefault = false;
    bool available = true;
    WallTime timeLimit = WallTime::unlimited();
    int nodes = 0;
    QString state;
    int cpus = 0;
    MemorySize memory;
    std::vector<Gres> gres;
    QString features;
    QString nodeList;
};
QByteArray partitionsCommand(const Separators& separators);
Result<std::vector<PartitionRow>> parsePartitions(
    const QByteArray& output, const Separators& separators);

/// One node in one partition; a node of two partitions has two rows.
struct NodeRow {
    QString name;
    QString partition;
    QString state;
    int cpusAllocated = 0, cpusIdle = 0, cpus = 0;
    std::vector<Gres> gres;
    std::vector<Gres> gresUsed;
    /// A new job could start there: not down, drained, reserved, in maintenance…
    bool usable() const;
};
QByteArray nodesCommand(const Separators& separators);
Result<std::vector<NodeRow>> parseNodes(const QByteArray& output, const Separators& separators);

/// The GPUs that are free on usable nodes, by partition; each node counts once in each of its
/// partitions. Partitions without GPUs have the value 0.
QMap<QString, int> freeGpus(const std::vector<NodeRow>& nodes);

} // namespace slipway
