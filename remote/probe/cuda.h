// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/library.h"

#include <cstddef>
#include <string>

namespace slipway::probe {

// The part of CUDA's driver API that the probe uses, declared here: no toolkit is needed to build
// it.
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
struct CUuuid {
    unsigned char bytes[16];
};
constexpr int cudaSuccess = 0;

/// Device attributes, with the numbers of the API.
enum class CudaAttribute : int {
    MaxThreadsPerBlock = 1,
    ClockRate = 13, ///< kHz
    MultiprocessorCount = 16,
    KernelExecTimeout = 17,
    ComputeMode = 20,
    EccEnabled = 32,
    PciBusId = 33,
    PciDeviceId = 34,
    MemoryClockRate = 36, ///< kHz
    GlobalMemoryBusWidth = 37,
    L2CacheSize = 38,
    MaxThreadsPerMultiprocessor = 39,
    AsyncEngineCount = 40,
    PciDomainId = 50,
    ComputeCapabilityMajor = 75,
    ComputeCapabilityMinor = 76,
};

// name in Cuda, symbol (the version that every driver since CUDA 4 has), result, arguments
#define SLIPWAY_CUDA_FUNCTIONS(X)                                                                  \
    X(init, "cuInit", (unsigned flags))                                                            \
    X(driverGetVersion, "cuDriverGetVersion", (int* version))                                      \
    X(getErrorName, "cuGetErrorName", (int error, const char** text))                              \
    X(getErrorString, "cuGetErrorString", (int error, const char** text))                          \
    X(deviceGetCount, "cuDeviceGetCount", (int* count))                                            \
    X(deviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))                                  \
    X(deviceGetName, "cuDeviceGetName", (char* name, int length, CUdevice device))                 \
    X(deviceGetUuid, "cuDeviceGetUuid", (CUuuid * uuid, CUdevice device))                          \
    X(deviceGetUuidV2, "cuDeviceGetUuid_v2", (CUuuid * uuid, CUdevice device))                     \
    X(deviceTotalMem, "cuDeviceTotalMem_v2", (size_t * bytes, CUdevice device))                    \
    X(deviceGetAttribute, "cuDeviceGetAttribute", (int* value, int attribute, CUdevice device))    \
    X(deviceGetPciBusId, "cuDeviceGetPCIBusId", (char* id, int length, CUdevice device))           \
    X(deviceCanAccessPeer, "cuDeviceCanAccessPeer", (int* can, CUdevice device, CUdevice peer))    \
    X(ctxCreate, "cuCtxCreate_v2", (CUcontext * context, unsigned flags, CUdevice device))         \
    X(ctxDestroy, "cuCtxDestroy_v2", (CUcontext context))                                          \
    X(ctxSetCurrent, "cuCtxSetCurrent", (CUcontext context))                                       \
    X(ctxSynchronize, "cuCtxSynchronize", ())                                                      \
    X(ctxEnablePeerAccess, "cuCtxEnablePeerAccess", (CUcontext peer, unsigned flags))              \
    X(moduleLoadDataEx, "cuModuleLoadDataEx",                                                      \
        (CUmodule * module, const void* image, unsigned count, int* options, void** values))       \
    X(moduleUnload, "cuModuleUnload", (CUmodule module))                                           \
    X(moduleGetFunction, "cuModuleGetFunction",                                                    \
        (CUfunction * function, CUmodule module, const char* name))                                \
    X(moduleGetGlobal, "cuModuleGetGlobal_v2",                                                     \
        (CUdeviceptr * address, size_t * bytes, CUmodule module, const char* name))                \
    X(funcGetAttribute, "cuFuncGetAttribute", (int* value, int attribute, CUfunction function))    \
    X(funcSetAttribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))     \
    X(occupancyMaxActiveBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                     \
        (int* blocks, CUfunction function, int blockSize, size_t dynamicShared))                   \
    X(launchKernel, "cuLaunchKernel",                                                              \
        (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,     \
            unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream,               \
            void** arguments, void** extra))                                                       \
    X(memGetInfo, "cuMemGetInfo_v2", (size_t * free, size_t * total))                              \
    X(memAlloc, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))                            \
    X(memFree, "cuMemFree_v2", (CUdeviceptr address))                                              \
    X(memAllocHost, "cuMemAllocHost_v2", (void** address, size_t bytes))                           \
    X(memHostAlloc, "cuMemHostAlloc", (void** address, size_t bytes, unsigned flags))              \
    X(memFreeHost, "cuMemFreeHost", (void* address))                                               \
    X(memcpyHtoD, "cuMemcpyHtoD_v2", (CUdeviceptr to, const void* from, size_t bytes))             \
    X(memcpyDtoH, "cuMemcpyDtoH_v2", (void* to, CUdeviceptr from, size_t bytes))                   \
    X(memcpyDtoD, "cuMemcpyDtoD_v2", (CUdeviceptr to, CUdeviceptr from, size_t bytes))             \
    X(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                     \
        (CUdeviceptr to, const void* from, size_t bytes, CUstream stream))                         \
    X(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                     \
        (void* to, CUdeviceptr from, size_t bytes, CUstream stream))                               \
    X(memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2",                                                     \
        (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                         \
    X(memcpyPeerAsync, "cuMemcpyPeerAsync",                                                        \
        (CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,             \
            size_t bytes, CUstream stream))                                                        \
    X(memsetD8, "cuMemsetD8_v2", (CUdeviceptr to, unsigned char value, size_t count))              \
    X(memsetD32, "cuMemsetD32_v2", (CUdeviceptr to, unsigned value, size_t count))                 \
    X(streamCreate, "cuStreamCreate", (CUstream * stream, unsigned flags))                         \
    X(streamDestroy, "cuStreamDestroy_v2", (CUstream stream))                                      \
    X(streamSynchronize, "cuStreamSynchronize", (CUstream stream))                                 \
    X(streamWaitEvent, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned flags))      \
    X(eventCreate, "cuEventCreate", (CUevent * event, unsigned flags))                             \
    X(eventDestroy, "cuEventDestroy_v2", (CUevent event))                                          \
    X(eventRecord, "cuEventRecord", (CUevent event, CUstream stream))                              \
    X(eventSynchronize, "cuEventSynchronize", (CUevent event))                                     \
    X(eventElapsedTime, "cuEventElapsedTime", (float* milliseconds, CUevent begin, CUevent end))

/// Cuda is libcuda.so.1 opened at run time, in a child (child.h): a member is null if this driver
/// does not have the function.
struct Cuda {
    Cuda();
    explicit operator bool() const { return library && init && deviceGetCount; }
    std::string errorText(
        int error) const; ///< "CUDA_ERROR_NOT_INITIALIZED (3): initialization error"
    int attribute(CudaAttribute which, CUdevice device) const; ///< -1: unknown

    Library library;
#define SLIPWAY_CUDA_MEMBER(name, symbol, arguments) int(*name) arguments = nullptr;
    SLIPWAY_CUDA_FUNCTIONS(SLIPWAY_CUDA_MEMBER)
#undef SLIPWAY_CUDA_MEMBER
};

/// "GPU-01234567-89ab-…", as NVML and Slurm write it.
std::string uuidText(const CUuuid& uuid);

} // namespace slipway::probe
