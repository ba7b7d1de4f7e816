// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/check.h"
#include "remote/probe/gather.h"

#include <vector>

namespace slipway::probe {

namespace {

using Verdict = Row (*)(const Facts&);

void add(std::vector<Check>& checks, const char* id, Verdict verdict)
{
    checks.push_back({id, Level::Quick,
        [verdict](const Settings&, const Facts& facts, const std::function<void(Row)>& addRow) {
            addRow(verdict(facts));
        }});
}

/// Keeps the link of each GPU busy while NVML measures its speed: an idle GPU lowers it.
void copyAndLook(const ChildPipe& pipe)
{
    constexpr size_t bytes = 64 << 20;
    pipe.stage("copying to the card");
    const Cuda cuda;
    const Nvml nvml;
    int count = 0;
    if (!cuda || !nvml || !cuda.ctxCreate || !cuda.ctxDestroy || !cuda.memAlloc || !cuda.memcpyHtoD
        || !cuda.deviceGetPciBusId || cuda.init(0) != cudaSuccess || nvml.init() != nvmlSuccess
        || cuda.deviceGetCount(&count) != cudaSuccess)
        return;
    const std::vector<char> host(bytes, 1);
    for (int i = 0; i < count; ++i) {
        CUdevice device = 0;
        CUcontext context = nullptr;
        CUdeviceptr memory = 0;
        char bus[64] = "";
        NvmlDevice card = nullptr;
        if (cuda.deviceGet(&device, i) != cudaSuccess
            || cuda.ctxCreate(&context, 0, device) != cudaSuccess)
            continue;
        const bool ready = cuda.memAlloc(&memory, bytes) == cudaSuccess
            && cuda.deviceGetPciBusId(bus, sizeof bus - 1, device) == cudaSuccess
            && nvml.handleByPciBusId && nvml.handleByPciBusId(bus, &card) == nvmlSuccess;
        for (int round = 0; ready && round < 10; ++round)
            cuda.memcpyHtoD(memory, host.data(), bytes);
        if (ready)
            pipe.send(Json().set("gpu", readNvmlGpu(nvml, card, i, true).toJson()));
        cuda.ctxDestroy(context);
    }
}

} // namespace

void addDriverChecks(std::vector<Check>& checks)
{
    add(checks, "driver.version", driverVersionRow);
    add(checks, "lib.libcuda", libcudaRow);
    add(checks, "lib.nvml", nvmlRow);
    add(checks, "driver.cuda", driverCudaRow);
    add(checks, "dev.nodes", deviceNodesRow);
    add(checks, "gpu.list", gpuListRow);
    add(checks, "slurm.count", slurmCountRow);
    add(checks, "image.cuda", imageCudaRow);
    add(checks, "gpu.arch", gpuArchRow);
}

void addGpuChecks(std::vector<Check>& checks)
{
    add(checks, "mig", migRow);
    add(checks, "ecc", eccRow);
    add(checks, "xid", xidRow);
    add(checks, "state", stateRow);
    checks.push_back({"pcie", Level::Quick,
        [](const Settings& settings, const Facts& facts, const std::function<void(Row)>& addRow) {
            if (settings.level == Level::Quick || !facts.cuda.usable() || !facts.nvml.usable()) {
                addRow(pcieRow(facts, false));
                return;
            }
            Facts loaded = facts;
            const ChildResult result = runInChild(copyAndLook, settings.deadline);
            const NvmlFacts seen = NvmlFacts::of(result.lines);
            for (NvmlGpu& gpu : loaded.nvml.gpus) {
                for (const NvmlGpu& now : seen.gpus) {
                    if (now.uuid == gpu.uuid)
                        gpu = now;
                }
            }
            Row row = pcieRow(loaded, !seen.gpus.empty());
            if (!result.done())
                row = Row::fail("pcie", row.value, "Copying to the card " + result.trouble() + ".",
                    "Request another node (sbatch --exclude=" + facts.nodeName
                        + ") and report it to the site.");
            addRow(row);
        }});
    add(checks, "nvlink", nvlinkRow);
}

void addNodeChecks(std::vector<Check>& checks)
{
    add(checks, "cpu", cpuRow);
    add(checks, "threads", threadsRow);
    add(checks, "memory", memoryRow);
    add(checks, "limits", limitsRow);
    add(checks, "shm", shmRow);
    add(checks, "numa", numaRow);
    checks.push_back({"disk", Level::Quick,
        [](const Settings&, const Facts& facts, const std::function<void(Row)>& addRow) {
            for (const DiskFacts& disk : facts.disks)
                addRow(diskRow(facts, disk));
        }});
    add(checks, "runtime", runtimeRow);
    add(checks, "mpi", mpiRow);
}

} // namespace slipway::probe
