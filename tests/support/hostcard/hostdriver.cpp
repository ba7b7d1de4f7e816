// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The functions of libcuda.so.1 that the probe looks up, over the HostCard of this process, and the
// Library that finds them.

#include "remote/probe/cuda.h"
#include "tests/support/hostcard/hostblock.h"
#include "tests/support/hostcard/hostcard.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace slipway::probe;

namespace {

HostCard& card()
{
    return *HostCard::current();
}
constexpr int invalidValue = 1, outOfMemory = 2, illegalAddress = 700, notFound = 500;

template <typename T> std::string text(T value)
{
    return std::to_string(value);
}
std::string at(const void* handle)
{
    return card().nameOf(handle);
}
std::string at(CUdeviceptr address)
{
    return at(reinterpret_cast<const void*>(address));
}
void* pointer(CUdeviceptr address)
{
    return reinterpret_cast<void*>(address);
}

/// Records the call, then does it unless it has to fail.
template <typename Work>
int call(const char* name, const std::vector<std::string>& arguments, Work work)
{
    if (const int error = card().begin(name, arguments))
        return error;
    return work();
}
int call(const char* name, const std::vector<std::string>& arguments = {})
{
    return card().begin(name, arguments);
}
int copy(const char* name, void* to, const void* from, size_t bytes, const std::string& more = {})
{
    std::vector<std::string> arguments{at(to), at(from), text(bytes)};
    if (!more.empty())
        arguments.push_back(more);
    return call(name, arguments, [=] {
        std::memcpy(to, from, bytes);
        return 0;
    });
}
std::string stream(CUstream which)
{
    return which ? "a stream" : "null";
}

int init(unsigned flags)
{
    return call("cuInit", {text(flags)});
}
int getErrorName(int error, const char** name)
{
    static std::string kept;
    kept = "CUDA_ERROR_OF_A_TEST_" + std::to_string(error);
    *name = kept.c_str();
    return 0;
}
int deviceGetCount(int* count)
{
    return call("cuDeviceGetCount", {}, [=] { return *count = card().count, 0; });
}
int deviceGet(CUdevice* device, int ordinal)
{
    return call("cuDeviceGet", {text(ordinal)}, [=] { return *device = ordinal, 0; });
}
int deviceGetName(char* name, int length, CUdevice device)
{
    return call("cuDeviceGetName", {text(length), text(device)}, [=] {
        std::snprintf(name, size_t(length), "Host card");
        return 0;
    });
}
int deviceGetUuidV2(CUuuid* uuid, CUdevice device)
{
    return call("cuDeviceGetUuid_v2", {text(device)}, [=] {
        std::memset(uuid->bytes, 0x11 * (device + 1), sizeof uuid->bytes);
        return 0;
    });
}
int deviceGetAttribute(int* value, int attribute, CUdevice device)
{
    return call("cuDeviceGetAttribute", {text(attribute), text(device)}, [=] {
        const int capability = card().capability;
        *value = attribute == int(CudaAttribute::ComputeCapabilityMajor) ? capability / 10
            : attribute == int(CudaAttribute::ComputeCapabilityMinor)    ? capability % 10
            : attribute == int(CudaAttribute::MultiprocessorCount)       ? card().processors
                                                                         : 1'500'000;
        return 0;
    });
}
int deviceGetPciBusId(char* id, int length, CUdevice device)
{
    return call("cuDeviceGetPCIBusId", {text(length), text(device)}, [=] {
        std::snprintf(id, size_t(length), "0000:01:00.0");
        return 0;
    });
}
int ctxCreate(CUcontext* context, unsigned flags, CUdevice device)
{
    return call("cuCtxCreate_v2", {text(flags), text(device)}, [=] {
        *context = static_cast<CUcontext>(card().make("context", 1));
        return 0;
    });
}
int ctxDestroy(CUcontext context)
{
    return call("cuCtxDestroy_v2", {at(context)},
        [=] { return card().giveBack("context", context) ? 0 : invalidValue; });
}
int ctxSynchronize()
{
    return call("cuCtxSynchronize", {}, [] { return card().fault.empty() ? 0 : illegalAddress; });
}
int moduleLoadDataEx(
    CUmodule* module, const void* image, unsigned count, int* options, void** values)
{
    // The head of the text: its version and its target.
    const std::string ptx = static_cast<const char*>(image);
    const auto word = [&](const char* key) {
        const size_t begin = ptx.find(key), end = ptx.find('\n', begin);
        return begin == ptx.npos ? std::string("none") : ptx.substr(begin, end - begin);
    };
    return call("cuModuleLoadDataEx",
        {word(".version"), word(".target"), text(count), text(options[0]), text(options[1]),
            text(reinterpret_cast<size_t>(values[1]))},
        [=] {
            *module = static_cast<CUmodule>(card().make("module", 1));
            return 0;
        });
}
int moduleGetFunction(CUfunction* function, CUmodule module, const char* name)
{
    static const char* const kernels[] = {"verify", "sgemm", "dgemm", "triad", "nbody", "peak_fp32",
        "peak_fp64", "fill", "check", "compare", "peak_fp16", "peak_bf16", "peak_tf32"};
    return call("cuModuleGetFunction", {at(module), name}, [=] {
        for (const char* kernel : kernels) {
            if (std::strcmp(kernel, name) == 0 && isHostKernel(name)) {
                *function = reinterpret_cast<CUfunction>(const_cast<char*>(kernel));
                return 0;
            }
        }
        return notFound;
    });
}

/// p: memory, i, u, l, f: a number of that type.
std::string argumentsOf(const std::string& kernel)
{
    static const std::map<std::string, std::string> types{{"verify", "ppu"}, {"sgemm", "pppi"},
        {"dgemm", "pppi"}, {"triad", "pppfl"}, {"nbody", "ppif"}, {"fill", "pul"},
        {"check", "pulp"}, {"compare", "pplp"}};
    const auto found = types.find(kernel);
    return found != types.end() ? found->second : "pi"; // the peaks
}
int launchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threadsX,
    unsigned threadsY, unsigned threadsZ, unsigned shared, CUstream where, void** arguments,
    void** extra)
{
    const std::string kernel = reinterpret_cast<const char*>(function);
    std::vector<std::string> shown{kernel, text(x) + 'x' + text(y) + 'x' + text(z),
        text(threadsX) + 'x' + text(threadsY) + 'x' + text(threadsZ), text(shared), stream(where)};
    const std::string types = argumentsOf(kernel);
    for (size_t i = 0; i < types.size(); ++i) {
        const void* value = arguments[i];
        shown.push_back(types[i] == 'p' ? at(*static_cast<const CUdeviceptr*>(value))
                : types[i] == 'f'       ? text(*static_cast<const float*>(value))
                : types[i] == 'l'       ? text(*static_cast<const long*>(value))
                                        : text(*static_cast<const unsigned*>(value)));
    }
    shown.push_back(extra ? "extra" : "null");
    return call(
        "cuLaunchKernel", shown, [=] { return card().launch(kernel, x, y, threadsX, arguments); });
}

