// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gpu.h"

#include <algorithm>

// PTX, made by the build from remote/probe/kernels.
extern "C" {
extern const char slipway_ptx_kernels[];
extern const char slipway_ptx_tensor[];
}

namespace slipway::probe {
namespace {

constexpr int jitErrorLog = 5, jitErrorLogBytes = 6; // CU_JIT_ERROR_LOG_BUFFER and its size

} // namespace

std::string kernelsFor(int capability)
{
    std::string text = slipway_ptx_kernels;
    if (capability < 50)
        return text;
    const auto replace = [&](std::string_view old, std::string_view other) {
        if (const size_t at = text.find(old); at != text.npos)
            text.replace(at, old.size(), other);
    };
    replace(".version 3.2", ".version 4.0");
    replace(".target sm_35", ".target sm_50");
    return text;
}

Gpu::Gpu(int ordinal, const ChildPipe& pipe)
{
    if (!cuda)
        throw LaneError("no CUDA driver library here: " + cuda.library.error());
    needFunctions();
    pipe.stage("cuInit");
    need(cuda.init(0), "cuInit");
    need(cuda.deviceGetCount(&count), "cuDeviceGetCount");
    if (ordinal >= count)
        throw LaneError("CUDA shows no device to this process");
    need(cuda.deviceGet(&device, ordinal), "cuDeviceGet");
    char text[128] = "";
    if (cuda.deviceGetName && cuda.deviceGetName(text, sizeof text - 1, device) == cudaSuccess)
        name = text;
    if (cuda.deviceGetPciBusId
        && cuda.deviceGetPciBusId(text, sizeof text - 1, device) == cudaSuccess)
        busId = text;
    CUuuid id{};
    const auto uuidFunction = cuda.deviceGetUuidV2 ? cuda.deviceGetUuidV2 : cuda.deviceGetUuid;
    if (uuidFunction && uuidFunction(&id, device) == cudaSuccess)
        uuid = uuidText(id);
    // Which text the driver gets and how much work a launch is depend on these.
    const auto attribute = [this](CudaAttribute which) {
        int value = 0;
        need(cuda.deviceGetAttribute(&value, int(which), device), "cuDeviceGetAttribute");
        return value;
    };
    capability = attribute(CudaAttribute::ComputeCapabilityMajor) * 10;
    capability += attribute(CudaAttribute::ComputeCapabilityMinor);
    processors = std::max(1, attribute(CudaAttribute::MultiprocessorCount));
    clockLimit = std::max(0, cuda.attribute(CudaAttribute::ClockRate, device)) * 1e3;
    pipe.stage("cuCtxCreate");
    need(cuda.ctxCreate(&context, 0, device), "cuCtxCreate");
    pipe.stage("cuModuleLoadDataEx");
    m_kernels = load(kernelsFor(capability).c_str(), "the kernels");
}

std::string Gpu::whyNoTensorKernels() const
{
    if (capability >= 80)
        return {};
    const std::string own = std::to_string(capability / 10) + '.' + std::to_string(capability % 10);
    return capability < 70 ? "A card of compute capability " + own + " has no tensor cores."
                           : "This needs compute capability 8.0, and the card has " + own + '.';
}

/// Functions that the lanes call without a check; every driver since CUDA 4 has them.
void Gpu::needFunctions() const
{
    const struct {
        bool there;
        const char* name;
    } needed[] = {
        {cuda.deviceGet != nullptr, "cuDeviceGet"},
        {cuda.deviceGetAttribute != nullptr, "cuDeviceGetAttribute"},
        {cuda.ctxCreate != nullptr, "cuCtxCreate"},
        {cuda.ctxSetCurrent != nullptr, "cuCtxSetCurrent"},
        {cuda.ctxSynchronize != nullptr, "cuCtxSynchronize"},
        {cuda.ctxEnablePeerAccess != nullptr, "cuCtxEnablePeerAccess"},
        {cuda.moduleLoadDataEx != nullptr, "cuModuleLoadDataEx"},
        {cuda.moduleGetFunction != nullptr, "cuModuleGetFunction"},
        {cuda.launchKernel != nullptr, "cuLaunchKernel"},
        {cuda.memGetInfo != nullptr, "cuMemGetInfo"},
        {cuda.memAlloc != nullptr, "cuMemAlloc"},
        {cuda.memFree != nullptr, "cuMemFree"},
        {cuda.memAllocHost != nullptr, "cuMemAllocHost"},
        {cuda.memFreeHost != nullptr, "cuMemFreeHost"},
        {cuda.memcpyHtoD != nullptr, "cuMemcpyHtoD"},
        {cuda.memcpyDtoH != nullptr, "cuMemcpyDtoH"},
        {cuda.memcpyDtoD != nullptr, "cuMemcpyDtoD"},
        {cuda.memcpyHtoDAsync != nullptr, "cuMemcpyHtoDAsync"},
        {cuda.memcpyDtoHAsync != nullptr, "cuMemcpyDtoHAsync"},
        {cuda.memcpyDtoDAsync != nullptr, "cuMemcpyDtoDAsync"},
        {cuda.memcpyPeerAsync != nullptr, "cuMemcpyPeerAsync"},
        {cuda.memsetD8 != nullptr, "cuMemsetD8"},
        {cuda.memsetD32 != nullptr, "cuMemsetD32"},
        {cuda.eventCreate != nullptr, "cuEventCreate"},
        {cuda.eventDestroy != nullptr, "cuEventDestroy"},
        {cuda.eventRecord != nullptr, "cuEventRecord"},
        {cuda.eventSynchronize != nullptr, "cuEventSynchronize"},
        {cuda.eventElapsedTime != nullptr, "cuEventElapsedTime"},
    };
    for (const auto& function : needed) {
        if (!function.there)
            throw LaneError("this driver has no " + std::string(function.name));
    }
}

void Gpu::need(int code, const char* what) const
{
    if (code != cudaSuccess)
        throw LaneError(std::string(what) + ": " + cuda.errorText(code));
}

CUmodule Gpu::load(const char* ptx, const char* what) const
{
    char log[2048] = "";
    int options[] = {jitErrorLog, jitErrorLogBytes};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUmodule module = nullptr;
    if (const int code = cuda.moduleLoadDataEx(&module, ptx, 2, options, values);
        code != cudaSuccess) {
        std::string said(log, std::find(log, log + sizeof log, '\0'));
        std::ranges::replace(said, '\n', ' ');
        throw LaneError("cuModuleLoadDataEx: the driver did not compile " + std::string(what) + ": "
            + cuda.errorText(code) + (said.empty() ? "" : "; " + said));
    }
    return module;
}

CUfunction Gpu::function(const char* kernel) const
{
    CUfunction function = nullptr;
    need(cuda.moduleGetFunction(&function, m_kernels, kernel), "cuModuleGetFunction");
    return function;
}

CUfunction Gpu::tensorFunction(const char* kernel)
{
    if (!m_tensor)
        m_tensor = load(slipway_ptx_tensor, "the tensor kernels");
    CUfunction function = nullptr;
    need(cuda.moduleGetFunction(&function, m_tensor, kernel), "cuModuleGetFunction");
    return function;
}

void Gpu::launch(CUfunction kernel, long blocksX, long blocksY, int threads,
    std::initializer_list<const void*> arguments) const
{
    void* pointers[16];
    std::transform(arguments.begin(), arguments.end(), pointers,
        [](const void* argument) { return const_cast<void*>(argument); });
    need(cuda.launchKernel(kernel, unsigned(blocksX), unsigned(blocksY), 1, unsigned(threads), 1, 1,
             0, nullptr, pointers, nullptr),
        "cuLaunchKernel");
}

size_t Gpu::freeMemory() const
{
    size_t free = 0, total = 0;
    need(cuda.memGetInfo(&free, &total), "cuMemGetInfo");
    return free;
}

CUcontext Gpu::contextOn(int ordinal) const
{
    CUdevice other = 0;
    CUcontext made = nullptr;
    need(cuda.deviceGet(&other, ordinal), "cuDeviceGet");
    need(cuda.ctxCreate(&made, 0, other), "cuCtxCreate");
    return made;
}

DeviceMemory::DeviceMemory(const Gpu& gpu, size_t size)
    : bytes(size)
    , m_gpu(gpu)
{
    gpu.need(gpu.cuda.memAlloc(&address, size), "cuMemAlloc");
}

DeviceMemory::~DeviceMemory()
{
    m_gpu.cuda.memFree(address);
}

PinnedMemory::PinnedMemory(const Gpu& gpu, size_t bytes)
    : m_gpu(gpu)
{
    gpu.need(gpu.cuda.memAllocHost(&m_data, bytes), "cuMemAllocHost");
}

PinnedMemory::~PinnedMemory()
{
    m_gpu.cuda.memFreeHost(m_data);
}

GpuTimer::GpuTimer(const Gpu& gpu)
    : m_gpu(gpu)
{
    gpu.need(gpu.cuda.eventCreate(&m_begin, 0), "cuEventCreate");
    const int code = gpu.cuda.eventCreate(&m_end, 0);
    if (code != cudaSuccess) // there will be no object, and so no destructor
        gpu.cuda.eventDestroy(m_begin);
    gpu.need(code, "cuEventCreate");
}

GpuTimer::~GpuTimer()
{
    m_gpu.cuda.eventDestroy(m_begin);
    m_gpu.cuda.eventDestroy(m_end);
}

void GpuTimer::begin()
{
    m_gpu.need(m_gpu.cuda.eventRecord(m_begin, nullptr), "cuEventRecord");
}

double GpuTimer::end()
{
    float milliseconds = 0;
    m_gpu.need(m_gpu.cuda.eventRecord(m_end, nullptr), "cuEventRecord");
    m_gpu.need(m_gpu.cuda.eventSynchronize(m_end), "cuEventSynchronize");
    m_gpu.need(m_gpu.cuda.eventElapsedTime(&milliseconds, m_begin, m_end), "cuEventElapsedTime");
    return double(milliseconds) / 1e3;
}

} // namespace slipway::probe
