// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"
#include "plots/metrics/seriesstore.h"

#include <QSet>

#include <utility>
#include <vector>

namespace slipway {

/// A curve, as far as is needed to tell which quantity it shows. A value.
struct CurveId {
    QString series;
    QString lane;
    bool byEpoch = false; ///< one value for each whole epoch

    bool operator==(const CurveId&) const = default;
};
using CurveKey = std::pair<QString, QString>; ///< series and lane

CurveId curveIdOf(const Sample& first);

/// The curves that were read from the log, without those of files and of the node.
std::vector<CurveId> printedCurves(const SeriesStore& store);

/// The curves of files whose quantity the log has as well: it is one and is drawn once, from the
/// log, which is here at once and reaches to the end where a logger buffers or writes with its
/// checkpoints only. They are the same if
///  - their names are equal, but for "train_"; a file in a folder of validation records validation,
///  - the log's curve has no lane,
///  - both or neither count whole epochs: the mean of an epoch is another quantity, and
///  - one file of its kind records it: several are of several trainings, which the log mixes.
/// Pure.
QSet<CurveKey> recordedTwice(
    const std::vector<CurveId>& printed, const std::vector<CurveId>& recorded);

} // namespace slipway
