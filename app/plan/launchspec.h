// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QMap>
#include <QString>

namespace slipway {

/// How a run gets its nodes: queued as one batch job, or step by step in an allocation that stays.
enum class LaunchMode { Batch, Interactive };

/// What a person asked for: a site, a recipe, and a value for every field that differs from its
/// default. The form, the command line and the run store all hold this one value.
struct LaunchSpec {
    QString siteId;
    QString recipeId;
    LaunchMode mode = LaunchMode::Batch;
    QMap<QString, QString> values; ///< by Parameter::key
    QByteArray editedScript; ///< not empty: the person changed the preview by hand; batch only
    bool releaseAtEnd = false; ///< interactive: the nodes are given back when the steps have ended
    QString sweep = {}; ///< an id that the runs of one sweep share; empty: alone
    QString sweepLabel = {}; ///< which of them: "nodes 2"
};

} // namespace slipway
