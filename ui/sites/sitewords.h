// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <QDateTime>
#include <QHash>

#include <optional>

namespace slipway {

/// Texts of a site card, made from the site file. All pure.
QString placeLine(const Site& site); ///< "NREL · Golden"
QString gpuLine(const Site& site); ///< "4 × H100 80 GB per node"
QString toolLine(const Site& site); ///< "Apptainer · srun"
QString loginLine(const Site& site); ///< "password + one-time code"

/// The ids of the sites in the order of their cards: the user's own, then those of earlier runs,
/// the last used first, then those that are connected, then all others by name; sites without
/// launches come last.
QStringList siteOrder(const std::vector<Site>& sites, const QHash<QString, QDateTime>& lastUse,
    const QStringList& connected);

/// Whether this computer has an NVIDIA GPU that programs can use; nullopt if that cannot be
/// determined. `root` stands for "/", so that a test can provide its own tree.
std::optional<bool> hasNvidiaGpu(const QString& root = QStringLiteral("/"));

} // namespace slipway
