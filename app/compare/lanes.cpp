// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/fairness.h"
#include "app/compare/statistics.h"
#include "app/compare/words.h"

#include <algorithm>
#include <set>

namespace slipway {

namespace {

/// The faster library of a CPU is used for a fair comparison. (The probe checks the results of
/// both; it does not check a GPU's other library.)
Measurement withFasterLibrary(Measurement point)
{
    if (point.device == QLatin1String("cpu") && !point.otherSeconds.empty()
        && median(point.otherSeconds) < median(point.seconds)) {
        std::swap(point.seconds, point.otherSeconds);
        std::swap(point.library, point.otherLibrary);
    }
    return point;
}

void addPoint(CompareLane& lane, const Measurement& point)
{
    const auto at = std::lower_bound(lane.points.begin(), lane.points.end(), point.x,
        [](const Measurement& one, double x) { return one.x < x; });
    if (at != lane.points.end() && at->x == point.x)
        *at = point; // measured again: a job that Slurm restarted
    else
        lane.points.insert(at, point);
}

/// Where labels are equal, the difference is added: the work, then the run.
void makeLabelsUnique(std::vector<CompareLane>& lanes, const std::vector<RaceFile>& files)
{
    const auto addWhereSame = [&](auto textOf) {
        std::vector<QString> before;
        for (const CompareLane& lane : lanes)
            before.push_back(lane.label);
        for (size_t i = 0; i < lanes.size(); ++i)
            if (std::count(before.begin(), before.end(), before[i]) > 1)
                lanes[i].label += QStringLiteral(" · ") + textOf(lanes[i]);
    };
    std::set<QString> works, titles;
    for (const CompareLane& lane : lanes)
        works.insert(lane.work);
    if (works.size() > 1)
        addWhereSame([](const CompareLane& lane) { return racewords::work(lane.work); });
    addWhereSame([&](const CompareLane& lane) {
        const auto file = std::find_if(files.begin(), files.end(),
            [&](const RaceFile& one) { return one.runId == lane.runId; });
        return file != files.end() && !file->title.isEmpty() ? file->title : lane.runId;
    });
    addWhereSame([](const CompareLane& lane) { return lane.runId; });
    addWhereSame([](const CompareLane& lane) { return lane.key; });
}

/// Whether `one` takes less time than `other` at the largest size that both have.
bool isFaster(const CompareLane& one, const CompareLane& other)
{
    const auto pairs = pairsOf(one, other);
    return !pairs.empty() && median(pairs.back().a->seconds) < median(pairs.back().b->seconds);
}

std::optional<size_t> fastest(
    const std::vector<CompareLane>& lanes, const QString& device, const QString& work)
{
    std::optional<size_t> best;
    for (size_t i = 0; i < lanes.size(); ++i)
        if (lanes[i].device == device && lanes[i].work == work
            && (!best || isFaster(lanes[i], lanes[*best])))
            best = i;
    return best;
}

} // namespace

std::vector<CompareLane> lanesOf(const std::vector<RaceFile>& files)
{
    std::vector<CompareLane> lanes;
    for (const RaceFile& file : files) {
        for (const Measurement& point : file.points) {
            const QString key = point.runId + u':' + point.lane + u':' + point.work;
            auto lane = std::find_if(
                lanes.begin(), lanes.end(), [&](const CompareLane& one) { return one.key == key; });
            if (lane == lanes.end())
                lane = lanes.insert(lane,
                    {key, point.label.isEmpty() ? point.lane : point.label, point.device,
                        point.work, point.runId, {}, {}});
            addPoint(*lane, withFasterLibrary(point));
        }
        for (const AbsentSize& size : file.leftOut)
            for (CompareLane& lane : lanes)
                if (lane.key == file.runId + u':' + size.lane + u':' + size.work)
                    lane.leftOut[size.x] = size.why;
    }
    makeLabelsUnique(lanes, files);
    return lanes;
}

std::optional<std::pair<size_t, size_t>> likelyPair(const std::vector<CompareLane>& lanes)
{
    for (const CompareLane& lane : lanes) {
        const auto gpu = fastest(lanes, QStringLiteral("gpu"), lane.work);
        const auto cpu = fastest(lanes, QStringLiteral("cpu"), lane.work);
        if (gpu && cpu)
            return std::pair(*gpu, *cpu);
    }
    for (size_t i = 0; i < lanes.size(); ++i)
        for (size_t j = i + 1; j < lanes.size(); ++j)
            if (lanes[i].work == lanes[j].work && !pairsOf(lanes[i], lanes[j]).empty())
                return std::pair(i, j);
    return lanes.size() < 2 ? std::nullopt : std::optional(std::pair<size_t, size_t>(0, 1));
}

} // namespace slipway
