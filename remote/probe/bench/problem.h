// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace slipway::probe {

/// The work of a race: the same work, numbers and verification on every lane.
enum class Work { GemmFp32, GemmFp64, Triad, Nbody };
std::optional<Work> workOf(std::string_view name); ///< "gemm-fp32"
const char* workName(Work work);
const char* sizeName(Work work); ///< "n", "elements", "bodies"
inline bool isGemm(Work work)
{
    return work == Work::GemmFp32 || work == Work::GemmFp64;
}

/// Of one piece of work. Bytes are those that must pass through memory (triad) or be there (the
/// others); an interaction of two bodies counts for 20 operations.
double operationsOf(Work work, long size);
double bytesOf(Work work, long size);
/// The largest size of this work; beyond it the sizes would not fit 32-bit indexes.
long mostSize(Work work);
/// The default sizes.
std::vector<long> usualSizes(Work work);

/// The i-th number of a series, from -0.5 up to 0.5; both lanes and the verification regenerate it.
inline double numberAt(uint64_t series, uint64_t i)
{
    uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u + series * 0xD1B54A32D192ED03u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return double((x ^ (x >> 31)) >> 40) / double(1 << 24) - 0.5;
}
/// `rows` rows of `columns` numbers, `stride` from one to the next, zeros between.
template <typename T>
void fillMatrix(T* out, long rows, long columns, long stride, uint64_t series);
struct Body {
    float x, y, z, mass;
};
Body bodyAt(long i); ///< in a cube of 2, of masses around 1
constexpr float nbodySoftening = 1e-3f;
constexpr float triadFactor = 1.25f;

/// How far a result is from one of higher precision, relative to the sum of what was added up, and
/// how far it may be. Not finite where the result is not.
struct Proof {
    double error = 0, bound = 0;
    bool holds() const { return error <= bound; } // false for NaN as well
};
/// 16 rows by 16 columns, the first and the last and others between, in double or better.
template <typename T> Proof proveGemm(const T* a, const T* b, const T* c, long n, long stride);
Proof proveTriad(const float* a, const float* b, const float* c, long count);
/// The pull on 32 of the bodies. `pulls` gives that on body i.
template <typename Pulls> Proof proveNbody(long count, Pulls pulls);

namespace detail {
struct Pull {
    double x = 0, y = 0, z = 0, sum = 0;
};
Pull pullOn(long i, long count);
double pullError(const Pull& exact, double x, double y, double z);
constexpr double nbodyBound = 2e-5;
/// `samples` places of 0 … count-1, the first and the last among them.
std::vector<long> places(long count, long samples);
} // namespace detail

template <typename Pulls> Proof proveNbody(long count, Pulls pulls)
{
    Proof proof{0, detail::nbodyBound};
    for (const long i : detail::places(count, 32)) {
        const Body pull = pulls(i);
        const double error = detail::pullError(
            detail::pullOn(i, count), double(pull.x), double(pull.y), double(pull.z));
        if (!(error <= proof.error))
            proof.error = error;
    }
    return proof;
}

} // namespace slipway::probe
