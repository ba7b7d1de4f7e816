// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/bench.h"
#include "remote/probe/bench/benchrow.h"
#include "remote/probe/bench/blas.h"
#include "remote/probe/bench/cpulane.h"
#include "remote/probe/child.h"

#include <cstdio>

namespace slipway::probe {
namespace {

constexpr double childSeconds = 12, blasSeconds = 4;
constexpr Repeats processorRepeats{1, 5, 3};

/// The peak of registers alone, for every instruction set that runs here: all threads at the same
/// time.
void measurePeaks(const ChildPipe& pipe)
{
    const AllowedCpus cpus = allowedCpus();
    Team team(cpus.threads(), cpus.places(cpus.threads()));
    Json sets;
    for (const bool twice : {false, true}) {
        const char* const id = twice ? "bench.cpu.peak-fp64" : "bench.cpu.peak-fp32";
        std::vector<double> best;
        Json list;
        for (const Isa* isa : isas()) {
            std::vector<double> rates;
            for (int i = 0; i < 5; ++i) {
                std::vector<double> operations(size_t(team.size()));
                const double begin = steadySeconds();
                team.run([&](int thread) {
                    operations[size_t(thread)] =
                        twice ? isa->peakTwice(300'000) : isa->peakSingle(300'000);
                });
                double all = 0;
                for (const double one : operations)
                    all += one;
                rates.push_back(all / (steadySeconds() - begin));
            }
            list.append(Json().set("name", isa->name).set("median", spreadOf(rates).median));
            if (best.empty() || spreadOf(rates).median > spreadOf(best).median)
                best = rates;
        }
        Row row =
            benchRow(id, std::string("in registers, ") + isas().isas[0]->name, best, "FLOP/s");
        row.data.set("isas", list)
            .set("threads", team.size())
            .set("device", "cpu")
            .set("name", processorName());
        pipe.send(row);
    }
}

/// A product that takes a measurable time here: a small one on few processors.
long productSize(CpuLane& lane, Work work)
{
    const double rate = lane.peak(work);
    for (const long n : {4096L, 2048L, 1024L}) {
        if (operationsOf(work, n) / rate < 0.15)
            return n;
    }
    return 512;
}

void measureWork(Work work, const ChildPipe& pipe)
{
    CpuLane lane(allowedCpus().threads());
    const long size = isGemm(work) ? productSize(lane, work)
        : work == Work::Triad      ? 1L << 24
                                   : 16384;
    Json point = measurePoint(lane, work, size, processorRepeats);
    pipe.send(point);
}

/// The faster of ours and the node's BLAS is shown, the other one is named.
void setOther(Row& row, const BlasTimes& other, double operations)
{
    const double ours = row.data["median"].number(),
                 theirs = operations / spreadOf(other.seconds).median;
    const std::string our = row.data["library"].text();
    row.data.set("own_median", ours)
        .set("other_library", other.library)
        .set("other_median", theirs);
    if (theirs > ours) {
        std::vector<double> rates;
        for (const double seconds : other.seconds)
            rates.push_back(operations / seconds);
        const Spread spread = spreadOf(rates);
        row.data.set("median", spread.median)
            .set("low", spread.low)
            .set("high", spread.high)
            .set("library", other.library);
        row.data.set("error", other.proof.error);
        row.value = rateText(theirs, "FLOP/s") + ", " + other.library;
        setPeak(row, row.data["peak"].number());
        row.value += "; " + our + ": " + rateText(ours, "FLOP/s");
    } else {
        row.value += "; " + other.library + ": " + rateText(theirs, "FLOP/s");
    }
}

void benchWork(Work work, const std::function<void(Row)>& add)
{
    const std::string id = std::string("bench.cpu.") + workName(work);
    const ChildResult child =
        runInChild([work](const ChildPipe& pipe) { measureWork(work, pipe); }, childSeconds);
    if (!child.done() || child.lines.empty()) {
        add(Row::fail(id, "no result", "The benchmark " + child.trouble() + ".",
            "Check whether the job has the memory and the processors that it requested."));
        return;
    }
    const Json& point = child.lines.front();
    Row row = benchRow(id,
        point["library"].text() + ", " + std::to_string(point["threads"].integer()) + " threads",
        work, point);
    if (isGemm(work)) {
        std::string trouble;
        const auto other = fastestBlas(
            work, point["x"].integer(), int(point["threads"].integer()), 5, blasSeconds, &trouble);
        if (other)
            setOther(row, *other, point["operations"].number());
        if (!trouble.empty())
            row.data.set("other_trouble", trouble);
    }
    add(row);
}

} // namespace

void addProcessorBenchChecks(std::vector<Check>& checks)
{
    checks.push_back({"bench.cpu.peak-fp32", Level::Bench,
        [](const Settings&, const Facts&, const std::function<void(Row)>& add) {
            const ChildResult child = runInChild(measurePeaks, childSeconds);
            for (const Row& row : child.rows())
                add(row);
        }});
    for (const Work work : {Work::GemmFp32, Work::GemmFp64, Work::Triad, Work::Nbody}) {
        checks.push_back({"bench.cpu", Level::Bench,
            [work](const Settings&, const Facts&, const std::function<void(Row)>& add) {
                benchWork(work, add);
            }});
    }
}

} // namespace slipway::probe
