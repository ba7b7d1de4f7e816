// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/checkrow.h"

#include <QStringList>

namespace slipway {

// A summary of the rows of one place (a node, or a container on it). Pure.

/// A place's GPUs and driver, according to its rows.
struct NodePlace {
    QString node;
    QString where; ///< "host", "container"
    std::optional<int> gpus; ///< that the job may use there; none: not in the rows
    QStringList names; ///< of those GPUs
    QString driver; ///< "580.65.06"; empty: there is none, or it is not known
    QString cuda; ///< "13.0", the driver's
    QString runtime; ///< of a container: the command that started it
    bool noDriver = false; ///< according to the rows there is none
    bool ran = false; ///< the probe itself ran there
};

/// In the order of the report.
std::vector<NodePlace> placesOf(const NodeReport& report);

/// Rows that Slipway adds: what only host and container together show.
std::vector<CheckRow> placeDifferences(const NodeReport& report);

} // namespace slipway
