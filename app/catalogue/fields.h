// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/catalogue/site.h"
#include "remote/slurm/clusterinfo.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

// The fields of a form and what is known of a partition: shared by formFields(), makePlan() and
// lint. Pure.

/// What is known of one partition: the site file's values, overlaid by those that the cluster
/// reported.
struct PartitionFacts {
    SitePartition partition;
    bool known = false; ///< named by the site file or the cluster
    bool available = true;
    std::optional<int> gpusFree;
};

/// The names of all partitions: the cluster's when they are known, else the site file's.
QStringList partitionNames(const Site& site, const std::optional<ClusterInfo>& cluster);
PartitionFacts partitionFacts(
    const QString& name, const Site& site, const std::optional<ClusterInfo>& cluster);

/// The parts of "a, b,c", without blanks and empty parts.
QStringList listItems(const QString& text);

/// Why a value does not fit its field, in a sentence; empty when it fits. An empty value fits
/// unless the field is required.
QString valueProblem(const Parameter& field, const QString& value);

/// The first placeholder in a text for a name of the user's, “your-name”; empty: there is none.
QString placeholderIn(const QString& text);
/// The text with each such placeholder replaced by a name.
QString withoutPlaceholders(QString text, const QString& name);

/// The keys of the job's own fields, which every recipe has ("partition", "time", "gpus").
QStringList resourceKeys();

} // namespace slipway
