// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/raceplan.h"

#include "remote/probe/bench/benchrow.h"

#include <algorithm>
#include <cstdlib>

namespace slipway::probe {
namespace {

std::optional<long> wholeNumber(const std::string& text, long least, long most)
{
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || number < least || number > most)
        return {};
    return number;
}

bool readSizes(const std::string& text, RacePlan& plan)
{
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::optional<long> size =
            wholeNumber(text.substr(begin, end - begin), 1, mostSize(plan.work));
        if (!size)
            return false;
        plan.sizes.push_back(*size);
        begin = end + 1;
    }
    std::ranges::sort(plan.sizes);
    plan.sizes.erase(std::unique(plan.sizes.begin(), plan.sizes.end()), plan.sizes.end());
    return !plan.sizes.empty();
}

std::string usualLabel(const std::string& lane)
{
    return lane == "gpu" ? "GPU" : lane == "cpu" ? "CPU" : "CPU, 1 thread";
}

} // namespace

std::optional<RacePlan> racePlan(std::vector<std::string> arguments)
{
    RacePlan plan;
    std::string sizes;
    bool hasWork = false;
    if (arguments.size() % 2)
        return {};
    for (size_t i = 0; i < arguments.size(); i += 2) {
        const std::string &name = arguments[i], &value = arguments[i + 1];
        if (name == "--work") {
            const std::optional<Work> work = workOf(value);
            if (!work)
                return {};
            plan.work = *work;
            hasWork = true;
        } else if (name == "--lane" && (value == "gpu" || value == "cpu" || value == "cpu-1")) {
            plan.lane = value;
        } else if (name == "--lane-label") {
            plan.label = value;
        } else if (name == "--sizes") {
            sizes = value;
        } else if (name == "--repeats" || name == "--warmup") {
            const bool repeats = name == "--repeats";
            const std::optional<long> count = wholeNumber(value, repeats ? 1 : 0, 1000);
            if (!count)
                return {};
            (repeats ? plan.repeats.repeats : plan.repeats.warmups) = int(*count);
        } else {
            return {};
        }
    }
    if (!hasWork || plan.lane.empty())
        return {};
    if (plan.label.empty())
        plan.label = usualLabel(plan.lane);
    if (sizes.empty())
        plan.sizes = usualSizes(plan.work);
    else if (!readSizes(sizes, plan))
        return {};
    return plan;
}

double expectedSeconds(const RacePlan& plan, long size, double peak)
{
    const double amount =
        plan.work == Work::Triad ? bytesOf(plan.work, size) : operationsOf(plan.work, size);
    const double times =
        plan.repeats.warmups + 1 + plan.repeats.repeats * (plan.lane == "gpu" ? 2 : 1);
    // Roots and divisions keep n-body further from the peak than products stay.
    return peak > 0 ? amount / peak * times * (plan.work == Work::Nbody ? 4 : 1.5) : 0;
}

Row raceRow(const RacePlan& plan, const char* id, State state)
{
    Row row;
    row.id = id;
    row.state = state;
    row.more.set("work", workName(plan.work)).set("lane", plan.lane).set("label", plan.label);
    return row;
}

Row sizeRow(const RacePlan& plan, long size, const std::string& why)
{
    Row row = raceRow(plan, "race.size", State::Skip);
    row.why = why;
    row.more.set("x", size);
    return row;
}

namespace {

std::vector<double> numbers(const Json& list)
{
    std::vector<double> values;
    for (const Json& value : list.items())
        values.push_back(value.number());
    return values;
}

double amountOf(const RacePlan& plan, const Json& point)
{
    return point[plan.work == Work::Triad ? "bytes" : "operations"].number();
}
const char* unitOf(const RacePlan& plan)
{
    return plan.work == Work::Triad ? "B/s" : "FLOP/s";
}

} // namespace

Row pointRow(const RacePlan& plan, const Json& point)
{
    Row row = raceRow(plan, "race.point", point["verified"].boolean() ? State::Ok : State::Fail);
    for (const Json::Member& member : point.members())
        row.more.set(member.first, member.second);
    const double rate = amountOf(plan, point) / spreadOf(numbers(point["seconds"])).median;
    row.value = plan.label + ", " + sizeName(plan.work) + " = "
        + std::to_string(point["x"].integer()) + ": " + rateText(rate, unitOf(plan));
    if (const double peak = point["peak"].number(); peak > 0)
        row.value +=
            ", " + std::to_string(int(rate / peak * 100 + 0.5)) + " % of the measured peak";
    if (row.state == State::Fail)
        row.why = "The result is wrong when it is checked in a higher precision.";
    return row;
}

std::vector<std::string> sampleLines(const RacePlan& plan, const Json& point)
{
    std::vector<std::string> lines;
    const auto add = [&](const char* sample, const Spread& spread, const char* unit) {
        Json json;
        json.set("sample", sample)
            .set("lane", plan.label)
            .set("x", point["x"])
            .set("x_name", sizeName(plan.work));
        json.set("y", spread.median)
            .set("low", spread.low)
            .set("high", spread.high)
            .set("unit", unit);
        lines.push_back("@slipway " + json.write());
    };
    const std::vector<double> seconds = numbers(point["seconds"]),
                              all = numbers(point["seconds_with_transfers"]);
    std::vector<double> rates;
    for (const double one : seconds)
        rates.push_back(amountOf(plan, point) / one);
    add(plan.work == Work::Triad ? "bandwidth" : "flops", spreadOf(rates), unitOf(plan));
    add("seconds", spreadOf(seconds), "s");
    if (!all.empty())
        add("seconds_with_transfers", spreadOf(all), "s");
    return lines;
}

} // namespace slipway::probe
