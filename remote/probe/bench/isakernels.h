// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Included once for every instruction set (isa_….cpp), compiled with that set's flags and with
// SLIPWAY_ISA, the name of the Isa that this makes. All else in here is local to the file.

#include "remote/probe/bench/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace slipway::probe {
namespace {

#if defined(__AVX512F__)
constexpr int vectorBytes = 64, tileRows = 8, tileVectors = 3,
              chains = 24; // 24 of 32 registers hold C
constexpr const char* isaName = "AVX-512";
bool isaRuns()
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
}
#elif defined(__AVX2__)
constexpr int vectorBytes = 32, tileRows = 6, tileVectors = 2, chains = 12; // 12 of 16
constexpr const char* isaName = "AVX2";
bool isaRuns()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#elif defined(__ARM_NEON)
constexpr int vectorBytes = 16, tileRows = 8, tileVectors = 3, chains = 24; // 24 of 32
constexpr const char* isaName = "NEON";
bool isaRuns()
{
    return true;
}
#else
constexpr int vectorBytes = 16, tileRows = 4, tileVectors = 2,
              chains = 12; // 8 of 16, and the products need some
constexpr const char* isaName = "plain";
bool isaRuns()
{
    return true;
}
#endif
#if defined(__AVX2__) && !defined(__AVX512F__)
constexpr int tileDepth = 256; // a sliver of B is 16 KiB: half of the first cache
#else
constexpr int tileDepth = 384;
#endif

template <typename T> struct Vectors {
    typedef T Whole __attribute__((vector_size(vectorBytes), may_alias));
    typedef T Anywhere __attribute__((vector_size(vectorBytes), aligned(sizeof(T)), may_alias));
    typedef T Quarter __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
    static constexpr int width = vectorBytes / sizeof(T);
};

/// Without this GCC 12 moves a tile's sums from register to register, and one of them to memory and
/// back.
template <typename Tile> [[gnu::always_inline]] inline void keepInRegisters(Tile& sum)
{
#pragma GCC unroll 32
    for (auto& row : sum) {
#pragma GCC unroll 4
        for (auto& one : row) {
#if defined(__aarch64__)
            asm("" : "+w"(one));
#elif defined(__x86_64__)
            asm("" : "+x"(one));
#endif
        }
    }
}

template <typename T>
void multiply(long depth, const T* __restrict a, const T* __restrict b, T* __restrict c,
    long stride, bool add)
{
    using Vector = typename Vectors<T>::Whole;
    using Anywhere = typename Vectors<T>::Anywhere;
    constexpr int width = Vectors<T>::width, columns = tileVectors * width;
    Vector sum[tileRows][tileVectors];
#pragma GCC unroll 32
    for (int i = 0; i < tileRows; ++i) {
#pragma GCC unroll 4
        for (int j = 0; j < tileVectors; ++j)
            sum[i][j] = Vector{};
    }
    // The tile of C is fetched one line a step: all at once would take the places in which lines of
    // A and B are awaited. Those two the processor foresees itself; asking for them takes loads
    // from the work.
    constexpr int lines = (columns * int(sizeof(T)) + 127) / 64; // of a row that begins anywhere
    const T* row = c;
    int line = 0;
    for (long step = 0; step < depth; step += depthStep) {
        __builtin_prefetch(
            row + (line == lines - 1 ? columns - 1 : line * 64 / long(sizeof(T))), 1);
        if (++line == lines) {
            line = 0;
            row += row == c + (tileRows - 1) * stride ? 0 : stride;
        }
#pragma GCC unroll 4
        for (int k = 0; k < depthStep; ++k) {
            Vector right[tileVectors];
#pragma GCC unroll 4
            for (int j = 0; j < tileVectors; ++j)
                right[j] = *reinterpret_cast<const Vector*>(b + k * columns + j * width);
#pragma GCC unroll 32
            for (int i = 0; i < tileRows; ++i) {
                const Vector left = a[k * tileRows + i] - Vector{};
#pragma GCC unroll 4
                for (int j = 0; j < tileVectors; ++j)
                    sum[i][j] += left * right[j];
            }
        }
        keepInRegisters(sum);
        a += depthStep * tileRows;
        b += depthStep * columns;
    }
#pragma GCC unroll 32
    for (int i = 0; i < tileRows; ++i) {
#pragma GCC unroll 4
        for (int j = 0; j < tileVectors; ++j) {
            auto* out = reinterpret_cast<Anywhere*>(c + i * stride + j * width);
            *out = add ? *out + sum[i][j] : sum[i][j];
        }
    }
}

