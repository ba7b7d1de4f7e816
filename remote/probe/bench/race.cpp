// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/bench.h"
#include "remote/probe/bench/blas.h"
#include "remote/probe/bench/cpulane.h"
#include "remote/probe/bench/cublas.h"
#include "remote/probe/bench/raceplan.h"
#include "remote/probe/bench/stats.h"
#include "remote/probe/child.h"
#include "remote/probe/gather.h"
#include "remote/probe/node.h"

#include <cstdio>
#include <map>

namespace slipway::probe {
namespace {

constexpr double overheadASize = 30; ///< s of overhead around the measurements of a size
constexpr double lookForCublas = 60;

/// The times of another library, by size.
struct OtherTimes {
    std::string library;
    std::vector<double> seconds;
};
using OthersBySize = std::map<long, OtherTimes>;

std::string tooLong(const RacePlan& plan, double seconds)
{
    char text[120];
    std::snprintf(text, sizeof text, "This size would take about %.0f s; a size gets %.0f s.",
        seconds, plan.repeats.secondsAPoint);
    return text;
}

/// One size on a lane, in the child: its point, or why it is left out.
void measureSize(Lane& lane, const RacePlan& plan, long size, const ChildPipe& pipe)
{
    pipe.stage(std::string(workName(plan.work)) + " at " + std::to_string(size));
    if (bytesOf(plan.work, size) > availableMemory() * 0.8) {
        pipe.send(sizeRow(plan, size, "The job does not have enough memory for this size."));
        return;
    }
    if (const double seconds = expectedSeconds(plan, size, lane.peak(plan.work));
        seconds > plan.repeats.secondsAPoint) {
        pipe.send(sizeRow(plan, size, tooLong(plan, seconds)));
        return;
    }
    pipe.send(pointRow(plan, measurePoint(lane, plan.work, size, plan.repeats)));
}

class Race {
public:
    Race(const RacePlan& plan, RowWriter& writer)
        : m_plan(plan)
        , m_writer(writer)
    {
    }

