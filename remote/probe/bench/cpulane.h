// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/gemm.h"
#include "remote/probe/bench/lane.h"

#include <memory>

namespace slipway::probe {

/// Joules that the processors of this node have used, from the counters in /sys/class/powercap;
/// none where they cannot be read, as on most clusters.
class ProcessorEnergy {
public:
    void begin();
    std::optional<double> joules() const; ///< since begin

private:
    struct Counter {
        std::string folder;
        double begin = 0;
    };
    std::vector<Counter> m_counters;
};

/// CpuLane is the CPU lane, with our own kernels and a given number of threads.
class CpuLane : public Lane {
public:
    explicit CpuLane(int threads, const AllowedCpus& cpus = allowedCpus());
    void prepare(Work work, long size) override;
    double run(int times) override;
    Proof prove() override;
    double peak(Work work) override;
    void describe(Json& row) const override;
    void beginWatch() override;
    void endWatch(Json& row, double pieces) override;

    const Isa& isa() const { return m_isa; }
    const float* result() const { return m_floats[2]->data(); } ///< of a product in floats
    /// Bytes per second of `triad` over more than the caches hold.
    double memoryPeak();

private:
    void runOnce();
    void runParts(long count, long step, const std::function<void(long begin, long end)>& part);
    BodyArrays bodies() const;

    const Isa& m_isa = *isas().isas[0];
    const AllowedCpus m_cpus;
    Team m_team;
    Gemm<float> m_single;
    Gemm<double> m_twice;
    Work m_work = Work::GemmFp32;
    long m_size = 0, m_filled = 0;
    std::unique_ptr<Buffer<float>> m_floats[3];
    std::unique_ptr<Buffer<double>> m_doubles[3];
    ProcessorEnergy m_energy;
    double m_watchBegin = 0, m_memoryPeak = 0;
};

} // namespace slipway::probe
