// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QStringList>

namespace slipway {

/// How a run gets its nodes: as one batch job, or step by step in an allocation that is kept.
enum class LaunchMode { Batch, Interactive };

/// A launch request: a site, a recipe, and a value for every field that differs from its default.
/// The form, the command line and the run store share this type.
struct LaunchSpec {
    QString siteId;
    QString recipeId;
    LaunchMode mode = LaunchMode::Batch;
    QMap<QString, QString> values; ///< by Parameter::key
    QByteArray editedScript; ///< not empty: the user edited the preview; batch only
    bool releaseAtEnd = false; ///< interactive: the nodes are released when the steps have ended
    QString sweep = {}; ///< an id shared by the runs of one sweep; empty: no sweep
    QString sweepLabel = {}; ///< the run within the sweep: "nodes 2"
    /// From 1: the jobs of one slot of the sweep run one after the other; 0: whenever Slurm starts
    /// them.
    int sweepSlot = 0;
    /// The sweep is one job array, of which so many tasks run at once, 0: no limit; -1: a job of
    /// its own. Not stored.
    int arrayAtOnce = -1;
    /// The absolute path of the person's own folder, which goes up with the run; empty: the recipe
    /// has all that it needs.
    QString project = {};
    QStringList largeFiles = {}; ///< of that folder: sent although they are large
    /// For the field “pin”: the digest of each image, by its reference.
    QMap<QString, QString> pins = {};
    QString continues = {}; ///< the id of the run that this one continues; empty: none
    /// The id of the first run of those that continue one another: they share its checkpoint
    /// folder. Empty: this run is the first.
    QString chain = {};
    /// IDs of the jobs that end before this one starts, joined by colons; set at the launch.
    QString afterJob = {};
};

} // namespace slipway