int memGetInfo(size_t* free, size_t* total)
{
    return call("cuMemGetInfo_v2", {}, [=] {
        *free = *total = card().memory;
        return 0;
    });
}
int memAlloc(CUdeviceptr* address, size_t bytes)
{
    return call("cuMemAlloc_v2", {text(bytes)}, [=] {
        if (bytes > card().memory)
            return outOfMemory;
        *address = reinterpret_cast<CUdeviceptr>(card().make("memory", bytes));
        return 0;
    });
}
int memFree(CUdeviceptr address)
{
    return call("cuMemFree_v2", {at(address)},
        [=] { return card().giveBack("memory", pointer(address)) ? 0 : invalidValue; });
}
int memAllocHost(void** address, size_t bytes)
{
    return call("cuMemAllocHost_v2", {text(bytes)}, [=] {
        *address = card().make("pinned", bytes);
        return 0;
    });
}
int memFreeHost(void* address)
{
    return call("cuMemFreeHost", {at(address)},
        [=] { return card().giveBack("pinned", address) ? 0 : invalidValue; });
}
int memcpyHtoD(CUdeviceptr to, const void* from, size_t bytes)
{
    return copy("cuMemcpyHtoD_v2", pointer(to), from, bytes);
}
int memcpyDtoH(void* to, CUdeviceptr from, size_t bytes)
{
    return copy("cuMemcpyDtoH_v2", to, pointer(from), bytes);
}
int memcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy("cuMemcpyDtoD_v2", pointer(to), pointer(from), bytes);
}
int memcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream where)
{
    return copy("cuMemcpyHtoDAsync_v2", pointer(to), from, bytes, stream(where));
}
int memcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream where)
{
    return copy("cuMemcpyDtoHAsync_v2", to, pointer(from), bytes, stream(where));
}
int memsetD32(CUdeviceptr to, unsigned value, size_t count)
{
    return call("cuMemsetD32_v2", {at(to), text(value), text(count)}, [=] {
        std::fill_n(static_cast<unsigned*>(pointer(to)), count, value);
        return 0;
    });
}
int eventCreate(CUevent* event, unsigned flags)
{
    return call("cuEventCreate", {text(flags)}, [=] {
        *event = static_cast<CUevent>(card().make("event", sizeof(int)));
        return 0;
    });
}
int eventDestroy(CUevent event)
{
    return call("cuEventDestroy_v2", {at(event)},
        [=] { return card().giveBack("event", event) ? 0 : invalidValue; });
}
int eventRecord(CUevent event, CUstream where)
{
    return call("cuEventRecord", {at(event), stream(where)}, [=] {
        std::memcpy(static_cast<void*>(event), &card().launches, sizeof(int));
        return 0;
    });
}
int eventSynchronize(CUevent event)
{
    return call("cuEventSynchronize", {at(event)});
}
/// A launch takes 50 ms, however long it took here.
int eventElapsedTime(float* milliseconds, CUevent begin, CUevent end)
{
    return call("cuEventElapsedTime", {at(begin), at(end)}, [=] {
        int first = 0, last = 0;
        std::memcpy(&first, static_cast<const void*>(begin), sizeof first);
        std::memcpy(&last, static_cast<const void*>(end), sizeof last);
        *milliseconds = float(last - first) * 50;
        return 0;
    });
}
// The probe asks for them before it begins; the code under test calls none of them.
int unexpected()
{
    return call("a function that was not expected", {});
}

