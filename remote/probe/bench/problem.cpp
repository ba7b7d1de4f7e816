// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/problem.h"

#include <algorithm>
#include <cmath>

namespace slipway::probe {
namespace {

struct WorkText {
    Work work;
    const char* name;
    const char* size;
};
constexpr WorkText works[] = {
    {Work::GemmFp32, "gemm-fp32", "n"},
    {Work::GemmFp64, "gemm-fp64", "n"},
    {Work::Triad, "triad", "elements"},
    {Work::Nbody, "nbody", "bodies"},
};

const WorkText& textOf(Work work)
{
    return *std::ranges::find(works, work, &WorkText::work);
}

} // namespace

std::optional<Work> workOf(std::string_view name)
{
    for (const WorkText& text : works) {
        if (name == text.name)
            return text.work;
    }
    return {};
}

const char* workName(Work work)
{
    return textOf(work).name;
}
const char* sizeName(Work work)
{
    return textOf(work).size;
}

double operationsOf(Work work, long size)
{
    const double n = double(size);
    switch (work) {
    case Work::GemmFp32:
    case Work::GemmFp64:
        return 2 * n * n * n;
    case Work::Triad:
        return 2 * n;
    case Work::Nbody:
        break;
    }
    return 20 * n * n;
}

double bytesOf(Work work, long size)
{
    const double n = double(size);
    switch (work) {
    case Work::GemmFp32:
        return 3 * n * n * 4;
    case Work::GemmFp64:
        return 3 * n * n * 8;
    case Work::Triad:
        return 3 * n * 4;
    case Work::Nbody:
        break;
    }
    return 2 * n * 16;
}

long mostSize(Work work)
{
    return isGemm(work) ? 32768 : work == Work::Triad ? 1L << 30 : 1L << 22;
}

std::vector<long> usualSizes(Work work)
{
    switch (work) {
    case Work::GemmFp32:
        return {256, 512, 1024, 2048, 4096, 8192, 16384};
    case Work::GemmFp64:
        return {256, 512, 1024, 2048, 4096, 8192};
    case Work::Triad:
        return {1L << 16, 1L << 18, 1L << 20, 1L << 22, 1L << 24, 1L << 26, 1L << 28};
    case Work::Nbody:
        break;
    }
    return {1024, 4096, 16384, 65536, 262144};
}

template <typename T> void fillMatrix(T* out, long rows, long columns, long stride, uint64_t series)
{
    for (long i = 0; i < rows; ++i) {
        for (long j = 0; j < columns; ++j)
            out[i * stride + j] = T(numberAt(series, uint64_t(i * columns + j)));
        std::fill(out + i * stride + columns, out + (i + 1) * stride, T(0));
    }
}

Body bodyAt(long i)
{
    const auto at = [&](uint64_t series) { return float(numberAt(series, uint64_t(i))); };
    return {2 * at(11), 2 * at(12), 2 * at(13), 1 + at(14)};
}

namespace detail {

std::vector<long> places(long count, long samples)
{
    std::vector<long> places;
    for (long s = 0; s < samples; ++s) {
        const long even = samples > 1 ? (count - 1) * s / (samples - 1) : 0;
        // A little off, so that not every place is at the edge of a tile.
        const long place = s == 0 || s == samples - 1
            ? even
            : std::min(count - 1, even + long(numberAt(99, uint64_t(s)) * 7));
        if (place >= 0 && (places.empty() || place > places.back()))
            places.push_back(place);
    }
    return places;
}

Pull pullOn(long i, long count)
{
    Pull pull;
    const Body me = bodyAt(i);
    for (long j = 0; j < count; ++j) {
        const Body other = bodyAt(j);
        const double dx = double(other.x) - me.x, dy = double(other.y) - me.y,
                     dz = double(other.z) - me.z;
        const double square = dx * dx + dy * dy + dz * dz + double(nbodySoftening);
        const double strength = other.mass / (square * std::sqrt(square));
        pull.x += strength * dx;
        pull.y += strength * dy;
        pull.z += strength * dz;
        pull.sum += std::abs(strength) * std::sqrt(dx * dx + dy * dy + dz * dz);
    }
    return pull;
}

double pullError(const Pull& exact, double x, double y, double z)
{
    const double off = std::sqrt((x - exact.x) * (x - exact.x) + (y - exact.y) * (y - exact.y)
        + (z - exact.z) * (z - exact.z));
    return exact.sum > 0 ? off / exact.sum : off;
}

} // namespace detail

template <typename T> Proof proveGemm(const T* a, const T* b, const T* c, long n, long stride)
{
    using Better = std::conditional_t<sizeof(T) == 4, double, long double>;
    Proof proof{0, sizeof(T) == 4 ? 1e-5 : 2e-14};
    for (const long i : detail::places(n, 16)) {
        for (const long j : detail::places(n, 16)) {
            Better exact = 0, sum = 0;
            for (long k = 0; k < n; ++k) {
                const Better product = Better(a[i * stride + k]) * Better(b[k * stride + j]);
                exact += product;
                sum += product < 0 ? -product : product;
            }
            const Better off = std::abs(Better(c[i * stride + j]) - exact);
            const double error = double(sum > 0 ? off / sum : off);
            if (!(error <= proof.error))
                proof.error = error;
        }
    }
    return proof;
}

Proof proveTriad(const float* a, const float* b, const float* c, long count)
{
    Proof proof{0, 2e-7};
    for (const long i : detail::places(count, std::min(count, 100'000L))) {
        const double left = double(a[i]), right = double(triadFactor) * double(b[i]),
                     sum = std::abs(left) + std::abs(right);
        const double off = std::abs(double(c[i]) - (left + right)),
                     error = sum > 0 ? off / sum : off;
        if (!(error <= proof.error))
            proof.error = error;
    }
    return proof;
}

template void fillMatrix(float*, long, long, long, uint64_t);
template void fillMatrix(double*, long, long, long, uint64_t);
template Proof proveGemm(const float*, const float*, const float*, long, long);
template Proof proveGemm(const double*, const double*, const double*, long, long);

} // namespace slipway::probe
