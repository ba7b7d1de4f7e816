// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/benchrow.h"

#include <cmath>
#include <cstdio>

namespace slipway::probe {

std::string rateText(double rate, const std::string& unit)
{
    static const char* const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int prefix = 0;
    while (rate >= 999.5 && prefix < 5) {
        rate /= 1000;
        ++prefix;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.*f ", rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0, rate);
    return text + std::string(prefixes[prefix]) + unit;
}

Row benchRow(const std::string& id, const std::string& what, const std::vector<double>& rates,
    const std::string& unit)
{
    const Spread spread = spreadOf(rates);
    Row row = Row::ok(id, rateText(spread.median, unit) + (what.empty() ? "" : ", " + what));
    row.data.set("median", spread.median)
        .set("low", spread.low)
        .set("high", spread.high)
        .set("unit", unit)
        .set("repeats", rates.size());
    return row;
}

void setPeak(Row& row, double peak)
{
    if (!(peak > 0))
        return;
    const double percent = row.data["median"].number() / peak * 100;
    row.data.set("peak", peak).set("percent", std::round(percent * 10) / 10);
    char text[64];
    std::snprintf(text, sizeof text, ", %.0f %% of the measured peak", percent);
    row.value += text;
}

Row benchRow(const std::string& id, const std::string& what, Work work, const Json& point)
{
    const bool triad = work == Work::Triad;
    const double amount = point[triad ? "bytes" : "operations"].number();
    std::vector<double> rates;
    for (const Json& seconds : point["seconds"].items())
        rates.push_back(amount / seconds.number());
    Row row = benchRow(id, what, rates, triad ? "B/s" : "FLOP/s");
    for (const char* member :
        {"warmups", "verified", "error", "bound", "device", "name", "uuid", "library", "threads",
            "cpus", "clock", "clock_limit", "power", "energy", "temperature", "throttle", "x"})
        row.data.set(member, point[member]);
    setPeak(row, point["peak"].number());
    if (!point["verified"].boolean()) {
        row.state = State::Fail;
        row.why = "The result is wrong when it is checked in a higher precision.";
        row.fix = "Report this node to the cluster's support, and use another one.";
    }
    return row;
}

} // namespace slipway::probe
