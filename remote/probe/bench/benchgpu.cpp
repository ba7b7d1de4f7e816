// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/bench.h"
#include "remote/probe/bench/benchrow.h"
#include "remote/probe/bench/cublas.h"
#include "remote/probe/child.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace slipway::probe {
namespace {

constexpr int gpuRepeats = 5;
constexpr Repeats benchRepeats{2, gpuRepeats, 3};
constexpr double gpuSeconds = 16, cublasSecondsMost = 8;

/// FP32 units of a multiprocessor by compute capability.
int unitsOf(int capability)
{
    switch (capability) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
        return 64;
    default:
        return capability < 50 ? 192 : 128;
    }
}

std::vector<double> rates(double amount, const std::vector<double>& seconds)
{
    std::vector<double> result;
    for (const double one : seconds)
        result.push_back(amount / std::max(1e-9, one));
    return result;
}

std::vector<double> timed(const std::function<void()>& work)
{
    std::vector<double> seconds;
    for (int i = -1; i < gpuRepeats; ++i) { // the first warms up
        const double begin = steadySeconds();
        work();
        if (i >= 0)
            seconds.push_back(steadySeconds() - begin);
    }
    return seconds;
}

void sendCopies(const Gpu& gpu, const ChildPipe& pipe)
{
    const size_t bytes = std::min<size_t>(256u << 20, gpu.freeMemory() / 8);
    const DeviceMemory one(gpu, bytes), other(gpu, bytes);
    const PinnedMemory pinned(gpu, bytes);
    std::memset(pinned.as<void>(), 1, bytes);
    const std::vector<char> pageable(bytes / 4, 1);
    std::vector<char> back(bytes / 4);
    const auto send = [&](const char* id, const char* what, double amount,
                          const std::function<void()>& copy) {
        pipe.stage(id);
        Row row = benchRow(id, what, rates(amount, timed([&] {
            copy();
            gpu.synchronise();
        })),
            "B/s");
        row.data.set("warmups", 1).set("device", gpu.name).set("copied", amount);
        pipe.send(row);
    };
    send("bench.gpu.h2d", "host to card, pinned", double(bytes), [&] {
        gpu.need(gpu.cuda.memcpyHtoDAsync(one.address, pinned.as<void>(), bytes, nullptr),
            "cuMemcpyHtoDAsync");
    });
    send("bench.gpu.d2h", "card to host, pinned", double(bytes), [&] {
        gpu.need(gpu.cuda.memcpyDtoHAsync(pinned.as<void>(), one.address, bytes, nullptr),
            "cuMemcpyDtoHAsync");
    });
    send("bench.gpu.h2d-pageable", "host to card, pageable", double(pageable.size()), [&] {
        gpu.need(
            gpu.cuda.memcpyHtoD(one.address, pageable.data(), pageable.size()), "cuMemcpyHtoD");
    });
    send("bench.gpu.d2h-pageable", "card to host, pageable", double(back.size()), [&] {
        gpu.need(gpu.cuda.memcpyDtoH(back.data(), one.address, back.size()), "cuMemcpyDtoH");
    });
    // Read and written: twice the bytes pass through the card's memory.
    send("bench.gpu.d2d", "within the card, read and written", 2.0 * double(bytes), [&] {
        gpu.need(gpu.cuda.memcpyDtoDAsync(other.address, one.address, bytes, nullptr),
            "cuMemcpyDtoDAsync");
    });
}

/// In addition to the measured peak, the theoretical one at the observed clock.
void setPeakAtClock(Row& row, const Gpu& gpu)
{
    const double clock = row.data["clock"]["median"].number();
    if (!(clock > 0))
        return;
    const double peak = 2.0 * unitsOf(gpu.capability) * gpu.processors * clock;
    row.data.set("peak_at_clock", peak)
        .set("percent_at_clock", std::round(row.data["median"].number() / peak * 1000) / 10);
}

