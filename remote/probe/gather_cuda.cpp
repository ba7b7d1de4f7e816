// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/gather.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace slipway::probe {

namespace {

constexpr int mostGpus = 64;

CudaGpu readCudaGpu(const Cuda& cuda, CUdevice device, int ordinal)
{
    CudaGpu gpu;
    gpu.ordinal = ordinal;
    char text[256] = "";
    if (cuda.deviceGetName && cuda.deviceGetName(text, sizeof text - 1, device) == cudaSuccess)
        gpu.name = text;
    CUuuid card{}, part{};
    if (cuda.deviceGetUuid && cuda.deviceGetUuid(&card, device) == cudaSuccess)
        gpu.card = uuidText(card);
    gpu.uuid = gpu.card;
    if (cuda.deviceGetUuidV2 && cuda.deviceGetUuidV2(&part, device) == cudaSuccess) {
        gpu.uuid = uuidText(part);
        // The first function always answers with the whole card.
        if (std::memcmp(&card, &part, sizeof card) != 0 && contains(gpu.name, "MIG"))
            gpu.uuid = "MIG" + gpu.uuid.substr(3);
    }
    char bus[64] = "";
    if (cuda.deviceGetPciBusId
        && cuda.deviceGetPciBusId(bus, sizeof bus - 1, device) == cudaSuccess)
        gpu.busId = bus;
    size_t bytes = 0;
    if (cuda.deviceTotalMem && cuda.deviceTotalMem(&bytes, device) == cudaSuccess)
        gpu.memory = double(bytes);
    gpu.major = cuda.attribute(CudaAttribute::ComputeCapabilityMajor, device);
    gpu.minor = cuda.attribute(CudaAttribute::ComputeCapabilityMinor, device);
    gpu.multiprocessors = cuda.attribute(CudaAttribute::MultiprocessorCount, device);
    return gpu;
}

} // namespace

void collectCuda(const ChildPipe& pipe)
{
    pipe.stage("opening libcuda.so.1");
    const Cuda cuda;
    if (!cuda.library) {
        pipe.send(Json().set("error", cuda.library.error()));
        return;
    }
    pipe.send(Json().set("path", cuda.library.path()));
    int version = 0;
    pipe.stage("cuDriverGetVersion");
    if (cuda.driverGetVersion && cuda.driverGetVersion(&version) == cudaSuccess)
        pipe.send(Json().set("version", version));
    if (!cuda)
        return;
    pipe.stage("cuInit");
    const int started = cuda.init(0);
    Json init;
    init.set("init", started);
    if (started != cudaSuccess) {
        const char *name = nullptr, *text = nullptr;
        if (cuda.getErrorName && cuda.getErrorName(started, &name) == cudaSuccess && name)
            init.set("name", name);
        if (cuda.getErrorString && cuda.getErrorString(started, &text) == cudaSuccess && text)
            init.set("text", text);
    }
    pipe.send(init);
    int count = 0;
    pipe.stage("cuDeviceGetCount");
    if (started != cudaSuccess || cuda.deviceGetCount(&count) != cudaSuccess)
        return;
    pipe.send(Json().set("count", count));
    count = std::clamp(count, 0, mostGpus);
    std::vector<CUdevice> devices;
    for (int i = 0; i < count && cuda.deviceGet; ++i) {
        pipe.stage("asking for GPU " + std::to_string(i));
        CUdevice device = 0;
        if (cuda.deviceGet(&device, i) != cudaSuccess)
            continue;
        devices.push_back(device);
        pipe.send(Json().set("gpu", readCudaGpu(cuda, device, i).toJson()));
    }
    pipe.stage("cuDeviceCanAccessPeer");
    Json apart = Json(Json::Array());
    for (size_t a = 0; a < devices.size() && cuda.deviceCanAccessPeer; ++a) {
        for (size_t b = a + 1; b < devices.size(); ++b) {
            int can = 1;
            if (cuda.deviceCanAccessPeer(&can, devices[a], devices[b]) == cudaSuccess && !can)
                apart.append(std::to_string(a) + '-' + std::to_string(b));
        }
    }
    pipe.send(Json().set("noPeers", apart));
}

void collectCudaVersion(const ChildPipe& pipe, const std::string& path)
{
    pipe.stage("opening " + path);
    const Library library({path.c_str()});
    const auto version = reinterpret_cast<int (*)(int*)>(library.symbol("cuDriverGetVersion"));
    int number = 0;
    if (version && version(&number) == cudaSuccess)
        pipe.send(Json().set("version", number));
}

std::string ownLibcuda()
{
    for (const char* folder : {"/.singularity.d/libs", "/usr/local/nvidia/lib64",
             "/usr/local/nvidia/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu",
             "/usr/lib/aarch64-linux-gnu", "/usr/lib64/nvidia", "/lib64"}) {
        const std::string path = std::string(folder) + "/libcuda.so.1";
        if (access(path.c_str(), R_OK) == 0)
            return path;
    }
    return {};
}

} // namespace slipway::probe
