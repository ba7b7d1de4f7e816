// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/json.h"
#include "remote/probe/core/procfiles.h"
#include "remote/probe/core/text.h"

#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

/// A GPU as CUDA shows it to this process.
struct CudaGpu {
    int ordinal = 0;
    std::string uuid; ///< "GPU-…", of a part of a card "MIG-…"
    std::string card; ///< the UUID of the card itself
    std::string name, busId;
    double memory = 0; ///< bytes
    int major = 0, minor = 0; ///< compute capability
    int multiprocessors = 0;

    bool isMig() const { return uuid.starts_with("MIG-"); }
    std::string capability() const { return std::to_string(major) + '.' + std::to_string(minor); }
    Json toJson() const;
    static CudaGpu of(const Json& json);
};

/// The output of libcuda until its end, successful or not. A value, parsed from what the child
/// sent.
struct CudaFacts {
    std::string path; ///< of the library that answered; empty: none
    std::string loadError; ///< the error of the loader
    std::optional<int> version; ///< 12040 is CUDA 12.4
    std::optional<int> init; ///< what cuInit returned
    std::string initName, initText; ///< as reported by the driver
    std::optional<int> count;
    std::vector<CudaGpu> gpus;
    std::vector<std::string> noPeers; ///< "0-1": pairs that cannot reach each other's memory
    std::string trouble; ///< how the child ended, if it failed
    std::string ownPath; ///< with a compatibility library in the way: the driver's own
    std::optional<int> ownVersion;

    bool usable() const { return init == 0 && !gpus.empty(); }
    bool compat() const { return path.find("/compat/") != path.npos; }
    static CudaFacts of(const std::vector<Json>& lines);
};

/// "12.4" of 12040
std::string cudaVersionText(int version);

// The numbers that NVML reports for a GPU; each may be missing.
#define SLIPWAY_NVML_NUMBERS(X)                                                                    \
    X(minor)                                                                                       \
    X(memoryTotal)                                                                                 \
    X(memoryUsed)                                                                                  \
    X(utilization)                                                                                 \
    X(power)                                                                                       \
    X(powerLimit)                                                                                  \
    X(powerDefault)                                                                                \
    X(energy)                                                                                      \
    X(temperature)                                                                                 \
    X(temperatureSlowdown)                                                                         \
    X(clock)                                                                                       \
    X(clockMax)                                                                                    \
    X(throttle)                                                                                    \
    X(persistence)                                                                                 \
    X(computeMode)                                                                                 \
    X(mig)                                                                                         \
    X(migPending)                                                                                  \
    X(ecc)                                                                                         \
    X(eccPending)                                                                                  \
    X(correctedNow)                                                                                \
    X(uncorrectedNow)                                                                              \
    X(correctedEver)                                                                               \
    X(uncorrectedEver)                                                                             \
    X(retiredSingle)                                                                               \
    X(retiredDouble)                                                                               \
    X(retiredPending)                                                                              \
    X(remappedCorrected)                                                                           \
    X(remappedUncorrected)                                                                         \
    X(remapPending)                                                                                \
    X(remapFailed)                                                                                 \
    X(pcieGeneration)                                                                              \
    X(pcieWidth)                                                                                   \
    X(pcieMaxGeneration)                                                                           \
    X(pcieMaxWidth) X(pcieReplays) X(nvlinkActive) X(nvlinkInactive) X(nvlinkRecoveries)

struct GpuProcess {
    long long pid = 0;
    std::optional<double> memory;
};

/// A card as NVML shows it. Bytes, watts, degrees, hertz, per cent.
struct NvmlGpu {
    int index = 0;
    std::string uuid, name, busId;
#define SLIPWAY_NVML_MEMBER(name) std::optional<double> name;
    SLIPWAY_NVML_NUMBERS(SLIPWAY_NVML_MEMBER)
#undef SLIPWAY_NVML_MEMBER
    std::vector<std::string> migUuids;
    std::vector<GpuProcess> processes;
    std::string cpus; ///< nearest to it: "0-31"

    Json toJson() const;
    static NvmlGpu of(const Json& json);
};

struct NvmlFacts {
    std::string path, loadError;
    std::optional<int> init;
    std::string initText;
    std::string driver; ///< "580.65.06"
    std::optional<int> count;
    std::vector<NvmlGpu> gpus;
    std::string trouble;

    bool usable() const { return init == 0; }
    static NvmlFacts of(const std::vector<Json>& lines);
};

/// Why the clocks are reduced, in words, from NVML's bits; idling is not a reason.
std::vector<std::string> throttleWords(std::uint64_t bits);

/// A device file: /dev/nvidia0.
struct DeviceNode {
    std::string path;
    int error = 0; ///< errno of open; 0: it can be used
};

/// What the kernel and its file systems report about the GPUs. A value, parsed from what the child
/// sent.
struct DeviceFacts {
    std::optional<KernelDriver> driver;
    std::vector<KernelGpu> gpus;
    std::vector<DeviceNode> nodes;
    int onBus = 0; ///< NVIDIA cards on the PCI bus, with a driver or not
    bool kernelLogRead = false;
    std::vector<Xid> xids;
    std::string trouble;

    int cards() const; ///< device files of cards
    const DeviceNode* node(std::string_view path) const;
    Json toJson() const;
    static DeviceFacts of(const Json& json);
};

} // namespace slipway::probe
