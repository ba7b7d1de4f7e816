// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "plots/metrics/patternspec.h"
#include "plots/metrics/seriesstore.h"
#include "remote/base/result.h"
#include "remote/shell/shell.h"

#include <QCoroTask>
#include <QJsonArray>
#include <QJsonObject>

#include <functional>
#include <memory>
#include <optional>

namespace slipway {

/// The input of a capsule. A value around the shared Shell.
struct CapsuleRequest {
    Run run;
    QString localFolder; ///< the local files: <data>/runs/<id>
    QString destination; ///< the capsule's own folder
    std::shared_ptr<Shell>
        shell; ///< null: not connected; the capsule then contains the local files
    /// The shell after one whose connection was lost; null: there is none, and the capsule fails.
    std::function<QCoro::Task<std::shared_ptr<Shell>>(std::shared_ptr<Shell>)> shellAfter = {};
    QStringList recognisers;
    std::vector<PatternSpec> patterns; ///< the recipe's own
    std::optional<QJsonArray> metrics; ///< as the end of the run read them; none: the log is read
    QJsonObject facts; ///< of the launch: image, values, versions
};

/// The capsule of a run: a folder with script, log, marks, results and run.json, which can be read
/// without Slipway and run again elsewhere. Container images are not copied; run.json lists them,
/// the log and everything else that was not copied, or contains null where the cluster was not
/// queried.
QCoro::Task<Result<void>> makeCapsule(CapsuleRequest request);

/// The medians of each curve by x: [{series, lane, unit, x_name, points: [{x, median, least, most,
/// count}]}]. Pure.
QJsonArray metricsSummary(const SeriesStore& series);

} // namespace slipway
