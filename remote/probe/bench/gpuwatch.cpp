// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gpuwatch.h"

#include "remote/probe/bench/stats.h"

#include <chrono>

namespace slipway::probe {

std::vector<std::string> throttleWords(unsigned long long reasons)
{
    static constexpr struct {
        unsigned long long bit;
        const char* word;
    } words[] = {
        {nvmlThrottlePowerCap, "power cap"},
        {nvmlThrottleHardware, "hardware slowdown"},
        {nvmlThrottleThermalSoftware, "temperature"},
        {nvmlThrottleThermalHardware, "temperature (hardware)"},
        {nvmlThrottlePowerBrake, "power brake"},
    };
    std::vector<std::string> found;
    for (const auto& word : words) {
        if (reasons & word.bit)
            found.emplace_back(word.word);
    }
    return found;
}

GpuWatch::GpuWatch(std::string uuid, std::string busId)
    : m_uuid(std::move(uuid))
    , m_busId(std::move(busId))
{
}

void GpuWatch::open()
{
    m_nvml.emplace();
    if (!*m_nvml || m_nvml->init() != nvmlSuccess)
        return;
    if (m_nvml->handleByUuid && !m_uuid.empty()
        && m_nvml->handleByUuid(m_uuid.c_str(), &m_device) == nvmlSuccess)
        return;
    if (!m_nvml->handleByPciBusId || m_busId.empty()
        || m_nvml->handleByPciBusId(m_busId.c_str(), &m_device) != nvmlSuccess)
        m_device = nullptr;
}

GpuWatch::~GpuWatch()
{
    m_ends = true;
    if (m_thread.joinable())
        m_thread.join();
}

void GpuWatch::look()
{
    unsigned value = 0;
    if (m_nvml->clock && m_nvml->clock(m_device, nvmlClockSm, &value) == nvmlSuccess)
        m_clocks.push_back(value * 1e6);
    if (m_nvml->power && m_nvml->power(m_device, &value) == nvmlSuccess)
        m_powers.push_back(value / 1e3);
    if (const auto degrees = temperature())
        m_temperatures.push_back(*degrees);
    unsigned long long reasons = 0;
    if (m_nvml->throttleReasons && m_nvml->throttleReasons(m_device, &reasons) == nvmlSuccess) {
        m_reasons |= reasons;
        m_reasonsKnown = true;
    }
}

std::optional<double> GpuWatch::temperature() const
{
    unsigned celsius = 0;
    if (m_device && m_nvml->temperature
        && m_nvml->temperature(m_device, nvmlTemperatureGpu, &celsius) == nvmlSuccess)
        return celsius;
    return {};
}

void GpuWatch::begin()
{
    if (!m_nvml)
        open();
    if (!m_device || m_thread.joinable())
        return;
    m_clocks.clear();
    m_powers.clear();
    m_temperatures.clear();
    m_reasons = 0;
    m_reasonsKnown = false;
    m_begin = steadySeconds();
    unsigned long long millijoules = 0;
    m_energyBegin.reset();
    if (m_nvml->energy && m_nvml->energy(m_device, &millijoules) == nvmlSuccess)
        m_energyBegin = double(millijoules) / 1e3;
    m_ends = false;
    m_thread = std::thread([this] {
        do {
            look();
            for (int i = 0; i < 10 && !m_ends; ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (!m_ends);
    });
}

void GpuWatch::end(Json& row, double pieces)
{
    if (!m_thread.joinable())
        return;
    m_ends = true;
    m_thread.join();
    look();
    const double seconds = steadySeconds() - m_begin;
    unsigned value = 0;
    if (!m_clocks.empty()) {
        const Spread clock = spreadOf(m_clocks);
        row.set("clock",
            Json().set("low", clock.low).set("median", clock.median).set("high", clock.high));
    }
    if (m_nvml->maxClock && m_nvml->maxClock(m_device, nvmlClockSm, &value) == nvmlSuccess)
        row.set("clock_limit", value * 1e6);
    if (!m_temperatures.empty())
        row.set("temperature", spreadOf(m_temperatures).high);
    if (m_reasonsKnown)
        row.set("throttle", Json::list(throttleWords(m_reasons)));
    // The card's own counters move every 20 to 100 ms: shorter intervals are meaningless.
    if (seconds < 0.2)
        return;
    unsigned long long millijoules = 0;
    if (m_energyBegin && m_nvml->energy(m_device, &millijoules) == nvmlSuccess
        && double(millijoules) / 1e3 > *m_energyBegin)
        row.set("energy", (double(millijoules) / 1e3 - *m_energyBegin) / pieces);
    else if (!m_powers.empty())
        row.set("energy", spreadOf(m_powers).median * seconds / pieces);
    if (!m_powers.empty())
        row.set("power", spreadOf(m_powers).median);
}

} // namespace slipway::probe
