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

// The fields of a form and what is known of a partition: the common ground of formFields(),
// makePlan() and lint. Pure.

/// What is known of one partition: the site file's words, overlaid by what the cluster said.
struct PartitionFacts {
    SitePartition partition;
    bool known = false; ///< named by the site file or the cluster
    bool available = true;
    std::optional<int> gpusFree;
};

/// The names of all partitions: the cluster's when it was asked, else the site file's.
QStringList partitionNames(const Site& site, const std::optional<ClusterInfo>& cluster);
PartitionFacts partitionFacts(
    const QString& name, const Site& site, const std::optional<ClusterInfo>& cluster);

/// "a, b,c" as its parts, without blanks and empty ones.
QStringList listItems(const QString& text);

/// Why a value does not fit its field, in a sentence; empty when it fits. An empty value fits
/// unless the field is required.
QString valueProblem(const Parameter& field, const QString& value);

/// The first word of a text that stands for the person's own, “your-name”; empty: there is none.
QString placeholderIn(const QString& text);
/// The text with a name in the place of each such word.
QString withoutPlaceholders(QString text, const QString& name);

/// The keys of the job's own fields, which every recipe has ("partition", "time", "gpus").
QStringList resourceKeys();

} // namespace slipway
