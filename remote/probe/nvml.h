// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/library.h"

#include <string>

namespace slipway::probe {

// The part of NVML that the probe uses, declared here, with the numbers of its documented API.
using NvmlDevice = struct nvmlDevice_st*;
struct NvmlMemory {
    unsigned long long total, free, used; ///< bytes
};
struct NvmlUtilization {
    unsigned gpu, memory; ///< per cent
};
struct NvmlPci {
    char legacyBusId[16];
    unsigned domain, bus, device, deviceId, subsystemId;
    char busId[32];
};
struct NvmlProcess {
    unsigned pid;
    unsigned long long usedMemory; ///< all bits set: unknown
    unsigned gpuInstance, computeInstance;
};
constexpr int nvmlSuccess = 0;
constexpr int nvmlNotSupported = 3;
constexpr int nvmlClockSm = 1, nvmlClockMemory = 2;
constexpr int nvmlTemperatureGpu = 0;
/// Why the clocks are reduced: bits of clocksThrottleReasons.
enum NvmlThrottle : unsigned long long {
    nvmlThrottleIdle = 0x1,
    nvmlThrottleApplications = 0x2,
    nvmlThrottlePowerCap = 0x4,
    nvmlThrottleHardware = 0x8,
    nvmlThrottleSync = 0x10,
    nvmlThrottleThermalSoftware = 0x20,
    nvmlThrottleThermalHardware = 0x40,
    nvmlThrottlePowerBrake = 0x80,
    nvmlThrottleDisplay = 0x100,
};

#define SLIPWAY_NVML_FUNCTIONS(X)                                                                  \
    X(init, "nvmlInit_v2", ())                                                                     \
    X(shutdown, "nvmlShutdown", ())                                                                \
    X(driverVersion, "nvmlSystemGetDriverVersion", (char* text, unsigned length))                  \
    X(cudaDriverVersion, "nvmlSystemGetCudaDriverVersion_v2", (int* version))                      \
    X(count, "nvmlDeviceGetCount_v2", (unsigned* count))                                           \
    X(handleByIndex, "nvmlDeviceGetHandleByIndex_v2", (unsigned index, NvmlDevice* device))        \
    X(handleByUuid, "nvmlDeviceGetHandleByUUID", (const char* uuid, NvmlDevice* device))           \
    X(handleByPciBusId, "nvmlDeviceGetHandleByPciBusId_v2",                                        \
        (const char* busId, NvmlDevice* device))                                                   \
    X(uuid, "nvmlDeviceGetUUID", (NvmlDevice device, char* text, unsigned length))                 \
    X(name, "nvmlDeviceGetName", (NvmlDevice device, char* text, unsigned length))                 \
    X(minorNumber, "nvmlDeviceGetMinorNumber", (NvmlDevice device, unsigned* minor))               \
    X(pci, "nvmlDeviceGetPciInfo_v3", (NvmlDevice device, NvmlPci * pci))                          \
    X(memory, "nvmlDeviceGetMemoryInfo", (NvmlDevice device, NvmlMemory * memory))                 \
    X(utilization, "nvmlDeviceGetUtilizationRates",                                                \
        (NvmlDevice device, NvmlUtilization * utilization))                                        \
    X(power, "nvmlDeviceGetPowerUsage", (NvmlDevice device, unsigned* milliwatts))                 \
    X(powerLimit, "nvmlDeviceGetEnforcedPowerLimit", (NvmlDevice device, unsigned* milliwatts))    \
    X(powerLimitDefault, "nvmlDeviceGetPowerManagementDefaultLimit",                               \
        (NvmlDevice device, unsigned* milliwatts))                                                 \
    X(energy, "nvmlDeviceGetTotalEnergyConsumption",                                               \
        (NvmlDevice device, unsigned long long* millijoules))                                      \
    X(temperature, "nvmlDeviceGetTemperature", (NvmlDevice device, int sensor, unsigned* celsius)) \
    X(temperatureThreshold, "nvmlDeviceGetTemperatureThreshold",                                   \
        (NvmlDevice device, int threshold, unsigned* celsius))                                     \
    X(clock, "nvmlDeviceGetClockInfo", (NvmlDevice device, int clock, unsigned* megahertz))        \
    X(maxClock, "nvmlDeviceGetMaxClockInfo", (NvmlDevice device, int clock, unsigned* megahertz))  \
    X(throttleReasons, "nvmlDeviceGetCurrentClocksThrottleReasons",                                \
        (NvmlDevice device, unsigned long long* reasons))                                          \
    X(persistence, "nvmlDeviceGetPersistenceMode", (NvmlDevice device, int* mode))                 \
    X(computeMode, "nvmlDeviceGetComputeMode", (NvmlDevice device, int* mode))                     \
    X(migMode, "nvmlDeviceGetMigMode", (NvmlDevice device, unsigned* current, unsigned* pending))  \
    X(maxMigCount, "nvmlDeviceGetMaxMigDeviceCount", (NvmlDevice device, unsigned* count))         \
    X(migByIndex, "nvmlDeviceGetMigDeviceHandleByIndex",                                           \
        (NvmlDevice device, unsigned index, NvmlDevice* mig))                                      \
    X(eccMode, "nvmlDeviceGetEccMode", (NvmlDevice device, int* current, int* pending))            \
    X(eccErrors, "nvmlDeviceGetTotalEccErrors",                                                    \
        (NvmlDevice device, int uncorrected, int aggregate, unsigned long long* count))            \
    X(retiredPages, "nvmlDeviceGetRetiredPages",                                                   \
        (NvmlDevice device, int cause, unsigned* count, unsigned long long* addresses))            \
    X(retiredPending, "nvmlDeviceGetRetiredPagesPendingStatus", (NvmlDevice device, int* pending)) \
    X(remappedRows, "nvmlDeviceGetRemappedRows",                                                   \
        (NvmlDevice device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,         \
            unsigned* failed))                                                                     \
    X(pcieGeneration, "nvmlDeviceGetCurrPcieLinkGeneration",                                       \
        (NvmlDevice device, unsigned* generation))                                                 \
    X(pcieWidth, "nvmlDeviceGetCurrPcieLinkWidth", (NvmlDevice device, unsigned* width))           \
    X(pcieMaxGeneration, "nvmlDeviceGetMaxPcieLinkGeneration",                                     \
        (NvmlDevice device, unsigned* generation))                                                 \
    X(pcieMaxWidth, "nvmlDeviceGetMaxPcieLinkWidth", (NvmlDevice device, unsigned* width))         \
    X(pcieReplays, "nvmlDeviceGetPcieReplayCounter", (NvmlDevice device, unsigned* count))         \
    X(nvlinkState, "nvmlDeviceGetNvLinkState", (NvmlDevice device, unsigned link, int* active))    \
    X(nvlinkErrors, "nvmlDeviceGetNvLinkErrorCounter",                                             \
        (NvmlDevice device, unsigned link, int counter, unsigned long long* count))                \
    X(processes, "nvmlDeviceGetComputeRunningProcesses_v3",                                        \
        (NvmlDevice device, unsigned* count, NvmlProcess* processes))                              \
    X(cpuAffinity, "nvmlDeviceGetCpuAffinity",                                                     \
        (NvmlDevice device, unsigned words, unsigned long* mask))

/// Nvml is libnvidia-ml.so.1 opened at run time, in a child (child.h): a member is null if this
/// driver does not have the function. It may be absent even if libcuda exists.
struct Nvml {
    Nvml();
    explicit operator bool() const { return library && init && count && handleByIndex; }
    std::string errorText(int error) const; ///< "Driver/library version mismatch (18)"

    Library library;
    const char* (*errorString)(int error) = nullptr;
#define SLIPWAY_NVML_MEMBER(name, symbol, arguments) int(*name) arguments = nullptr;
    SLIPWAY_NVML_FUNCTIONS(SLIPWAY_NVML_MEMBER)
#undef SLIPWAY_NVML_MEMBER
};

} // namespace slipway::probe
