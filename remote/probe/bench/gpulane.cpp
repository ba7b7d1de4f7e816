// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gpulane.h"

#include "remote/probe/bench/cpus.h"
#include "remote/probe/bench/stats.h"

#include <algorithm>

namespace slipway::probe {
namespace {

long filledUp(Work work, long size)
{
    const long step = work == Work::GemmFp32 ? 128
        : work == Work::GemmFp64             ? 64
        : work == Work::Triad                ? 4
                                             : 256;
    return (size + step - 1) / step * step;
}

size_t bytesOfOne(Work work, long filled)
{
    switch (work) {
    case Work::GemmFp32:
        return size_t(filled) * size_t(filled) * sizeof(float);
    case Work::GemmFp64:
        return size_t(filled) * size_t(filled) * sizeof(double);
    case Work::Triad:
        return size_t(filled) * sizeof(float);
    case Work::Nbody:
        break;
    }
    return size_t(filled) * sizeof(Body);
}

} // namespace

size_t gpuBytes(Work work, long size)
{
    return bytesOfOne(work, filledUp(work, size)) * (work == Work::Nbody ? 2 : 3);
}

long fittingSize(Work work, long most, size_t freeBytes)
{
    while (most > 256 && gpuBytes(work, most) > freeBytes / 2)
        most /= 2;
    return most;
}

GpuLane::GpuLane(Gpu& gpu)
    : m_gpu(gpu)
    , m_timer(gpu)
    , m_watch(gpu.uuid, gpu.busId)
{
}

template <typename T> void GpuLane::fillHost()
{
    fillMatrix(m_host[0]->as<T>(), m_size, m_size, m_filled, 1);
    fillMatrix(m_host[1]->as<T>(), m_size, m_size, m_filled, 2);
    for (int i = 0; i < 2; ++i)
        std::fill(
            m_host[i]->as<T>() + m_size * m_filled, m_host[i]->as<T>() + m_filled * m_filled, T(0));
}

void GpuLane::prepare(Work work, long size)
{
    m_work = work;
    m_size = size;
    m_filled = filledUp(work, size);
    m_inputs = work == Work::Nbody ? 1 : 2;
    for (int i = 0; i < 3; ++i) {
        m_memory[i].reset();
        m_host[i].reset();
    }
    const size_t bytes = bytesOfOne(work, m_filled);
    if (gpuBytes(work, size) > m_gpu.freeMemory())
        throw LaneError("the card has no memory for this size");
    for (int i = 0; i < 3; ++i) {
        if (i == 1 && m_inputs == 1)
            continue;
        m_memory[i] = std::make_unique<DeviceMemory>(m_gpu, bytes);
        m_host[i] = std::make_unique<PinnedMemory>(m_gpu, bytes);
    }
    if (work == Work::GemmFp64) {
        fillHost<double>();
    } else if (work == Work::GemmFp32) {
        fillHost<float>();
    } else if (work == Work::Triad) {
        fillMatrix(m_host[0]->as<float>(), 1, m_size, m_filled, 1);
        fillMatrix(m_host[1]->as<float>(), 1, m_size, m_filled, 2);
    } else {
        for (long i = 0; i < m_filled; ++i)
            m_host[0]->as<Body>()[i] = i < size ? bodyAt(i) : Body{0, 0, 0, 0};
    }
    copyIn();
    m_gpu.synchronise();
}

void GpuLane::copyIn()
{
    for (int i = 0; i < m_inputs; ++i)
        m_gpu.need(m_gpu.cuda.memcpyHtoDAsync(
                       m_memory[i]->address, m_host[i]->as<void>(), m_memory[i]->bytes, nullptr),
            "cuMemcpyHtoDAsync");
}

void GpuLane::copyOut()
{
    m_gpu.need(m_gpu.cuda.memcpyDtoHAsync(
                   m_host[2]->as<void>(), m_memory[2]->address, m_memory[2]->bytes, nullptr),
        "cuMemcpyDtoHAsync");
}

void GpuLane::launchOnce()
{
    const int n = int(m_filled);
    switch (m_work) {
    case Work::GemmFp32:
        m_gpu.launch(m_gpu.function("sgemm"), n / 128, n / 128, 256,
            {m_memory[0]->argument(), m_memory[1]->argument(), m_memory[2]->argument(), &n});
        break;
    case Work::GemmFp64:
        m_gpu.launch(m_gpu.function("dgemm"), n / 64, n / 64, 256,
            {m_memory[0]->argument(), m_memory[1]->argument(), m_memory[2]->argument(), &n});
        break;
    case Work::Triad: {
        const long groups = m_filled / 4,
                   blocks = std::clamp((groups + 255) / 256, 1L, long(m_gpu.processors) * 32);
        m_gpu.launch(m_gpu.function("triad"), blocks, 1, 256,
            {m_memory[0]->argument(), m_memory[1]->argument(), m_memory[2]->argument(),
                &triadFactor, &groups});
        break;
    }
    case Work::Nbody:
        m_gpu.launch(m_gpu.function("nbody"), n / 256, 1, 256,
            {m_memory[0]->argument(), m_memory[2]->argument(), &n, &nbodySoftening});
        break;
    }
}

double GpuLane::run(int times)
{
    m_timer.begin();
    for (int i = 0; i < times; ++i)
        launchOnce();
    const double seconds = m_timer.end();
    m_gpu.synchronise(); // an error of a kernel shows here at the latest
    return seconds;
}

std::optional<double> GpuLane::runWithTransfers()
{
    m_gpu.synchronise();
    const double begin = steadySeconds();
    copyIn();
    launchOnce();
    copyOut();
    m_gpu.synchronise();
    return steadySeconds() - begin;
}

Proof GpuLane::prove()
{
    copyOut();
    m_gpu.synchronise();
    switch (m_work) {
    case Work::GemmFp32:
        return proveGemm(m_host[0]->as<float>(), m_host[1]->as<float>(), m_host[2]->as<float>(),
            m_size, m_filled);
    case Work::GemmFp64:
        return proveGemm(m_host[0]->as<double>(), m_host[1]->as<double>(), m_host[2]->as<double>(),
            m_size, m_filled);
    case Work::Triad:
        return proveTriad(
            m_host[0]->as<float>(), m_host[1]->as<float>(), m_host[2]->as<float>(), m_size);
    case Work::Nbody:
        break;
    }
    return proveNbody(m_size, [this](long i) { return m_host[2]->as<Body>()[i]; });
}

double GpuLane::registerPeak(CUfunction kernel, double operationsAThread, size_t bytesAThread)
{
    const long blocks = long(m_gpu.processors) * 16;
    const DeviceMemory out(m_gpu, size_t(blocks) * 256 * bytesAThread);
    int loops = 64;
    double best = 0;
    for (int i = 0; i < 4; ++i) {
        m_timer.begin();
        m_gpu.launch(kernel, blocks, 1, 256, {out.argument(), &loops});
        const double seconds = std::max(1e-7, m_timer.end());
        best = std::max(best, operationsAThread * double(loops) * double(blocks) * 256 / seconds);
        if (i == 0) // the first run sets the length of the others: about 5 ms
            loops = int(std::clamp(double(loops) * 0.005 / seconds, 16.0, 1e6));
    }
    m_gpu.synchronise();
    return best;
}

double GpuLane::memoryPeak()
{
    if (m_memoryPeak > 0)
        return m_memoryPeak;
    const size_t bytes = std::min<size_t>(256u << 20, m_gpu.freeMemory() / 8) / 4096 * 4096;
    const DeviceMemory a(m_gpu, bytes), b(m_gpu, bytes), c(m_gpu, bytes);
    const long groups = long(bytes / 16);
    for (int i = 0; i < 6; ++i) {
        m_timer.begin();
        m_gpu.launch(m_gpu.function("triad"), long(m_gpu.processors) * 32, 1, 256,
            {a.argument(), b.argument(), c.argument(), &triadFactor, &groups});
        m_memoryPeak = std::max(m_memoryPeak, 3.0 * double(bytes) / std::max(1e-7, m_timer.end()));
    }
    return m_memoryPeak;
}

double GpuLane::peak(Work work)
{
    switch (work) {
    case Work::Triad:
        return memoryPeak();
    case Work::GemmFp64:
        return registerPeak(m_gpu.function("peak_fp64"), 256, sizeof(double));
    default:
        return registerPeak(m_gpu.function("peak_fp32"), 256, sizeof(float));
    }
}

void GpuLane::describe(Json& row) const
{
    row.set("device", "gpu").set("name", m_gpu.name).set("library", "own, PTX");
    if (!m_gpu.uuid.empty())
        row.set("uuid", m_gpu.uuid);
    row.set("cpus", allowedCpus().threads());
    if (!row.has("clock_limit") && m_gpu.clockLimit > 0)
        row.set("clock_limit", m_gpu.clockLimit);
}

} // namespace slipway::probe
