// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "app/runs/run.h"
#include "plots/metrics/sample.h"
#include "remote/slurm/sshare.h"

#include <QJsonArray>
#include <QJsonObject>

// The JSON objects that several commands print with --json.

namespace slipway {

/// id, line, title, cause, remedy, evidence and severity; and, if changing a field is the remedy,
/// field, change and, if it is known, value.
QJsonObject explanationObject(const Explanation& explanation);
QJsonArray explanationObjects(const Run& run);

/// {"series","x","x_name","y","unit","line"}, with lane, low and high if they are known.
QJsonObject sampleObject(const Sample& sample);
/// {"event","text","line"}, with the values of the event.
QJsonObject eventObject(const MetricEvent& event);

/// account, partition, fair_share (null: unknown), limits with tres, limit_minutes, used_minutes
/// and left_minutes, and the sentence.
QJsonObject shareObject(const AccountShare& share);

/// One row of the probe, without the fields that are not known.
QJsonObject checkObject(const CheckRow& row);
QJsonArray checkObjects(const NodeReport& report);
/// The last value of each curve: series, last, unit, and lane if there is one.
QJsonArray metricObjects(const RunDigest& digest);

QJsonObject runObject(const Run& run);

QJsonValue textOrNull(const QString& text); ///< null: it is empty, which means unknown

/// How far the pull of an image is; null: not known.
QJsonObject pullObject(const PullState& state);

} // namespace slipway
