// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>
#include <vector>

namespace slipway {

/// The numbers that a logger recorded together: a row of a table, an object of JSON. A value.
struct RecordRow {
    struct Cell {
        QByteArray name; ///< as the logger spells it
        double value = 0;
    };
    static constexpr std::size_t mostCells = 128;

    std::vector<Cell> cells;
};

/// Whether a column of that name counts: steps, iterations, epochs. The lower the number, the finer
/// it counts; none: it does not count.
std::optional<int> counterRank(QByteArrayView name);

/// The samples of a row, all at the x of its finest counter; none without one. Counters, times and
/// settings are no curves. `asTime`: where nothing counts, a column of seconds is the x.
enum class TimeAxis { No, Seconds };
std::vector<Sample> samplesOf(const RecordRow& row, const QString& lane, TimeAxis time);

/// One number of a logger: its name in the spelling of all curves.
Sample recordSample(
    QByteArrayView name, double y, double x, const QString& xName, const QString& lane);

/// A number as loggers write them, "nan" and "inf" included; none: the text is another.
std::optional<double> recordNumber(QByteArrayView text);

} // namespace slipway