long padded(long depth)
{
    return (depth + depthStep - 1) / depthStep * depthStep;
}

/// Four rows (two, of doubles) and as many columns change places.
template <typename T> inline void transpose(const T* source, long stride, T* packed)
{
    using Quarter = typename Vectors<T>::Quarter;
    const auto in = [&](int row) {
        return *reinterpret_cast<const Quarter*>(source + row * stride);
    };
    const auto out = [&](int column) -> Quarter& {
        return *reinterpret_cast<Quarter*>(packed + column * tileRows);
    };
    if constexpr (sizeof(T) == 4) {
        const Quarter r0 = in(0), r1 = in(1), r2 = in(2), r3 = in(3);
        const Quarter low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5),
                      high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
        const Quarter low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5),
                      high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
        out(0) = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
        out(1) = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
        out(2) = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
        out(3) = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
    } else {
        const Quarter r0 = in(0), r1 = in(1);
        out(0) = __builtin_shufflevector(r0, r1, 0, 2);
        out(1) = __builtin_shufflevector(r0, r1, 1, 3);
    }
}

template <typename T> void packRows(long depth, int count, const T* source, long stride, T* packed)
{
    constexpr int square = 16 / sizeof(T), squares = tileRows / square * square;
    long begin = 0;
    if (count == tileRows) {
        for (; begin + square <= depth; begin += square) {
#pragma GCC unroll 8
            for (int row = 0; row < squares; row += square)
                transpose(source + row * stride + begin, stride, packed + begin * tileRows + row);
#pragma GCC unroll 8
            for (int row = squares; row < tileRows; ++row) {
#pragma GCC unroll 4
                for (int k = 0; k < square; ++k)
                    packed[(begin + k) * tileRows + row] = source[row * stride + begin + k];
            }
        }
    }
    for (long k = begin; k < padded(depth); ++k) {
        for (int row = 0; row < tileRows; ++row)
            packed[k * tileRows + row] = k < depth && row < count ? source[row * stride + k] : T(0);
    }
}

template <typename T>
void packColumns(long depth, long count, const T* source, long stride, T* packed)
{
    using Vector = typename Vectors<T>::Whole;
    using Anywhere = typename Vectors<T>::Anywhere;
    constexpr int width = Vectors<T>::width, columns = tileVectors * width;
    const long sliver = padded(depth) * columns; // elements from one sliver to the next
    const long whole = count / columns;
    for (long k = 0; k < depth; ++k) {
        const T* in = source + k * stride;
        T* out = packed + k * columns;
        for (long s = 0; s < whole; ++s, in += columns, out += sliver) {
#pragma GCC unroll 4
            for (int j = 0; j < tileVectors; ++j)
                *reinterpret_cast<Vector*>(out + j * width) =
                    *reinterpret_cast<const Anywhere*>(in + j * width);
        }
        if (whole * columns < count) {
            for (int j = 0; j < columns; ++j)
                out[j] = whole * columns + j < count ? in[j] : T(0);
        }
    }
    for (long k = depth; k < padded(depth); ++k) {
        for (long s = 0; s * columns < count; ++s) {
            for (int j = 0; j < columns; ++j)
                packed[s * sliver + k * columns + j] = T(0);
        }
    }
}

template <typename T> double peak(long loops)
{
    using Vector = typename Vectors<T>::Whole;
    Vector sum[chains];
#pragma GCC unroll 32
    for (int i = 0; i < chains; ++i)
        sum[i] = T(1 + i) - Vector{};
    Vector factor = T(0.999) - Vector{}, term = T(0.001) - Vector{};
    // Hidden from the compiler, which would work all of it out beforehand.
#if defined(__aarch64__)
    asm volatile("" : "+w"(factor), "+w"(term));
#else
    asm volatile("" : "+x"(factor), "+x"(term));
#endif
    for (long loop = 0; loop < loops; ++loop) {
#pragma GCC unroll 32
        for (int i = 0; i < chains; ++i)
            sum[i] = sum[i] * factor + term;
    }
    Vector all{};
#pragma GCC unroll 32
    for (int i = 0; i < chains; ++i)
        all += sum[i];
    volatile T kept = all[0];
    (void)kept;
    return 2.0 * Vectors<T>::width * chains * double(loops);
}

