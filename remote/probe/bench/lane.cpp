// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/lane.h"

#include "remote/probe/bench/stats.h"

#include <algorithm>
#include <cmath>

namespace slipway::probe {

Json measurePoint(Lane& lane, Work work, long size, const Repeats& how)
{
    lane.prepare(work, size);
    for (int i = 0; i < std::max(1, how.warmups); ++i)
        lane.run(1);
    // A piece that is shorter than the clock and the start of it is repeated within one
    // measurement.
    const double first = std::max(1e-7, lane.run(1));
    const int times = int(std::clamp(std::ceil(0.04 / first), 1.0, 10000.0));

    Json point;
    const double peakBefore = lane.peak(work);
    std::vector<double> seconds, withTransfers;
    lane.beginWatch();
    for (int i = 0; i < how.repeats; ++i)
        seconds.push_back(lane.run(times) / times);
    lane.endWatch(point, double(how.repeats) * times);
    const double peakAfter = lane.peak(work);
    for (int i = 0; i < how.repeats; ++i) {
        if (const std::optional<double> all = lane.runWithTransfers())
            withTransfers.push_back(*all);
    }
    const Proof proof = lane.prove();

    point.set("x", size).set("x_name", sizeName(work));
    point.set("operations", operationsOf(work, size)).set("bytes", bytesOf(work, size));
    point.set("seconds", Json::list(seconds));
    if (!withTransfers.empty())
        point.set("seconds_with_transfers", Json::list(withTransfers));
    point.set("warmups", std::max(1, how.warmups) + 1)
        .set("repeats", how.repeats)
        .set("pieces_a_repeat", times);
    // Every measured time ends when the device has finished, or it is dropped.
    point.set("synchronised", true);
    point.set("verified", proof.holds()).set("bound", proof.bound);
    if (std::isfinite(proof.error))
        point.set("error", proof.error);
    if (const double peak = std::max(peakBefore, peakAfter); peak > 0)
        point.set("peak", peak);
    lane.describe(point);
    return point;
}

} // namespace slipway::probe
