// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/cpulane.h"

#include "remote/probe/bench/stats.h"
#include "remote/probe/node.h"

#include <algorithm>
#include <cstdlib>

namespace slipway::probe {
namespace {

constexpr long triadCount = 16L << 20; ///< elements of the memory's peak: more than caches hold

double microjoules(const std::string& file)
{
    const std::string text = readFile(file);
    return text.empty() ? -1 : std::strtod(text.c_str(), nullptr);
}

} // namespace

void ProcessorEnergy::begin()
{
    m_counters.clear();
    for (int package = 0; package < 16; ++package) {
        const std::string folder = "/sys/class/powercap/intel-rapl:" + std::to_string(package);
        const double now = microjoules(folder + "/energy_uj");
        // "psys" includes what the packages count.
        if (now > 0 && readFile(folder + "/name").rfind("package", 0) == 0)
            m_counters.push_back({folder, now});
    }
}

std::optional<double> ProcessorEnergy::joules() const
{
    double sum = 0;
    for (const Counter& counter : m_counters) {
        double used = microjoules(counter.folder + "/energy_uj") - counter.begin;
        if (used < 0)
            used += microjoules(counter.folder + "/max_energy_range_uj");
        if (used < 0)
            return {};
        sum += used / 1e6;
    }
    return m_counters.empty() ? std::optional<double>() : sum;
}

CpuLane::CpuLane(int threads, const AllowedCpus& cpus)
    : m_cpus(cpus)
    , m_team(threads, cpus.places(threads))
    , m_single(m_isa, m_team)
    , m_twice(m_isa, m_team)
{
}

/// Cuts 0 … count into parts of whole steps, several a thread, that threads take one by one.
void CpuLane::runParts(long count, long step, const std::function<void(long, long)>& part)
{
    const long steps = (count + step - 1) / step,
               wanted = m_team.size() == 1 ? 1 : 8L * m_team.size();
    const long size = std::max(1L, (steps + wanted - 1) / wanted) * step;
    std::atomic<long> next{0};
    m_team.run([&](int) {
        for (long begin; (begin = next.fetch_add(size)) < count;)
            part(begin, std::min(count, begin + size));
    });
}

BodyArrays CpuLane::bodies() const
{
    float* const in = m_floats[0]->data();
    float* const out = m_floats[1]->data();
    return {in, in + m_filled, in + 2 * m_filled, in + 3 * m_filled, out, out + m_filled,
        out + 2 * m_filled, m_filled};
}

void CpuLane::prepare(Work work, long size)
{
    m_work = work;
    m_size = size;
    const size_t count = isGemm(work) ? size_t(size) * size_t(size) : size_t(size + bodyStep) * 4;
    for (int i = 0; i < 3; ++i) {
        m_floats[i].reset();
        m_doubles[i].reset();
    }
    if (work == Work::GemmFp64) {
        for (auto& matrix : m_doubles)
            matrix = std::make_unique<Buffer<double>>(count);
    } else {
        for (auto& matrix : m_floats)
            matrix = std::make_unique<Buffer<float>>(
                work == Work::Triad ? size_t(size + bodyStep) : count);
    }
    if (work == Work::Nbody) {
        m_filled = (size + bodyStep - 1) / bodyStep * bodyStep;
        float* const in = m_floats[0]->data();
        for (long i = 0; i < m_filled; ++i) {
            const Body body = i < size ? bodyAt(i) : Body{0, 0, 0, 0};
            in[i] = body.x;
            in[m_filled + i] = body.y;
            in[2 * m_filled + i] = body.z;
            in[3 * m_filled + i] = body.mass;
        }
        return;
    }
    // Each part is first touched by a thread that may use it later: its memory lies near.
    m_filled = (size + 15) / 16 * 16;
    const long rows = isGemm(work) ? size : m_filled, step = isGemm(work) ? 1 : 4096;
    runParts(rows, step, [&](long begin, long end) {
        for (long i = begin; i < end; ++i) {
            for (int matrix = 0; matrix < 3; ++matrix) {
                for (long j = 0; j < (isGemm(work) ? size : 1); ++j) {
                    const long at = isGemm(work) ? i * size + j : i;
                    const double number =
                        matrix == 2 ? 0 : numberAt(uint64_t(matrix) + 1, uint64_t(at));
                    if (work == Work::GemmFp64)
                        m_doubles[matrix]->data()[at] = number;
                    else
                        m_floats[matrix]->data()[at] = float(number);
                }
            }
        }
    });
}

void CpuLane::runOnce()
{
    switch (m_work) {
    case Work::GemmFp32:
        m_single.multiply(m_size, m_size, m_size, m_floats[0]->data(), m_size, m_floats[1]->data(),
            m_size, m_floats[2]->data(), m_size);
        break;
    case Work::GemmFp64:
        m_twice.multiply(m_size, m_size, m_size, m_doubles[0]->data(), m_size, m_doubles[1]->data(),
            m_size, m_doubles[2]->data(), m_size);
        break;
    case Work::Triad:
        runParts(m_filled, 4096, [this](long begin, long end) {
            m_isa.triad(m_floats[0]->data() + begin, m_floats[1]->data() + begin,
                m_floats[2]->data() + begin, triadFactor, end - begin);
        });
        break;
    case Work::Nbody:
        runParts(m_filled, bodyStep,
            [this](long begin, long end) { m_isa.pulls(bodies(), begin, end, nbodySoftening); });
        break;
    }
}

double CpuLane::run(int times)
{
    const double begin = steadySeconds();
    for (int i = 0; i < times; ++i)
        runOnce();
    return steadySeconds() - begin;
}

Proof CpuLane::prove()
{
    switch (m_work) {
    case Work::GemmFp32:
        return proveGemm(
            m_floats[0]->data(), m_floats[1]->data(), m_floats[2]->data(), m_size, m_size);
    case Work::GemmFp64:
        return proveGemm(
            m_doubles[0]->data(), m_doubles[1]->data(), m_doubles[2]->data(), m_size, m_size);
    case Work::Triad:
        return proveTriad(m_floats[0]->data(), m_floats[1]->data(), m_floats[2]->data(), m_size);
    case Work::Nbody:
        break;
    }
    const BodyArrays all = bodies();
    return proveNbody(m_size, [&](long i) {
        return Body{all.pullX[i], all.pullY[i], all.pullZ[i], 0};
    });
}

double CpuLane::memoryPeak()
{
    if (m_memoryPeak > 0)
        return m_memoryPeak;
    Buffer<float> a(triadCount), b(triadCount), c(triadCount);
    const auto pass = [&] {
        const double begin = steadySeconds();
        runParts(triadCount, 4096, [&](long from, long to) {
            m_isa.triad(a.data() + from, b.data() + from, c.data() + from, triadFactor, to - from);
        });
        return bytesOf(Work::Triad, triadCount) / (steadySeconds() - begin);
    };
    runParts(triadCount, 4096, [&](long from, long to) {
        std::fill(a.data() + from, a.data() + to, 1.f);
        std::fill(b.data() + from, b.data() + to, 2.f);
        std::fill(c.data() + from, c.data() + to, 0.f);
    });
    for (int i = 0; i < 5; ++i)
        m_memoryPeak = std::max(m_memoryPeak, pass());
    return m_memoryPeak;
}

double CpuLane::peak(Work work)
{
    if (work == Work::Triad)
        return memoryPeak();
    constexpr long loops = 200'000;
    std::vector<double> operations(size_t(m_team.size()));
    const double begin = steadySeconds();
    m_team.run([&](int thread) {
        operations[size_t(thread)] =
            work == Work::GemmFp64 ? m_isa.peakTwice(loops) : m_isa.peakSingle(loops);
    });
    const double seconds = steadySeconds() - begin;
    double all = 0;
    for (const double one : operations)
        all += one;
    return all / seconds;
}

void CpuLane::describe(Json& row) const
{
    row.set("device", "cpu");
    if (const std::string name = processorName(); !name.empty())
        row.set("name", name);
    row.set("threads", m_team.size()).set("cpus", m_cpus.threads());
    row.set("library", std::string("own, ") + m_isa.name);
}

void CpuLane::beginWatch()
{
    m_energy.begin();
    m_watchBegin = steadySeconds();
}

void CpuLane::endWatch(Json& row, double pieces)
{
    const double seconds = steadySeconds() - m_watchBegin;
    // The counters move about a thousand times a second; less than that many steps are no
    // measurement.
    if (const std::optional<double> joules = m_energy.joules(); joules && seconds > 0.1)
        row.set("energy", *joules / pieces)
            .set("power", *joules / seconds)
            .set("energy_of", "the node's processors");
}

} // namespace slipway::probe
