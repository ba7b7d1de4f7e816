// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

namespace slipway {

class CurvesModel;
class Engine;

/// Writes the curves in the format of the suffix: .png, .svg or .pdf with a legend; .csv with every
/// point as printed; .html as a report, to which an engine adds how the runs were launched. Refused
/// while the points are still being copied.
Result<void> saveCurves(
    const QString& path, const CurvesModel& model, double smoothing, Engine* engine = nullptr);

} // namespace slipway
