// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"

#include <vector>

namespace slipway {

class SeriesStore;

/// What a series measures, without the data set or the mean that it is of: "valid_loss" and
/// "average_loss" are "loss". Only series of one quantity can share an axis without a unit.
QString seriesQuantity(const QString& series);

/// The charts that show the series of this one with one unit on each y axis. Almost always that is
/// the chart itself. A chart of everything ("*", or no filter) becomes one for each quantity and
/// each counter on its x axis, in the order in which they appeared; any other one for each unit.
/// Never empty.
std::vector<ChartSpec> chartParts(const ChartSpec& spec, const SeriesStore& store);

} // namespace slipway