using Floats = Vectors<float>::Whole;

/// 1/√v to the last bits of a float: the processor's guess, and Newton's steps.
Floats inverseRoot(Floats v)
{
#if defined(__AVX512F__)
    Floats root = (Floats)_mm512_rsqrt14_ps((__m512)v);
    constexpr int steps = 1;
#elif defined(__AVX2__)
    Floats root = (Floats)_mm256_rsqrt_ps((__m256)v);
    constexpr int steps = 1;
#elif defined(__x86_64__)
    Floats root = (Floats)_mm_rsqrt_ps((__m128)v);
    constexpr int steps = 1;
#elif defined(__ARM_NEON)
    Floats root = (Floats)vrsqrteq_f32((float32x4_t)v);
    constexpr int steps = 2;
#else
    Floats root{};
    for (int i = 0; i < Vectors<float>::width; ++i)
        root[i] = 1 / __builtin_sqrtf(v[i]);
    constexpr int steps = 0;
#endif
    for (int i = 0; i < steps; ++i)
        root = root * (1.5f - 0.5f * v * root * root);
    return root;
}

void pulls(const BodyArrays& bodies, long begin, long end, float softening)
{
    using Anywhere = Vectors<float>::Anywhere;
    constexpr int width = Vectors<float>::width,
                  atOnce = 2; // two vectors of bodies hide each other's waits
    const auto vector = [](const float* from) {
        return Floats(*reinterpret_cast<const Anywhere*>(from));
    };
    for (long i = begin; i < end; i += atOnce * width) {
        Floats x[atOnce], y[atOnce], z[atOnce], px[atOnce], py[atOnce], pz[atOnce];
        for (int v = 0; v < atOnce; ++v) {
            x[v] = vector(bodies.x + i + v * width);
            y[v] = vector(bodies.y + i + v * width);
            z[v] = vector(bodies.z + i + v * width);
            px[v] = py[v] = pz[v] = Floats{};
        }
        for (long j = 0; j < bodies.count; ++j) {
            for (int v = 0; v < atOnce; ++v) {
                const Floats dx = bodies.x[j] - x[v], dy = bodies.y[j] - y[v],
                             dz = bodies.z[j] - z[v];
                const Floats inverse = inverseRoot(dx * dx + dy * dy + dz * dz + softening);
                const Floats pull = bodies.mass[j] * inverse * inverse * inverse;
                px[v] += pull * dx;
                py[v] += pull * dy;
                pz[v] += pull * dz;
            }
        }
        for (int v = 0; v < atOnce; ++v) {
            *reinterpret_cast<Anywhere*>(bodies.pullX + i + v * width) = px[v];
            *reinterpret_cast<Anywhere*>(bodies.pullY + i + v * width) = py[v];
            *reinterpret_cast<Anywhere*>(bodies.pullZ + i + v * width) = pz[v];
        }
    }
}

/// What is written past the caches is not read first, which would be a third more traffic.
void triad(const float* a, const float* b, float* c, float factor, long count)
{
    constexpr int width = Vectors<float>::width;
    for (long i = 0; i < count; i += width) {
        const Floats result = *reinterpret_cast<const Floats*>(a + i)
            + factor * *reinterpret_cast<const Floats*>(b + i);
#if defined(__AVX512F__)
        _mm512_stream_ps(c + i, (__m512)result);
#elif defined(__AVX2__)
        _mm256_stream_ps(c + i, (__m256)result);
#elif defined(__x86_64__)
        _mm_stream_ps(c + i, (__m128)result);
#else
        *reinterpret_cast<Floats*>(c + i) = result;
#endif
    }
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

template <typename T> constexpr TileKernel<T> tile()
{
    return {tileRows, tileVectors * Vectors<T>::width, tileDepth, multiply<T>, packRows<T>,
        packColumns<T>};
}

} // namespace

extern const Isa SLIPWAY_ISA;
const Isa SLIPWAY_ISA = {
    isaName, isaRuns, tile<float>(), tile<double>(), peak<float>, peak<double>, pulls, triad};

} // namespace slipway::probe
