// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/gpufacts.h"

#include <algorithm>

namespace slipway::probe {

namespace {

std::optional<int> maybeInt(const Json& json)
{
    return json.isNumber() ? std::optional(int(json.integer())) : std::nullopt;
}

/// A later line describes the same GPU in more detail.
template <typename Gpu> void keep(std::vector<Gpu>& gpus, Gpu gpu, int Gpu::*key)
{
    const auto same = std::ranges::find(gpus, gpu.*key, key);
    if (same == gpus.end())
        gpus.push_back(std::move(gpu));
    else
        *same = std::move(gpu);
}

/// The members that both libraries report at their start; false: another member.
template <typename Facts> bool takeStart(Facts& facts, std::string_view name, const Json& value)
{
    if (name == "path")
        facts.path = value.text();
    else if (name == "error")
        facts.loadError = value.text();
    else if (name == "init")
        facts.init = maybeInt(value);
    else if (name == "text")
        facts.initText = value.text();
    else if (name == "count")
        facts.count = maybeInt(value);
    else
        return false;
    return true;
}

} // namespace

Json CudaGpu::toJson() const
{
    Json json;
    json.set("ordinal", ordinal)
        .set("uuid", uuid)
        .set("card", card)
        .set("name", name)
        .set("bus", busId);
    json.set("memory", memory)
        .set("major", major)
        .set("minor", minor)
        .set("multiprocessors", multiprocessors);
    return json;
}

CudaGpu CudaGpu::of(const Json& json)
{
    CudaGpu gpu;
    gpu.ordinal = int(json["ordinal"].integer());
    gpu.uuid = json["uuid"].text();
    gpu.card = json["card"].text();
    gpu.name = json["name"].text();
    gpu.busId = json["bus"].text();
    gpu.memory = json["memory"].number();
    gpu.major = int(json["major"].integer());
    gpu.minor = int(json["minor"].integer());
    gpu.multiprocessors = int(json["multiprocessors"].integer());
    return gpu;
}

CudaFacts CudaFacts::of(const std::vector<Json>& lines)
{
    CudaFacts facts;
    for (const Json& line : lines) {
        for (const auto& [name, value] : line.members()) {
            if (takeStart(facts, name, value))
                continue;
            if (name == "version")
                facts.version = maybeInt(value);
            else if (name == "name")
                facts.initName = value.text();
            else if (name == "gpu")
                keep(facts.gpus, CudaGpu::of(value), &CudaGpu::ordinal);
            else if (name == "noPeers")
                facts.noPeers = value.texts();
        }
    }
    return facts;
}

std::string cudaVersionText(int version)
{
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

Json NvmlGpu::toJson() const
{
    Json json;
    json.set("index", index).set("uuid", uuid).set("name", name).set("bus", busId);
#define SLIPWAY_NVML_WRITE(name) json.set(#name, name);
    SLIPWAY_NVML_NUMBERS(SLIPWAY_NVML_WRITE)
#undef SLIPWAY_NVML_WRITE
    json.set("migUuids", Json::list(migUuids)).set("cpus", cpus);
    Json::Array list;
    for (const GpuProcess& process : processes)
        list.push_back(Json().set("pid", process.pid).set("memory", process.memory));
    json.set("processes", list);
    return json;
}

NvmlGpu NvmlGpu::of(const Json& json)
{
    NvmlGpu gpu;
    gpu.index = int(json["index"].integer());
    gpu.uuid = json["uuid"].text();
    gpu.name = json["name"].text();
    gpu.busId = json["bus"].text();
#define SLIPWAY_NVML_READ(name) gpu.name = json[#name].maybeNumber();
    SLIPWAY_NVML_NUMBERS(SLIPWAY_NVML_READ)
#undef SLIPWAY_NVML_READ
    gpu.migUuids = json["migUuids"].texts();
    gpu.cpus = json["cpus"].text();
    for (const Json& process : json["processes"].items())
        gpu.processes.push_back({process["pid"].integer(), process["memory"].maybeNumber()});
    return gpu;
}

NvmlFacts NvmlFacts::of(const std::vector<Json>& lines)
{
    NvmlFacts facts;
    for (const Json& line : lines) {
        for (const auto& [name, value] : line.members()) {
            if (takeStart(facts, name, value))
                continue;
            if (name == "driver")
                facts.driver = value.text();
            else if (name == "gpu")
                keep(facts.gpus, NvmlGpu::of(value), &NvmlGpu::index);
        }
    }
    return facts;
}

std::vector<std::string> throttleWords(std::uint64_t bits)
{
    std::vector<std::string> words;
    static constexpr std::pair<std::uint64_t, const char*> reasons[] = {
        {0x80, "power brake of the node"},
        {0x40, "too hot"},
        {0x20, "warm"},
        // A summary of the two above on newer drivers: reported only if these two are absent.
        {0x8, "hardware slowdown"},
        {0x4, "power limit"},
        {0x10, "tied to a slower card"},
        {0x2, "clocks set by the site"},
    };
    for (const auto& [bit, word] : reasons) {
        if ((bits & bit) && !(bit == 0x8 && (bits & 0xc0)))
            words.emplace_back(word);
    }
    return words;
}

int DeviceFacts::cards() const
{
    return int(std::ranges::count_if(nodes, [](const DeviceNode& node) {
        return node.path.starts_with("/dev/nvidia")
            && wholeNumber(std::string_view(node.path).substr(11));
    }));
}

const DeviceNode* DeviceFacts::node(std::string_view path) const
{
    const auto it = std::ranges::find(nodes, path, &DeviceNode::path);
    return it == nodes.end() ? nullptr : &*it;
}

Json DeviceFacts::toJson() const
{
    Json json;
    if (driver)
        json.set("driver", driver->version).set("open", driver->open);
    for (const KernelGpu& gpu : gpus) {
        Json list = json["gpus"];
        list.append(Json()
                        .set("name", gpu.name)
                        .set("uuid", gpu.uuid)
                        .set("bus", gpu.busId)
                        .set("minor", gpu.minor));
        json.set("gpus", list);
    }
    Json::Array files;
    for (const DeviceNode& file : nodes)
        files.push_back(Json().set("path", file.path).set("error", file.error));
    Json::Array faults;
    for (const Xid& xid : xids)
        faults.push_back(Json().set("bus", xid.busId).set("code", xid.code).set("text", xid.text));
    json.set("nodes", files)
        .set("onBus", onBus)
        .set("kernelLogRead", kernelLogRead)
        .set("xids", faults);
    return json;
}

DeviceFacts DeviceFacts::of(const Json& json)
{
    DeviceFacts facts;
    if (json["driver"].isString())
        facts.driver = KernelDriver{json["driver"].text(), json["open"].boolean()};
    for (const Json& gpu : json["gpus"].items())
        facts.gpus.push_back(
            {gpu["name"].text(), gpu["uuid"].text(), gpu["bus"].text(), maybeInt(gpu["minor"])});
    for (const Json& file : json["nodes"].items())
        facts.nodes.push_back({file["path"].text(), int(file["error"].integer())});
    for (const Json& xid : json["xids"].items())
        facts.xids.push_back({xid["bus"].text(), int(xid["code"].integer()), xid["text"].text()});
    facts.onBus = int(json["onBus"].integer());
    facts.kernelLogRead = json["kernelLogRead"].boolean();
    return facts;
}

} // namespace slipway::probe
