// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One piece of work that a lane repeated: how long it took, and how it was measured. A value, read
/// from "race.point" rows (remote/probe/README.md) or derived from the curves of any run; unknown
/// values are absent.
struct Measurement {
    QString runId;
    QString work; ///< "gemm-fp32", "train"
    QString lane; ///< "gpu", "cpu", "cpu-1"
    QString label; ///< "GPU"
    QString device; ///< "gpu", "cpu"; empty: unknown
    QString name; ///< of the card or the processor
    QString node;
    double x = 0; ///< size
    QString xName; ///< "n"
    std::vector<double> seconds; ///< one per repeat, compute only
    std::vector<double> secondsWithTransfers;
    std::optional<double> operations, bytes; ///< of one piece of work
    std::optional<int> warmups;
    std::optional<bool> synchronised, verified;
    std::optional<double> error, bound; ///< of the result against a higher precision
    std::optional<int> threads, cpus; ///< used, and available to the job
    QString library, otherLibrary;
    std::vector<double> otherSeconds;
    std::optional<double> peak; ///< measured; FLOP/s, bytes/s
    std::optional<double> clockLow, clockMedian, clockHigh, clockLimit; ///< Hz
    std::optional<double> power, energy, temperature; ///< W, J for one piece of work, °C
    std::optional<QStringList> throttle; ///< empty: known not to be throttled
    QDateTime when; ///< invalid: unknown
    QMap<QString, QString>
        settings; ///< for curves: other values that determine the amount of work ("batch")
    bool fromCurve = false; ///< from a printed median: the number of repeats is not known
    bool rateOnly =
        false; ///< from a printed rate: operations (or bytes) is 1, and seconds are for that one
};

/// A lane that did not run, and why.
struct AbsentLane {
    QString lane, label, why, fix;
};

/// A size that a lane left out, and why.
struct AbsentSize {
    QString lane, work;
    double x = 0;
    QString why;
};

struct RaceFile {
    QString runId;
    QString title; ///< of the run, for labels when several runs are shown
    std::vector<Measurement> points;
    std::vector<AbsentLane> absent;
    std::vector<AbsentSize> leftOut;
    int unreadable = 0;
};

/// Never fails: a line that is not a row is counted and skipped.
RaceFile readRace(const QByteArray& ndjson, const QString& runId);

} // namespace slipway
