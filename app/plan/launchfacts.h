// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QJsonObject>
#include <QMap>
#include <QString>

#include <optional>

namespace slipway {

struct ClusterInfo;
struct Plan;

/// Facts of a run at its launch, as stored in its facts.json: site files and clusters change, and a
/// later plan may differ. A value. None: not stored (a run that was found on the cluster, or by an
/// older Slipway); empty: there was none.
struct LaunchFacts {
    std::optional<QString> siteName;
    std::optional<QString> partition; ///< empty: the scheduler's choice
    std::optional<QString> timeLimit; ///< as Slurm writes it
    std::optional<QString> image;
    QMap<QString, QString> values; ///< of every field of the form, by key
};

/// The content of facts.json.
QJsonObject factsToJson(const Plan& plan, const std::optional<ClusterInfo>& cluster);
LaunchFacts factsFromJson(const QJsonObject& json);

} // namespace slipway
