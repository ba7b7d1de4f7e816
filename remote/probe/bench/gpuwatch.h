// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/row.h"
#include "remote/probe/nvml.h"

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace slipway::probe {

/// The names of a set of throttle bits that reduce the clock: not idle, not settings of an
/// administrator.
std::vector<std::string> throttleWords(unsigned long long reasons);

/// GpuWatch samples one GPU through NVML while work runs on it, in its own thread, every 20 ms.
/// Without NVML there are no samples. Owned and used by one thread.
class GpuWatch {
public:
    /// NVML is opened by the first begin().
    GpuWatch(std::string uuid, std::string busId);
    ~GpuWatch();
    GpuWatch(const GpuWatch&) = delete;
    GpuWatch& operator=(const GpuWatch&) = delete;

    void begin();
    /// Adds clock, clock_limit, power, temperature, throttle, and energy of one of `pieces`.
    void end(Json& row, double pieces);
    std::optional<double> temperature() const; ///< now

private:
    void open();
    void look();
    const std::string m_uuid, m_busId;
    std::optional<Nvml> m_nvml;
    NvmlDevice m_device = nullptr;
    std::thread m_thread;
    std::atomic<bool> m_ends{false};
    // Written by the thread between begin and end.
    std::vector<double> m_clocks, m_powers, m_temperatures;
    unsigned long long m_reasons = 0;
    bool m_reasonsKnown = false;
    double m_begin = 0;
    std::optional<double> m_energyBegin;
};

} // namespace slipway::probe
