// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/bench.h"
#include "remote/probe/bench/benchrow.h"
#include "remote/probe/bench/cpulane.h"
#include "remote/probe/bench/gpulane.h"

#include <cstring>
#include <memory>

namespace slipway::probe {
namespace {

constexpr long gpuSize = 4096, cpuSize = 1536;
constexpr double afterwards = 20; ///< s for the start and the end

/// The same product again and again: each must be bitwise identical to the first one.
void stressGpu(int ordinal, double seconds, const ChildPipe& pipe)
{
    const std::string id = "bench.stress.gpu" + std::to_string(ordinal);
    try {
        Gpu gpu(ordinal, pipe);
        pipe.stage(id);
        GpuLane lane(gpu);
        const long size = fittingSize(Work::GemmFp32, gpuSize, gpu.freeMemory());
        lane.prepare(Work::GemmFp32, size);
        lane.run(1);
        const Proof proof = lane.prove();
        const size_t bytes = lane.memory(2).bytes;
        const DeviceMemory first(gpu, bytes), wrong(gpu, sizeof(unsigned));
        gpu.need(gpu.cuda.memcpyDtoD(first.address, lane.memory(2).address, bytes), "cuMemcpyDtoD");
        gpu.need(gpu.cuda.memsetD32(wrong.address, 0, 1), "cuMemsetD32");
        const long words = long(bytes / sizeof(unsigned));
        std::vector<double> rates;
        Json seen;
        lane.beginWatch();
        const double begin = steadySeconds();
        while (steadySeconds() - begin < seconds) {
            const double took = lane.run(10);
            rates.push_back(10 * operationsOf(Work::GemmFp32, size) / took);
            gpu.launch(gpu.function("compare"), gpu.processors * 8L, 1, 256,
                {first.argument(), lane.memory(2).argument(), &words, wrong.argument()});
            gpu.synchronise();
        }
        lane.endWatch(seen, 10.0 * double(rates.size()));
        unsigned differences = 0;
        gpu.need(
            gpu.cuda.memcpyDtoH(&differences, wrong.address, sizeof differences), "cuMemcpyDtoH");
        Row row = benchRow(id, gpu.name, rates, "FLOP/s");
        row.data.set("device", gpu.name)
            .set("uuid", gpu.uuid)
            .set("seconds", steadySeconds() - begin)
            .set("differences", differences)
            .set("verified", proof.holds() && differences == 0);
        for (const Json::Member& member : seen.members())
            row.data.set(member.first, member.second);
        if (differences > 0 || !proof.holds()) {
            row.state = State::Fail;
            row.why = "The same product came out differently: " + std::to_string(differences)
                + " numbers.";
            row.fix =
                "Report the card " + gpu.uuid + " to the cluster's support, and use another node.";
        } else if (!seen["throttle"].items().empty()) {
            row.state = State::Warn;
            row.why = "The card was throttled: " + seen["throttle"].items().front().text() + ".";
            row.fix = "Report it to the cluster's support if its other nodes are faster.";
        }
        pipe.send(row);
    } catch (const LaneError& error) {
        const std::string text = error.what();
        if (ordinal == 0
            && (text.rfind("no CUDA driver library", 0) == 0
                || text.rfind("CUDA shows no device", 0) == 0 || text.find("(100)") != text.npos))
            pipe.send(Row::skip("bench.stress.gpu", "There is no GPU for this process."));
        else
            pipe.send(Row::fail(id, "stopped", text + ".",
                "Report the card to the cluster's support, and use another node."));
    }
}

void stressCpu(double seconds, const ChildPipe& pipe)
{
    const AllowedCpus cpus = allowedCpus();
    CpuLane lane(cpus.threads(), cpus);
    lane.prepare(Work::GemmFp32, cpuSize);
    lane.run(1);
    const Proof proof = lane.prove();
    const size_t bytes = size_t(cpuSize) * size_t(cpuSize) * sizeof(float);
    const std::vector<float> first(lane.result(), lane.result() + cpuSize * cpuSize);
    std::vector<double> rates;
    int different = 0;
    const double begin = steadySeconds();
    while (steadySeconds() - begin < seconds) {
        rates.push_back(operationsOf(Work::GemmFp32, cpuSize) / lane.run(1));
        different += std::memcmp(first.data(), lane.result(), bytes) != 0;
    }
    Row row =
        benchRow("bench.stress.cpu", std::to_string(cpus.threads()) + " threads", rates, "FLOP/s");
    row.data.set("threads", cpus.threads())
        .set("seconds", steadySeconds() - begin)
        .set("differences", different)
        .set("verified", proof.holds() && different == 0);
    if (different > 0 || !proof.holds()) {
        row.state = State::Fail;
        row.why = "The same product came out differently, " + std::to_string(different) + " times.";
        row.fix = "Report this node to the cluster's support, and use another one.";
    }
    pipe.send(row);
}

int cardCount(double deadline)
{
    const ChildResult child = runInChild(
        [](const ChildPipe& pipe) {
            const Cuda cuda;
            int count = 0;
            if (cuda && cuda.init(0) == cudaSuccess && cuda.deviceGetCount(&count) == cudaSuccess)
                pipe.send(Json().set("count", count));
        },
        deadline);
    return child.lines.empty() ? 0 : int(child.lines.front()["count"].integer());
}

/// All GPUs at the same time, each in a child, together with the CPUs: the power of a fully loaded
/// node.
void stress(const Settings& settings, const std::function<void(Row)>& add)
{
    const double seconds = settings.stressSeconds;
    std::vector<std::unique_ptr<Child>> children;
    const auto start = [&](Child::Work work) {
        children.push_back(std::make_unique<Child>());
        children.back()->start(work, seconds + afterwards);
    };
    const int cards = cardCount(settings.deadline);
    for (int ordinal = 0; ordinal < std::max(1, cards); ++ordinal)
        start([=](const ChildPipe& pipe) { stressGpu(ordinal, seconds, pipe); });
    start([=](const ChildPipe& pipe) { stressCpu(seconds, pipe); });
    for (size_t i = 0; i < children.size(); ++i) {
        const ChildResult& result = children[i]->wait();
        for (const Row& row : result.rows())
            add(row);
        if (!result.done())
            add(Row::fail(i + 1 == children.size() ? "bench.stress.cpu"
                                                   : "bench.stress.gpu" + std::to_string(i),
                "stopped", "It " + result.trouble() + ".",
                "Report this node to the cluster's support, and use another one."));
    }
}

} // namespace

void addStressChecks(std::vector<Check>& checks)
{
    checks.push_back({"bench.stress", Level::Stress,
        [](const Settings& settings, const Facts&, const std::function<void(Row)>& add) {
            stress(settings, add);
        }});
}

} // namespace slipway::probe
