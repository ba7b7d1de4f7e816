// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/fields.h"
#include "plots/metrics/recogniser.h"
#include "plots/metrics/stepclock.h"

namespace slipway {

/// Emits the numbers of a line of names with numbers, all at the x of the clock, and the progress
/// of the program. `areOwnNames`: they are drawn once they vary. `name` converts the spelling of
/// the text into that of a series.
void giveFields(const LineFields& fields, const StepClock::Reading& reading, const LogLine& line,
    QString (*name)(std::string_view), MetricSink& sink, bool areOwnNames = false);

} // namespace slipway
