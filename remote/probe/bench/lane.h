// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/problem.h"
#include "remote/probe/core/row.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace slipway::probe {

/// What stops a lane: said in a row by the child that it ran in. `what` names the call and its
/// error.
class LaneError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Lane does pieces of one work on a GPU or on processors and times them. It runs in a child
/// (child.h): any call may throw LaneError, hang or crash. Used by one thread.
class Lane {
public:
    virtual ~Lane() = default;
    virtual void prepare(Work work, long size) = 0; ///< memory and numbers
    /// One piece `times` times over; seconds of all of them, when the device has finished.
    virtual double run(int times) = 0;
    /// Numbers to the device, the work, the result back: seconds; nothing where there is nothing to
    /// move.
    virtual std::optional<double> runWithTransfers() { return {}; }
    virtual Proof prove() = 0; ///< of the last piece
    /// Operations, or bytes for triad, a second: measured now, in registers or in plain copies.
    virtual double peak(Work work) = 0;
    /// What the rows say besides: name, threads, cpus, library, device.
    virtual void describe(Json& row) const = 0;
    /// From here to endWatch clocks, power and temperature are looked at.
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
