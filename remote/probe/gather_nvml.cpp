// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/gather.h"

#include <algorithm>
#include <cstring>

namespace slipway::probe {

namespace {

constexpr unsigned mostNvmlGpus = 64;

/// A number that one of NVML's functions hands back in its last argument, times a factor.
template <typename Number, typename Function, typename... Given>
void ask(std::optional<double>& into, double factor, Function function, Given... given)
{
    Number value{};
    if (function && function(given..., &value) == nvmlSuccess)
        into = double(value) * factor;
}

void readChanging(const Nvml& nvml, NvmlDevice device, NvmlGpu& gpu)
{
    NvmlMemory memory{};
    if (nvml.memory && nvml.memory(device, &memory) == nvmlSuccess) {
        gpu.memoryTotal = double(memory.total);
        gpu.memoryUsed = double(memory.used);
    }
    NvmlUtilization use{};
    if (nvml.utilization && nvml.utilization(device, &use) == nvmlSuccess)
        gpu.utilization = use.gpu;
    ask<unsigned>(gpu.power, 1e-3, nvml.power, device);
    ask<unsigned>(gpu.powerLimit, 1e-3, nvml.powerLimit, device);
    ask<unsigned>(gpu.temperature, 1, nvml.temperature, device, nvmlTemperatureGpu);
    ask<unsigned>(gpu.clock, 1e6, nvml.clock, device, nvmlClockSm);
    ask<unsigned long long>(gpu.throttle, 1, nvml.throttleReasons, device);
}

void readErrors(const Nvml& nvml, NvmlDevice device, NvmlGpu& gpu)
{
    int current = 0, pending = 0;
    if (nvml.eccMode && nvml.eccMode(device, &current, &pending) == nvmlSuccess) {
        gpu.ecc = current;
        gpu.eccPending = pending;
    }
    using Count = unsigned long long;
    ask<Count>(gpu.correctedNow, 1, nvml.eccErrors, device, 0, 0);
    ask<Count>(gpu.uncorrectedNow, 1, nvml.eccErrors, device, 1, 0);
    ask<Count>(gpu.correctedEver, 1, nvml.eccErrors, device, 0, 1);
    ask<Count>(gpu.uncorrectedEver, 1, nvml.eccErrors, device, 1, 1);
    for (const int cause : {0, 1}) {
        // Without room for addresses it tells the number, and that there was no room.
        unsigned count = 0;
        const int answer = nvml.retiredPages ? nvml.retiredPages(device, cause, &count, nullptr)
                                             : nvmlNotSupported;
        if (answer == nvmlSuccess || answer == 7)
            (cause == 0 ? gpu.retiredSingle : gpu.retiredDouble) = count;
    }
    ask<int>(gpu.retiredPending, 1, nvml.retiredPending, device);
    unsigned corrected = 0, uncorrected = 0, waiting = 0, failed = 0;
    if (nvml.remappedRows
        && nvml.remappedRows(device, &corrected, &uncorrected, &waiting, &failed) == nvmlSuccess) {
        gpu.remappedCorrected = corrected;
        gpu.remappedUncorrected = uncorrected;
        gpu.remapPending = waiting;
        gpu.remapFailed = failed;
    }
}

void readLinks(const Nvml& nvml, NvmlDevice device, NvmlGpu& gpu)
{
    ask<unsigned>(gpu.pcieGeneration, 1, nvml.pcieGeneration, device);
    ask<unsigned>(gpu.pcieWidth, 1, nvml.pcieWidth, device);
    ask<unsigned>(gpu.pcieMaxGeneration, 1, nvml.pcieMaxGeneration, device);
    ask<unsigned>(gpu.pcieMaxWidth, 1, nvml.pcieMaxWidth, device);
    ask<unsigned>(gpu.pcieReplays, 1, nvml.pcieReplays, device);
    int up = 0, down = 0;
    double recoveries = 0;
    for (unsigned link = 0; link < 18 && nvml.nvlinkState; ++link) {
        int active = 0;
        if (nvml.nvlinkState(device, link, &active) != nvmlSuccess)
            continue;
        ++(active ? up : down);
        unsigned long long count = 0;
        constexpr int recovery = 1;
        if (nvml.nvlinkErrors && nvml.nvlinkErrors(device, link, recovery, &count) == nvmlSuccess)
            recoveries += double(count);
    }
    if (up + down > 0) {
        gpu.nvlinkActive = up;
        gpu.nvlinkInactive = down;
        gpu.nvlinkRecoveries = recoveries;
    }
}

void readMig(const Nvml& nvml, NvmlDevice device, NvmlGpu& gpu)
{
    unsigned current = 0, pending = 0, most = 0;
    if (!nvml.migMode || nvml.migMode(device, &current, &pending) != nvmlSuccess)
        return;
    gpu.mig = current;
    gpu.migPending = pending;
    if (!current || !nvml.maxMigCount || !nvml.migByIndex
        || nvml.maxMigCount(device, &most) != nvmlSuccess)
        return;
    for (unsigned i = 0; i < std::min(most, 16u); ++i) {
        NvmlDevice part = nullptr;
        char text[96] = "";
        if (nvml.migByIndex(device, i, &part) == nvmlSuccess && nvml.uuid
            && nvml.uuid(part, text, sizeof text - 1) == nvmlSuccess)
            gpu.migUuids.emplace_back(text);
    }
}

void readProcesses(const Nvml& nvml, NvmlDevice device, NvmlGpu& gpu)
{
    NvmlProcess processes[64]{};
    unsigned count = 64;
    if (!nvml.processes || nvml.processes(device, &count, processes) != nvmlSuccess)
        return;
    for (unsigned i = 0; i < std::min(count, 64u); ++i) {
        GpuProcess process{processes[i].pid, {}};
        if (processes[i].usedMemory != ~0ull)
            process.memory = double(processes[i].usedMemory);
        gpu.processes.push_back(process);
    }
}

void readAffinity(const Nvml& nvml, NvmlDevice device, NvmlGpu& gpu)
{
    unsigned long mask[64]{};
    constexpr unsigned bits = 8 * sizeof(unsigned long);
    if (!nvml.cpuAffinity || nvml.cpuAffinity(device, 64, mask) != nvmlSuccess)
        return;
    std::vector<int> cpus;
    for (unsigned i = 0; i < 64 * bits; ++i) {
        if (mask[i / bits] >> (i % bits) & 1)
            cpus.push_back(int(i));
    }
    gpu.cpus = cpuListText(cpus);
}

} // namespace

NvmlGpu readNvmlGpu(const Nvml& nvml, NvmlDevice device, int index, bool all)
{
    NvmlGpu gpu;
    gpu.index = index;
    char text[96] = "";
    if (nvml.uuid && nvml.uuid(device, text, sizeof text - 1) == nvmlSuccess)
        gpu.uuid = text;
    text[0] = '\0';
    if (nvml.name && nvml.name(device, text, sizeof text - 1) == nvmlSuccess)
        gpu.name = text;
    readChanging(nvml, device, gpu);
    if (!all)
        return gpu;
    NvmlPci pci{};
    if (nvml.pci && nvml.pci(device, &pci) == nvmlSuccess)
        gpu.busId = std::string(pci.busId, strnlen(pci.busId, sizeof pci.busId));
    ask<unsigned>(gpu.minor, 1, nvml.minorNumber, device);
    ask<unsigned>(gpu.powerDefault, 1e-3, nvml.powerLimitDefault, device);
    ask<unsigned>(gpu.temperatureSlowdown, 1, nvml.temperatureThreshold, device, 1);
    ask<unsigned>(gpu.clockMax, 1e6, nvml.maxClock, device, nvmlClockSm);
    ask<int>(gpu.persistence, 1, nvml.persistence, device);
    ask<int>(gpu.computeMode, 1, nvml.computeMode, device);
    readErrors(nvml, device, gpu);
    readLinks(nvml, device, gpu);
    readMig(nvml, device, gpu);
    readProcesses(nvml, device, gpu);
    readAffinity(nvml, device, gpu);
    return gpu;
}

void collectNvml(const ChildPipe& pipe)
{
    pipe.stage("opening libnvidia-ml.so.1");
    const Nvml nvml;
    if (!nvml.library) {
        pipe.send(Json().set("error", nvml.library.error()));
        return;
    }
    pipe.send(Json().set("path", nvml.library.path()));
    if (!nvml)
        return;
    pipe.stage("nvmlInit");
    const int started = nvml.init();
    Json init;
    init.set("init", started);
    if (started != nvmlSuccess)
        init.set("text", nvml.errorText(started));
    pipe.send(init);
    if (started != nvmlSuccess)
        return;
    char text[96] = "";
    pipe.stage("nvmlSystemGetDriverVersion");
    if (nvml.driverVersion && nvml.driverVersion(text, sizeof text - 1) == nvmlSuccess)
        pipe.send(Json().set("driver", text));
    unsigned count = 0;
    pipe.stage("nvmlDeviceGetCount");
    if (nvml.count(&count) != nvmlSuccess)
        return;
    pipe.send(Json().set("count", count));
    for (unsigned i = 0; i < std::min(count, mostNvmlGpus); ++i) {
        NvmlDevice device = nullptr;
        pipe.stage("asking for GPU " + std::to_string(i));
        if (nvml.handleByIndex(i, &device) != nvmlSuccess)
            continue;
        // Twice: where the rest hangs, its name is known.
        pipe.send(Json().set("gpu", readNvmlGpu(nvml, device, int(i), false).toJson()));
        pipe.send(Json().set("gpu", readNvmlGpu(nvml, device, int(i), true).toJson()));
    }
}

} // namespace slipway::probe