#define HERE(name) reinterpret_cast<void*>(&name)
const std::map<std::string, void*> functions{{"cuInit", HERE(init)},
    {"cuGetErrorName", HERE(getErrorName)}, {"cuDeviceGetCount", HERE(deviceGetCount)},
    {"cuDeviceGet", HERE(deviceGet)}, {"cuDeviceGetName", HERE(deviceGetName)},
    {"cuDeviceGetUuid_v2", HERE(deviceGetUuidV2)},
    {"cuDeviceGetAttribute", HERE(deviceGetAttribute)},
    {"cuDeviceGetPCIBusId", HERE(deviceGetPciBusId)}, {"cuCtxCreate_v2", HERE(ctxCreate)},
    {"cuCtxDestroy_v2", HERE(ctxDestroy)}, {"cuCtxSynchronize", HERE(ctxSynchronize)},
    {"cuModuleLoadDataEx", HERE(moduleLoadDataEx)},
    {"cuModuleGetFunction", HERE(moduleGetFunction)}, {"cuLaunchKernel", HERE(launchKernel)},
    {"cuMemGetInfo_v2", HERE(memGetInfo)}, {"cuMemAlloc_v2", HERE(memAlloc)},
    {"cuMemFree_v2", HERE(memFree)}, {"cuMemAllocHost_v2", HERE(memAllocHost)},
    {"cuMemFreeHost", HERE(memFreeHost)}, {"cuMemcpyHtoD_v2", HERE(memcpyHtoD)},
    {"cuMemcpyDtoH_v2", HERE(memcpyDtoH)}, {"cuMemcpyDtoD_v2", HERE(memcpyDtoD)},
    {"cuMemcpyHtoDAsync_v2", HERE(memcpyHtoDAsync)},
    {"cuMemcpyDtoHAsync_v2", HERE(memcpyDtoHAsync)}, {"cuMemsetD32_v2", HERE(memsetD32)},
    {"cuEventCreate", HERE(eventCreate)}, {"cuEventDestroy_v2", HERE(eventDestroy)},
    {"cuEventRecord", HERE(eventRecord)}, {"cuEventSynchronize", HERE(eventSynchronize)},
    {"cuEventElapsedTime", HERE(eventElapsedTime)}, {"cuCtxSetCurrent", HERE(unexpected)},
    {"cuCtxEnablePeerAccess", HERE(unexpected)}, {"cuMemcpyDtoDAsync_v2", HERE(unexpected)},
    {"cuMemcpyPeerAsync", HERE(unexpected)}, {"cuMemsetD8_v2", HERE(unexpected)}};

} // namespace

namespace slipway::probe {

Library::Library(std::initializer_list<const char*> names)
{
    const std::string wanted = *names.begin();
    if (wanted == "libcuda.so.1" && HostCard::current())
        _handle = HostCard::current();
    else
        _error = wanted + ": not in this test";
}

void* Library::symbol(const char* name) const
{
    const auto found = functions.find(name);
    return _handle && found != functions.end() ? found->second : nullptr;
}

} // namespace slipway::probe