    void runCpu();
    void runGpu();

private:
    void add(Row row);
    void addAbsent(const std::string& why, const std::string& fix);
    OthersBySize cublasTimes();
    const RacePlan& m_plan;
    RowWriter& m_writer;
};

void Race::add(Row row)
{
    row.more.set("node", nodeName());
    m_writer.add(row);
    if (row.id == "race.point") {
        for (const std::string& line : sampleLines(m_plan, row.more))
            m_writer.say(line);
    }
}

void Race::addAbsent(const std::string& why, const std::string& fix)
{
    Row row = raceRow(m_plan, "race.lane", State::Skip);
    row.why = why;
    row.fix = fix;
    add(row);
}

/// One child per size: one that runs out of memory does not affect the others.
void Race::runCpu()
{
    const int threads = m_plan.lane == "cpu-1" ? 1 : allowedCpus().threads();
    for (const long size : m_plan.sizes) {
        const ChildResult child = runInChild(
            [&](const ChildPipe& pipe) {
                CpuLane lane(threads);
                measureSize(lane, m_plan, size, pipe);
            },
            m_plan.repeats.secondsAPoint * 2 + overheadASize);
        if (!child.done())
            add(sizeRow(m_plan, size, "The processors' lane " + child.trouble() + "."));
        for (Row& row : child.rows()) {
            if (row.id == "race.point" && isGemm(m_plan.work)) {
                if (const auto other = fastestBlas(m_plan.work, size, threads,
                        m_plan.repeats.repeats, m_plan.repeats.secondsAPoint))
                    row.more.set("other_library", other->library)
                        .set("other_seconds", Json::list(other->seconds));
            }
            add(row);
        }
    }
}

void measureCublas(const RacePlan& plan, const ChildPipe& pipe)
{
    try {
        Gpu gpu(0, pipe);
        pipe.stage("cublasCreate");
        const Cublas cublas;
        const CublasType type = plan.work == Work::GemmFp64 ? CublasType::Fp64 : CublasType::Fp32;
        for (const long size : plan.sizes) {
            const size_t bytes = size_t(bytesOf(plan.work, size) / 3);
            if (!cublas.can(type) || 3 * bytes > gpu.freeMemory()
                || expectedSeconds(plan, size, 1e12) > plan.repeats.secondsAPoint)
                continue;
            const DeviceMemory a(gpu, bytes), b(gpu, bytes), c(gpu, bytes);
            gpu.need(gpu.cuda.memsetD8(a.address, 0x3e, bytes), "cuMemsetD8");
            gpu.need(gpu.cuda.memsetD8(b.address, 0x3e, bytes), "cuMemsetD8");
            pipe.send(Json()
                          .set("x", size)
                          .set("library", cublas.name())
                          .set("seconds",
                              Json::list(cublasSeconds(
                                  cublas, gpu, type, int(size), a, b, c, plan.repeats.repeats))));
        }
    } catch (const LaneError&) {
        // Our own kernels show problems of the GPU.
    }
}

OthersBySize Race::cublasTimes()
{
    OthersBySize others;
    if (!isGemm(m_plan.work))
        return others;
    const ChildResult child =
        runInChild([this](const ChildPipe& pipe) { measureCublas(m_plan, pipe); }, lookForCublas);
    for (const Json& line : child.lines) {
        OtherTimes& times = others[line["x"].integer()];
        times.library = line["library"].text();
        for (const Json& value : line["seconds"].items())
            times.seconds.push_back(value.number());
    }
    return others;
}

void measureGpuSizes(const RacePlan& plan, const ChildPipe& pipe)
{
    try {
        Gpu gpu(0, pipe);
        GpuLane lane(gpu);
        for (const long size : plan.sizes) {
            if (double(gpuBytes(plan.work, size)) > double(gpu.freeMemory()) * 0.9)
                pipe.send(sizeRow(plan, size, "The card has no memory for this size."));
            else
                measureSize(lane, plan, size, pipe);
        }
    } catch (const LaneError& error) {
        pipe.send(Json().set("error_text", error.what()));
    }
}

void Race::runGpu()
{
    const double deadline =
        (m_plan.repeats.secondsAPoint * 2 + overheadASize) * double(m_plan.sizes.size());
    bool points = false;
    std::string errorText;
    const OthersBySize others = cublasTimes();
    const ChildResult child = runInChild(
        [this](const ChildPipe& pipe) { measureGpuSizes(m_plan, pipe); }, deadline,
        [&](const Json& line) {
            errorText = line["error_text"].text(errorText);
            std::optional<Row> row = Row::fromJson(line);
            if (!row)
                return;
            if (row->id == "race.point") {
                points = true;
                if (const auto other = others.find(row->more["x"].integer()); other != others.end())
                    row->more.set("other_library", other->second.library)
                        .set("other_seconds", Json::list(other->second.seconds));
            }
            add(*row);
        });
    const bool noLibrary = errorText.rfind("no CUDA driver library", 0) == 0;
    const bool noDevice = errorText.rfind("CUDA shows no device", 0) == 0
        || errorText.find("(100)") != errorText.npos;
    if (noLibrary)
        addAbsent("There is no NVIDIA driver library here.",
            "Run it on a node with a GPU, and in a container with the GPU passed through (--nv).");
    else if (noDevice)
        addAbsent("CUDA shows no GPU to this process.", "Ask Slurm for one with --gres=gpu:1.");
    else if (!errorText.empty())
        addAbsent(errorText + ".",
            points ? "Leave out the sizes behind the last point."
                   : "Check the row compute.verify.");
    else if (!child.done())
        addAbsent("The GPU's lane " + child.trouble() + ".", "Check the row compute.verify.");
}

} // namespace

int race(const std::vector<std::string>& arguments, RowWriter& writer)
{
    const std::optional<RacePlan> plan = racePlan(arguments);
    if (!plan)
        return 2;
    writer.begin("race", containerRuntimeHere().empty() ? "host" : "container");
    Race race(*plan, writer);
    if (plan->lane == "gpu")
        race.runGpu();
    else
        race.runCpu();
    writer.end();
    return writer.exitCode();
}

} // namespace slipway::probe
