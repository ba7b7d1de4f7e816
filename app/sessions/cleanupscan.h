// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/cleanupitem.h"
#include "remote/cluster/requests.h"

#include <QMap>
#include <QStringList>

#include <vector>

namespace slipway {

// What of Slipway's is on a cluster: the questions, and how the answers are read. Pure. Everything
// lies below one folder, <scratch>/slipway, and only what is found there again is ever removed.

/// Asks for files below `base` and for this user's processes on the login node.
QByteArray cleanupScript(const QString& base);

/// What is known besides the answer.
struct CleanupContext {
    QString base; ///< <scratch>/slipway
    std::vector<Allocation> jobs; ///< Slipway's that have not ended
    QMap<QString, QString> runFolders; ///< path: "run k3f9, Matmul scaling"
    QMap<QString, QString> runIds; ///< path: the run's id
    QString host; ///< the login node, as it is called here
};

/// A name that is not Slipway's, or not plain, is passed over.
CleanupList readCleanupList(const QByteArray& answer, const CleanupContext& context);

/// Those of `found` that `wanted` names and that may be removed; `left` gets the others of
/// `wanted`, each with its reason.
std::vector<CleanupItem> removableItems(
    const CleanupList& wanted, const CleanupList& found, std::vector<CleanupItem>* left);

/// Removes them: never through a link, never outside `base`. Says "gone N" or "left N WHY" of each.
QByteArray removeScript(const QString& base, const std::vector<CleanupItem>& items);
/// Adds what the script could not remove to `left`.
void readRemoved(const QByteArray& answer, const std::vector<CleanupItem>& items,
    std::vector<CleanupItem>* left);

} // namespace slipway