void sendPeaks(Gpu& gpu, GpuLane& lane, const ChildPipe& pipe)
{
    const auto send = [&](const std::string& id, const std::string& what, CUfunction kernel,
                          double operations, size_t bytes, bool single) {
        pipe.stage(id);
        std::vector<double> found;
        Json seen;
        lane.beginWatch();
        for (int i = 0; i < gpuRepeats; ++i)
            found.push_back(lane.registerPeak(kernel, operations, bytes));
        lane.endWatch(seen, gpuRepeats);
        Row row = benchRow(id, what, found, "FLOP/s");
        row.data.set("warmups", 1).set("device", gpu.name);
        for (const Json::Member& member : seen.members())
            row.data.set(member.first, member.second);
        row.data.set("energy", Json());
        if (single)
            setPeakAtClock(row, gpu);
        pipe.send(row);
    };
    send(
        "bench.gpu.peak-fp32", "in registers", gpu.function("peak_fp32"), 256, sizeof(float), true);
    send("bench.gpu.peak-fp64", "in registers", gpu.function("peak_fp64"), 256, sizeof(double),
        false);
    const std::string whyNot = gpu.whyNoTensorKernels();
    // 8 chains a warp; a warp's instruction is 2·16·8·k operations.
    for (const auto& [type, depth] :
        {std::pair{"tf32", 8}, std::pair{"fp16", 16}, std::pair{"bf16", 16}}) {
        const std::string id = std::string("bench.gpu.tensor-") + type;
        if (!whyNot.empty())
            pipe.send(Row::skip(id, whyNot));
        else
            send(id, "mma.sync peak", gpu.tensorFunction((std::string("peak_") + type).c_str()),
                8 * 2.0 * 16 * 8 * depth / 32, sizeof(float), false);
    }
}

void measureGpu(const ChildPipe& pipe)
{
    try {
        Gpu gpu(0, pipe);
        GpuLane lane(gpu);
        sendPeaks(gpu, lane, pipe);
        for (const auto& [work, most] :
            {std::pair{Work::Triad, 1L << 26}, std::pair{Work::GemmFp32, 4096L},
                std::pair{Work::GemmFp64, 2048L}, std::pair{Work::Nbody, 65536L}}) {
            const std::string id = std::string("bench.gpu.") + workName(work);
            pipe.stage(id);
            const long size = fittingSize(work, most, gpu.freeMemory());
            Row row =
                benchRow(id, "own kernel", work, measurePoint(lane, work, size, benchRepeats));
            if (work == Work::GemmFp32)
                setPeakAtClock(row, gpu);
            pipe.send(row);
        }
        sendCopies(gpu, pipe);
    } catch (const LaneError& error) {
        pipe.send(Json().set("error_text", error.what()));
    }
}

struct Product {
    CublasType type;
    const char* id;
    int n;
    int bytes; ///< of a number
    unsigned base, bits; ///< of a word: numbers from 0.5 to 1, as zeros would cost less power
    int least; ///< compute capability of the first tensor cores that take the type; 0: all cards

    size_t size() const { return size_t(n) * size_t(n) * size_t(bytes); }
};
constexpr Product products[] = {
    {CublasType::Fp32, "fp32", 4096, 4, 0x3F000000, 0x007FFFFF, 0},
    {CublasType::Fp64, "fp64", 2048, 8, 0x3FE00000, 0x000FFFFF, 0},
    {CublasType::Tf32, "tf32", 8192, 4, 0x3F000000, 0x007FFFFF, 80},
    {CublasType::Fp16, "fp16", 8192, 2, 0x38003800, 0x03FF03FF, 70},
    {CublasType::Bf16, "bf16", 8192, 2, 0x3F003F00, 0x007F007F, 80},
};

/// Why this product is not measured; empty: it is.
std::string whyNotMeasured(const Product& product, const Cublas& cublas, const Gpu& gpu)
{
    if (gpu.capability < product.least)
        return gpu.whyNoTensorKernels();
    if (!cublas.can(product.type))
        return cublas.name() + " does not have this type.";
    return 4 * product.size() > gpu.freeMemory() ? "The card has no memory for this size." : "";
}

void sendProduct(
    const Product& product, const Cublas& cublas, const Gpu& gpu, const ChildPipe& pipe)
{
    const std::string id = std::string("bench.gpu.cublas-") + product.id;
    if (const std::string why = whyNotMeasured(product, cublas, gpu); !why.empty()) {
        pipe.send(Row::skip(id, why));
        return;
    }
    const size_t bytes = product.size();
    pipe.stage(id);
    const DeviceMemory a(gpu, bytes), b(gpu, bytes),
        c(gpu, std::max<size_t>(bytes, size_t(product.n) * size_t(product.n) * 4));
    std::vector<unsigned> words(bytes / 4);
    unsigned random = 1;
    for (unsigned& word : words)
        word = product.base | ((random = random * 1664525u + 1013904223u) & product.bits);
    gpu.need(gpu.cuda.memcpyHtoD(a.address, words.data(), bytes), "cuMemcpyHtoD");
    gpu.need(gpu.cuda.memcpyHtoD(b.address, words.data(), bytes), "cuMemcpyHtoD");
    Row row = benchRow(id, cublas.name(),
        rates(operationsOf(Work::GemmFp32, product.n),
            cublasSeconds(cublas, gpu, product.type, product.n, a, b, c, gpuRepeats)),
        "FLOP/s");
    row.data.set("warmups", 3)
        .set("device", gpu.name)
        .set("library", cublas.name())
        .set("x", product.n);
    pipe.send(row);
}

