// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"

#include <QStringList>

namespace slipway {

// What the rows of one place (a node, or a container on it) say together. Pure.

/// A place's GPUs and driver, as its rows tell them.
struct NodePlace {
    QString node;
    QString where; ///< "host", "container"
    std::optional<int> gpus; ///< that the job may use there; none: the rows do not say
    QStringList names; ///< of those GPUs
    QString driver; ///< "580.65.06"; empty: there is none, or it is not known
    QString cuda; ///< "13.0", the driver's
    QString runtime; ///< of a container: the command that started it
    bool noDriver = false; ///< the rows say that there is none
    bool ran = false; ///< the probe itself has looked at it
};

/// In the order of the report.
std::vector<NodePlace> placesOf(const NodeReport& report);

/// Rows of Slipway's own: what host and container tell only together.
std::vector<CheckRow> placeDifferences(const NodeReport& report);

} // namespace slipway
