// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/cleanupitem.h"
#include "remote/cluster/requests.h"

#include <QMap>
#include <QStringList>

#include <vector>

namespace slipway {

// The scan for Slipway's items on a cluster: its scripts, and the parsing of their output. Pure.
// Everything is below one folder, <scratch>/slipway, and only what a new scan finds there is ever
// deleted.

/// Lists files below `base` and this user's processes on the login node.
QByteArray cleanupScript(const QString& base);

/// What is known besides the output.
struct CleanupContext {
    QString base; ///< <scratch>/slipway
    std::vector<Allocation> jobs; ///< Slipway's that have not ended
    QMap<QString, QString> runFolders; ///< path: "run k3f9, Matmul scaling"
    QMap<QString, QString> runIds; ///< path: the run's id
    QString host; ///< the login node, as it is called here
};

/// A name that is not Slipway's, or not plain, is skipped.
CleanupList readCleanupList(const QByteArray& answer, const CleanupContext& context);

/// The items of `found` that are listed in `wanted` and may be deleted; `left` receives the rest of
/// `wanted`, each with its reason.
std::vector<CleanupItem> removableItems(
    const CleanupList& wanted, const CleanupList& found, std::vector<CleanupItem>* left);

/// Deletes them: never through a link, never outside `base`. Prints "gone N" or "left N WHY" for
/// each.
QByteArray removeScript(const QString& base, const std::vector<CleanupItem>& items);
/// Adds what the script could not delete to `left`.
void readRemoved(const QByteArray& answer, const std::vector<CleanupItem>& items,
    std::vector<CleanupItem>* left);

} // namespace slipway
