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

/// One piece of work that a lane did several times: what it took, and how it was measured. A value,
/// read from "race.point" rows (remote/probe/README.md) or made from the curves of any run; what is
/// not known of a rule is not there.
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
    std::vector<double> seconds; ///< one a repeat, compute only
    std::vector<double> secondsWithTransfers;
    std::optional<double> operations, bytes; ///< of one piece of work
    std::optional<int> warmups;
    std::optional<bool> synchronised, verified;
    std::optional<double> error, bound; ///< of the result against a higher precision
    std::optional<int> threads, cpus; ///< used, and allowed to the job
    QString library, otherLibrary;
    std::vector<double> otherSeconds;
    std::optional<double> peak; ///< measured; FLOP/s, bytes/s
    std::optional<double> clockLow, clockMedian, clockHigh, clockLimit; ///< Hz
    std::optional<double> power, energy, temperature; ///< W, J for one piece of work, °C
    std::optional<QStringList> throttle; ///< empty: known not to be held back
    QDateTime when; ///< invalid: unknown
    QMap<QString, QString>
        settings; ///< of a curve's run: what else decides how much work it is ("batch")
    bool fromCurve = false; ///< of a printed median: how often it was repeated is not known
    bool rateOnly =
        false; ///< of a printed rate: operations (or bytes) is 1, and seconds are of that one
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
    QString title; ///< of the run, for labels where several runs meet
    std::vector<Measurement> points;
    std::vector<AbsentLane> absent;
    std::vector<AbsentSize> leftOut;
    int unreadable = 0;
};

/// Never fails: a line that is no row is counted and passed over.
RaceFile readRace(const QByteArray& ndjson, const QString& runId);

} // namespace slipway
