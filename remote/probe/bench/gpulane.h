// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/gpu.h"
#include "remote/probe/bench/gpuwatch.h"

#include <memory>

namespace slipway::probe {

/// GpuLane is the GPU lane, with our own kernels. Sizes that no kernel supports are padded with
/// zeros.
class GpuLane : public Lane {
public:
    explicit GpuLane(Gpu& gpu);
    void prepare(Work work, long size) override;
    double run(int times) override;
    std::optional<double> runWithTransfers() override;
    Proof prove() override;
    double peak(Work work) override;
    void describe(Json& row) const override;
    void beginWatch() override { m_watch.begin(); }
    void endWatch(Json& row, double pieces) override { m_watch.end(row, pieces); }

    /// Operations per second of a register-only kernel: "peak_fp32", or one of the tensor kernels.
    double registerPeak(CUfunction kernel, double operationsAThread, size_t bytesAThread);
    /// Bytes per second of `triad` where it moves the most.
    double memoryPeak();
    const DeviceMemory& memory(int i) const { return *m_memory[i]; }
    long filledSize() const { return m_filled; }

private:
    void launchOnce();
    void copyIn();
    void copyOut();
    size_t element() const { return m_work == Work::GemmFp64 ? sizeof(double) : sizeof(float); }
    template <typename T> void fillHost();

    Gpu& m_gpu;
    GpuTimer m_timer;
    GpuWatch m_watch;
    Work m_work = Work::GemmFp32;
    long m_size = 0, m_filled = 0;
    int m_inputs = 2;
    std::unique_ptr<DeviceMemory> m_memory[3]; ///< the last is the result; n-body has no second
    std::unique_ptr<PinnedMemory> m_host[3];
    double m_memoryPeak = 0;
};

/// The GPU memory that our kernels need for a piece of work.
size_t gpuBytes(Work work, long size);
/// `most`, or the half, the quarter … of it that takes no more than half of the free memory.
long fittingSize(Work work, long most, size_t freeBytes);

} // namespace slipway::probe
