// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

namespace slipway {

struct ChartSpec;
class SeriesStore;

/// The numbers of a chart as CSV (RFC 4180, UTF-8), one row per point, in order of arrival:
/// series,lane,x_name,x,y,unit,low,high,source. References of the chart follow with their source.
QByteArray toCsv(const SeriesStore& store, const ChartSpec& spec);

/// All series of the store.
QByteArray toCsv(const SeriesStore& store);

} // namespace slipway
