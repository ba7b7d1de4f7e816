// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/problem.h"
#include "remote/probe/core/row.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace slipway::probe {

/// The error that stops a lane: reported in a row by its child. `what` contains the call and its
/// error.
class LaneError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Lane runs pieces of one kind of work on a GPU or on CPUs and times them. It runs in a child
/// (child.h): any call may throw LaneError, hang or crash. Used by one thread.
class Lane {
public:
    virtual ~Lane() = default;
    virtual void prepare(Work work, long size) = 0; ///< memory and numbers
    /// Runs one piece `times` times; seconds of all of them, once the device has finished.
    virtual double run(int times) = 0;
    /// Transfer to the device, work, transfer back, in seconds; none where there are no transfers.
    virtual std::optional<double> runWithTransfers() { return {}; }
    virtual Proof prove() = 0; ///< of the last piece
    /// Operations, or bytes for triad, a second: measured now, in registers or in plain copies.
    virtual double peak(Work work) = 0;
    /// Further members of the rows: name, threads, cpus, library, device.
    virtual void describe(Json& row) const = 0;
    /// From here to endWatch clocks, power and temperature are sampled.
    virtual void beginWatch() { }
    /// Adds them; `pieces` of work were done since.
    virtual void endWatch(Json&, double /*pieces*/) { }
};

/// One point: warm-up, repeats, proof, peak; members of a "race.point" (README.md).
struct Repeats {
    int warmups = 2, repeats = 7;
    double secondsAPoint = 30; ///< a size that would take longer is left out
};
/// Throws LaneError.
Json measurePoint(Lane& lane, Work work, long size, const Repeats& repeats);

} // namespace slipway::probe
