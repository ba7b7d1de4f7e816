// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/verify.h"

#include "remote/probe/bench/bench.h"
#include "remote/probe/bench/gpulane.h"
#include "remote/probe/node.h"

#include <algorithm>
#include <vector>

namespace slipway::probe {
namespace {

constexpr unsigned verifySeed = 20'26'11;
constexpr unsigned verifyBlocks = 256;

unsigned mixed(unsigned value)
{
    for (int round = 0; round < 32; ++round) {
        value ^= value >> 15;
        value *= 2246822519u;
        value ^= value >> 13;
        value += 2654435769u;
    }
    return value;
}

Json asJson(const Gpu& gpu, const VerifyResult& result)
{
    Json json;
    json.set("name", gpu.name)
        .set("uuid", gpu.uuid)
        .set("results", result.results)
        .set("wrong", result.wrong)
        .set("sum_right", result.sumRight);
    json.set("error", result.product.error)
        .set("bound", result.product.bound)
        .set("right", result.right());
    return json;
}

void verifyAll(const ChildPipe& pipe)
{
    int count = 1;
    try {
        for (int ordinal = 0; ordinal < count; ++ordinal) {
            Gpu gpu(ordinal, pipe);
            count = gpu.count;
            pipe.stage("the verify kernel");
            const VerifyResult result = verifyGpu(gpu);
            pipe.send(asJson(gpu, result));
            if (gpu.cuda.ctxDestroy)
                gpu.cuda.ctxDestroy(gpu.context);
        }
    } catch (const LaneError& error) {
        pipe.send(Json().set("error_text", error.what()));
    }
}

Row verdict(const ChildResult& child, const std::string& node)
{
    Json cards;
    std::string errorText, wrongCard;
    double worst = 0;
    for (const Json& line : child.lines) {
        if (line.has("error_text")) {
            errorText = line["error_text"].text();
            continue;
        }
        cards.append(line);
        worst = std::max(worst, line["error"].number());
        if (!line["right"].boolean() && wrongCard.empty())
            wrongCard = line["name"].text() + " " + line["uuid"].text();
    }
    const char* const id = "compute.verify";
    const std::string avoid =
        "Report the card to the cluster's support, and ask for another node: --exclude=" + node
        + ".";
    Row row;
    if (!wrongCard.empty())
        row = Row::fail(id, "wrong results",
            "The kernel with an exact answer or the product of two matrices came out wrong on "
                + wrongCard + ".",
            avoid);
    else if (!child.done())
        row = Row::fail(id, "no answer", "The driver " + child.trouble() + ".", avoid);
    else if (errorText.rfind("no CUDA driver library", 0) == 0)
        row = Row::skip(id, "There is no CUDA driver library to try it with.");
    else if (errorText.rfind("CUDA shows no device", 0) == 0
        || errorText.find("(100)") != errorText.npos)
        row = Row::skip(id, "CUDA shows no device to this process.");
    else if (!errorText.empty())
        row = Row::fail(id, "a kernel did not run",
            "A kernel that runs on every card did not: " + errorText + ".", avoid);
    else {
        const auto count = cards.items().size();
        row = Row::ok(
            id, count == 1 ? "exact on the GPU" : "exact on " + std::to_string(count) + " GPUs");
    }
    row.expected = row.state == State::Skip ? "" : "every result right";
    if (!cards.isNull())
        row.data.set("gpus", cards).set("error", worst);
    return row;
}

} // namespace

unsigned verifyValue(unsigned i, unsigned seed)
{
    const unsigned partner = i / 256 * 256 + (255 - i % 256);
    return mixed(partner ^ seed) + i;
}

VerifyResult verifyGpu(Gpu& gpu)
{
    VerifyResult result;
    result.results = verifyBlocks * 256;
    const DeviceMemory out(gpu, result.results * sizeof(unsigned)), sum(gpu, sizeof(unsigned));
    gpu.need(gpu.cuda.memsetD32(sum.address, 0, 1), "cuMemsetD32");
    gpu.need(gpu.cuda.memsetD32(out.address, 0, result.results), "cuMemsetD32");
    gpu.launch(gpu.function("verify"), verifyBlocks, 1, 256,
        {out.argument(), sum.argument(), &verifySeed});
    gpu.synchronise();
    std::vector<unsigned> values(result.results);
    unsigned all = 0, expected = 0;
    gpu.need(gpu.cuda.memcpyDtoH(values.data(), out.address, out.bytes), "cuMemcpyDtoH");
    gpu.need(gpu.cuda.memcpyDtoH(&all, sum.address, sizeof all), "cuMemcpyDtoH");
    for (unsigned i = 0; i < result.results; ++i) {
        const unsigned value = verifyValue(i, verifySeed);
        expected += value;
        result.wrong += values[i] != value;
    }
    result.sumRight = all == expected;

    GpuLane lane(gpu);
    lane.prepare(Work::GemmFp32, 512);
    lane.run(1);
    result.product = lane.prove();
    return result;
}

void addVerifyCheck(std::vector<Check>& checks)
{
    checks.push_back({"compute.verify", Level::Quick,
        [](const Settings& settings, const Facts& facts, const std::function<void(Row)>& add) {
            // A driver that hangs or refuses is reported in a row, and is not waited for again.
            if (!facts.cuda.usable()) {
                add(Row::skip("compute.verify",
                    facts.withoutGpu() ? facts.whyWithoutGpu()
                                       : "CUDA shows no card: see driver.cuda."));
                return;
            }
            add(verdict(runInChild(verifyAll, settings.deadline), nodeName()));
        }});
}

} // namespace slipway::probe