void measureCublas(const ChildPipe& pipe)
{
    try {
        Gpu gpu(0, pipe);
        pipe.stage("cublasCreate");
        const Cublas cublas;
        if (!cublas)
            pipe.send(
                Row::skip("bench.gpu.cublas", "cuBLAS cannot be used: " + cublas.error() + "."));
        for (const Product& product : products) {
            if (cublas)
                sendProduct(product, cublas, gpu, pipe);
        }
    } catch (const LaneError& error) {
        pipe.send(Json().set("error_text", error.what()));
    }
}

/// From every GPU to every other: bytes per second, and whether the path is direct.
void measurePeers(const ChildPipe& pipe)
{
    try {
        Gpu first(0, pipe);
        const int count = std::min(first.count, 8);
        if (count < 2)
            return;
        pipe.stage("bench.gpu.p2p");
        const Cuda& cuda = first.cuda;
        std::vector<CUcontext> contexts{first.context};
        for (int i = 1; i < count; ++i)
            contexts.push_back(first.contextOn(i));
        constexpr size_t bytes = 64u << 20;
        std::vector<CUdeviceptr> memory(size_t(count), 0);
        for (int i = 0; i < count; ++i) {
            first.need(cuda.ctxSetCurrent(contexts[size_t(i)]), "cuCtxSetCurrent");
            first.need(cuda.memAlloc(&memory[size_t(i)], bytes), "cuMemAlloc");
        }
        std::vector<double> all;
        Json matrix, direct;
        for (int from = 0; from < count; ++from) {
            Json row, directRow;
            for (int to = 0; to < count; ++to) {
                if (from == to) {
                    row.append(0);
                    directRow.append(false);
                    continue;
                }
                int can = 0;
                first.need(cuda.ctxSetCurrent(contexts[size_t(from)]), "cuCtxSetCurrent");
                if (cuda.deviceCanAccessPeer
                    && cuda.deviceCanAccessPeer(&can, from, to) == cudaSuccess && can)
                    cuda.ctxEnablePeerAccess(
                        contexts[size_t(to)], 0); // a second call is refused and harmless
                const double rate = spreadOf(rates(double(bytes), timed([&] {
                    first.need(cuda.memcpyPeerAsync(memory[size_t(to)], contexts[size_t(to)],
                                   memory[size_t(from)], contexts[size_t(from)], bytes, nullptr),
                        "cuMemcpyPeerAsync");
                    first.synchronise();
                }))).median;
                all.push_back(rate);
                row.append(rate);
                directRow.append(can != 0);
            }
            matrix.append(row);
            direct.append(directRow);
        }
        Row row = benchRow(
            "bench.gpu.p2p", "from card to card, " + std::to_string(count) + " cards", all, "B/s");
        row.data.set("matrix", matrix).set("direct", direct);
        pipe.send(row);
    } catch (const LaneError& error) {
        pipe.send(Json().set("error_text", error.what()));
    }
}

/// Rows as they arrive; an early end becomes another row.
void runRows(
    const char* id, const Child::Work& work, double seconds, const std::function<void(Row)>& add)
{
    std::string errorText;
    const ChildResult child = runInChild(work, seconds, [&](const Json& line) {
        if (line.has("error_text"))
            errorText = line["error_text"].text();
        else if (const std::optional<Row> row = Row::fromJson(line))
            add(*row);
    });
    if (errorText.rfind("no CUDA driver library", 0) == 0
        || errorText.rfind("CUDA shows no device", 0) == 0
        || errorText.find("(100)") != errorText.npos)
        add(Row::skip(id, "There is no GPU for this process."));
    else if (!errorText.empty())
        add(Row::fail(id, "stopped", errorText + ".",
            "Check compute.verify, and use another node if it fails too."));
    else if (!child.done())
        add(Row::fail(id, "stopped", "The benchmark " + child.trouble() + ".",
            "Check compute.verify, and use another node if it fails too."));
}

} // namespace

void addGpuBenchChecks(std::vector<Check>& checks)
{
    checks.push_back({"bench.gpu", Level::Bench,
        [](const Settings&, const Facts&, const std::function<void(Row)>& add) {
            bool ran = false;
            runRows("bench.gpu", measureGpu, gpuSeconds, [&](Row row) {
                ran = ran || row.id != "bench.gpu";
                add(std::move(row));
            });
            if (!ran)
                return;
            runRows("bench.gpu.p2p", measurePeers, gpuSeconds / 2, add);
            runRows("bench.gpu.cublas", measureCublas, cublasSecondsMost, add);
        }});
}

} // namespace slipway::probe
