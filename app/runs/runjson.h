// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/base/result.h"

#include <QJsonObject>

namespace slipway {

/// A run as JSON, for the store and for run.json of a fetched run. Unknown keys are ignored, so
/// that a newer program's runs can be read; a missing id or phase is an error.
QJsonObject runToJson(const Run& run);
Result<Run> runFromJson(const QJsonObject& json);

/// The stable lower-case name of a phase or of a stage's state ("running").
QString phaseName(RunPhase phase);
std::optional<RunPhase> phaseOf(const QString& name);
QString stageStateName(StageState state);

} // namespace slipway
