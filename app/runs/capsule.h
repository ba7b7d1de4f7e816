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

#include <memory>
#include <optional>

namespace slipway {

/// What a capsule is made of. A value around the shared Shell.
struct CapsuleRequest {
    Run run;
    QString localFolder; ///< what is kept here: <data>/runs/<id>
    QString destination; ///< the capsule's own folder
    std::shared_ptr<Shell> shell; ///< null: not connected; then what is kept here makes the capsule
    QStringList recognisers;
    std::vector<PatternSpec> patterns; ///< the recipe's own
    std::optional<QJsonArray> metrics; ///< as the end of the run read them; none: the log is read
    QJsonObject facts; ///< of the launch: image, values, versions
};

/// The capsule of a run: a folder with script, log, marks, results and run.json, which can be read
/// without Slipway and run again elsewhere. Container images are left where they are; run.json
/// names them, the log and whatever else was left, or says null where the cluster was not asked.
QCoro::Task<Result<void>> makeCapsule(CapsuleRequest request);

/// The medians of each curve by x: [{series, lane, unit, x_name, points: [{x, median, least, most,
/// count}]}]. Pure.
QJsonArray metricsSummary(const SeriesStore& series);

} // namespace slipway
