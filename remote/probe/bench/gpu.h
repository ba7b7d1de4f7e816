// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/lane.h"
#include "remote/probe/child.h"
#include "remote/probe/cuda.h"

#include <initializer_list>
#include <string>

namespace slipway::probe {

/// Gpu is one card that CUDA shows to this process, with a context and our kernels loaded. It lives
/// in a child; every call may throw a LaneError with the function and CUDA's error. Used by one
/// thread.
class Gpu {
public:
    /// Opens the driver and names each stage on the pipe.
    Gpu(int ordinal, const ChildPipe& pipe);
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    Cuda cuda;
    CUdevice device = 0;
    CUcontext context = nullptr;
    std::string name, uuid, busId;
    int capability = 0; ///< 90: 9.0
    int processors = 0;
    double clockLimit = 0; ///< Hz
    int count = 0; ///< of devices that this process sees

    /// Throws where `code` is an error.
    void need(int code, const char* what) const;
    CUfunction function(const char* name) const; ///< of the kernels for all cards
    /// Whether it has what the tensor kernels are made of, and why not; empty: it has.
    std::string whyNoTensorKernels() const;
    CUfunction tensorFunction(const char* name); ///< loads its module first
    void launch(CUfunction function, long blocksX, long blocksY, int threads,
        std::initializer_list<const void*> arguments) const;
    void synchronise() const { need(cuda.ctxSynchronize(), "cuCtxSynchronize"); }
    size_t freeMemory() const;
    /// A current context of another card, for copies between the two.
    CUcontext contextOn(int ordinal) const;

private:
    void needFunctions() const;
    CUmodule load(const char* ptx, const char* what) const;
    CUmodule m_kernels = nullptr, m_tensor = nullptr;
};

/// The PTX of our kernels. It is written once, for Kepler (sm_35, PTX 3.2); the same text with the
/// next head (sm_50, PTX 4.0) is for all that came after, whatever their driver.
std::string kernelsFor(int capability);

/// Memory on a card, or pinned memory of the host; freed with it. The Gpu outlives it.
class DeviceMemory {
public:
    DeviceMemory(const Gpu& gpu, size_t bytes);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    CUdeviceptr address = 0;
    size_t bytes = 0;
    const void* argument() const { return &address; }

private:
    const Gpu& m_gpu;
};
class PinnedMemory {
public:
    PinnedMemory(const Gpu& gpu, size_t bytes);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    template <typename T> T* as() const { return static_cast<T*>(m_data); }

private:
    const Gpu& m_gpu;
    void* m_data = nullptr;
};

/// Seconds on the card's own clock between two events, after which the card has finished.
class GpuTimer {
public:
    explicit GpuTimer(const Gpu& gpu);
    ~GpuTimer();
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;
    void begin();
    double end();

private:
    const Gpu& m_gpu;
    CUevent m_begin = nullptr, m_end = nullptr;
};

} // namespace slipway::probe
