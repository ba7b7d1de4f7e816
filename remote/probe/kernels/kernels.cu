// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "device.h"

/// What every thread of `verify` must come to; the host works it out as well (bench/verify.h).
DEVICE unsigned mixed(unsigned value)
{
    for (int round = 0; round < 32; ++round) {
        value ^= value >> 15;
        value *= 2246822519u;
        value ^= value >> 13;
        value += 2654435769u;
    }
    return value;
}

/// An exact answer: through registers, shared memory, a barrier and an atomic sum. 256 threads a
/// block.
KERNEL BLOCK_OF(256) verify(unsigned* out, unsigned* sum, unsigned seed)
{
    SHARED unsigned exchange[256];
    const unsigned i = unsigned(blockX() * 256 + thread());
    exchange[thread()] = mixed(i ^ seed);
    __syncthreads();
    const unsigned value = exchange[255 - thread()] + i;
    out[i] = value;
    addTo(sum, value);
}

/// c = a·b for n a multiple of 128: a block of 256 threads makes 128 × 128 of c, a thread 8 × 8 in
/// four corners of it, so that neighbours read neighbouring shared memory. The next slice comes
/// from memory while this one is multiplied.
KERNEL BLOCKS_OF(256, 2) sgemm(const float* a, const float* b, float* c, int n)
{
    constexpr int tile = 128, slice = 8,
                  pitch = tile / 4 + 1; // one more: columns fall into different banks
    SHARED Float4 left[2][slice][pitch];
    SHARED Float4 right[2][slice][tile / 4];
    const int id = thread(), row = id / 16, column = id % 16;
    const int leftRow = id / 2, leftStep = id % 2 * 4, rightStep = id / 32, rightColumn = id % 32;
    const float* nextLeft = a + (long(blockY()) * tile + leftRow) * n + leftStep;
    const float* nextRight = b + long(rightStep) * n + long(blockX()) * tile + rightColumn * 4;
    const auto keep = [&](int buffer, Float4 l, Float4 r) {
        float* column0 = reinterpret_cast<float*>(&left[buffer][leftStep][0]) + leftRow;
        column0[0] = l.x;
        column0[pitch * 4] = l.y;
        column0[pitch * 8] = l.z;
        column0[pitch * 12] = l.w;
        right[buffer][rightStep][rightColumn] = r;
    };
    float sum[8][8] = {};
    keep(
        0, *reinterpret_cast<const Float4*>(nextLeft), *reinterpret_cast<const Float4*>(nextRight));
    __syncthreads();
    int buffer = 0;
    for (int begin = 0; begin < n; begin += slice, buffer ^= 1) {
        nextLeft += slice;
        nextRight += long(slice) * n;
        Float4 l, r;
        const bool more = begin + slice < n;
        if (more) {
            l = *reinterpret_cast<const Float4*>(nextLeft);
            r = *reinterpret_cast<const Float4*>(nextRight);
        }
        const Float4 *const fromLeft = &left[buffer][0][row],
                            *const fromRight = &right[buffer][0][column];
#pragma unroll 2
        for (int k = 0; k < slice; ++k) {
            const Float4 x[2] = {fromLeft[k * pitch], fromLeft[k * pitch + 16]};
            const Float4 y[2] = {fromRight[k * (tile / 4)], fromRight[k * (tile / 4) + 16]};
#pragma unroll
            for (int i = 0; i < 8; ++i) {
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sum[i][j] += x[i / 4][i % 4] * y[j / 4][j % 4];
            }
        }
        if (more) {
            keep(buffer ^ 1, l, r);
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        float* out = c + (long(blockY()) * tile + row * 4 + i / 4 * 64 + i % 4) * n
            + long(blockX()) * tile + column * 4;
        *reinterpret_cast<Float4*>(out) = Float4{sum[i][0], sum[i][1], sum[i][2], sum[i][3]};
        *reinterpret_cast<Float4*>(out + 64) = Float4{sum[i][4], sum[i][5], sum[i][6], sum[i][7]};
    }
}

/// The same for doubles: n a multiple of 64, a block makes 64 × 64, a thread 4 × 4.
KERNEL BLOCKS_OF(256, 2) dgemm(const double* a, const double* b, double* c, int n)
{
    constexpr int tile = 64, slice = 8, pitch = tile / 2 + 1;
    SHARED Double2 left[2][slice][pitch];
    SHARED Double2 right[2][slice][tile / 2];
    const int id = thread(), row = id / 16, column = id % 16;
    const int leftRow = id / 4, leftStep = id % 4 * 2, rightStep = id / 32, rightColumn = id % 32;
    const double* nextLeft = a + (long(blockY()) * tile + leftRow) * n + leftStep;
    const double* nextRight = b + long(rightStep) * n + long(blockX()) * tile + rightColumn * 2;
    const auto keep = [&](int buffer, Double2 l, Double2 r) {
        double* column0 = reinterpret_cast<double*>(&left[buffer][leftStep][0]) + leftRow;
        column0[0] = l.x;
        column0[pitch * 2] = l.y;
        right[buffer][rightStep][rightColumn] = r;
    };
    double sum[4][4] = {};
    keep(0, *reinterpret_cast<const Double2*>(nextLeft),
        *reinterpret_cast<const Double2*>(nextRight));
    __syncthreads();
    int buffer = 0;
    for (int begin = 0; begin < n; begin += slice, buffer ^= 1) {
        nextLeft += slice;
        nextRight += long(slice) * n;
        Double2 l, r;
        const bool more = begin + slice < n;
        if (more) {
            l = *reinterpret_cast<const Double2*>(nextLeft);
            r = *reinterpret_cast<const Double2*>(nextRight);
        }
#pragma unroll
        for (int k = 0; k < slice; ++k) {
            const Double2 x[2] = {left[buffer][k][row], left[buffer][k][row + 16]};
            const Double2 y[2] = {right[buffer][k][column], right[buffer][k][column + 16]};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += x[i / 2][i % 2] * y[j / 2][j % 2];
            }
        }
        if (more) {
            keep(buffer ^ 1, l, r);
            __syncthreads();
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        double* out = c + (long(blockY()) * tile + row * 2 + i / 2 * 32 + i % 2) * n
            + long(blockX()) * tile + column * 2;
        *reinterpret_cast<Double2*>(out) = Double2{sum[i][0], sum[i][1]};
        *reinterpret_cast<Double2*>(out + 32) = Double2{sum[i][2], sum[i][3]};
    }
}

/// c = a + factor·b, `count` in groups of four.
KERNEL BLOCK_OF(256) triad(const Float4* a, const Float4* b, Float4* c, float factor, long count)
{
    for (long i = everyThread(); i < count; i += threads())
        c[i] = a[i] + factor * b[i];
}

/// The pull of all bodies (x, y, z, mass) on each, softened; `count` a multiple of 256.
KERNEL BLOCK_OF(256) nbody(const Float4* bodies, Float4* pulls, int count, float softening)
{
    SHARED Float4 near[256];
    const Float4 me = bodies[everyThread()];
    float px = 0, py = 0, pz = 0;
    for (int begin = 0; begin < count; begin += 256) {
        near[thread()] = bodies[begin + thread()];
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < 256; ++j) {
            const Float4 other = near[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = __nvvm_rsqrt_approx_f(dx * dx + dy * dy + dz * dz + softening);
            const float pull = other.w * inverse * inverse * inverse;
            px += pull * dx;
            py += pull * dy;
            pz += pull * dz;
        }
        __syncthreads();
    }
    pulls[everyThread()] = Float4{px, py, pz, 0};
}

template <typename T> DEVICE void multiplyAdd(T* out, int loops)
{
    const T factor = T(0.999) + T(thread()) * T(1e-7), term = T(0.001);
    T sum[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int loop = 0; loop < loops; ++loop) {
#pragma unroll
        for (int again = 0; again < 16; ++again) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
                sum[i] = sum[i] * factor + term;
        }
    }
    T all = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        all += sum[i];
    out[everyThread()] = all;
}

/// Registers alone: 128 products and sums a thread and loop.
KERNEL BLOCK_OF(256) peak_fp32(float* out, int loops)
{
    multiplyAdd(out, loops);
}
KERNEL BLOCK_OF(256) peak_fp64(double* out, int loops)
{
    multiplyAdd(out, loops);
}

KERNEL BLOCK_OF(256) fill(unsigned* words, unsigned seed, long count)
{
    for (long i = everyThread(); i < count; i += threads())
        words[i] = unsigned(i) * 2654435761u ^ seed;
}

/// Adds to `wrong` how many words are not what `fill` wrote.
KERNEL BLOCK_OF(256) check(const unsigned* words, unsigned seed, long count, unsigned* wrong)
{
    unsigned found = 0;
    for (long i = everyThread(); i < count; i += threads())
        found += words[i] != (unsigned(i) * 2654435761u ^ seed);
    if (found)
        addTo(wrong, found);
}

/// Adds to `wrong` how many words of the two differ: two runs of one
/// product on one card are the same to the last bit.
KERNEL BLOCK_OF(256)
    compare(const unsigned* one, const unsigned* other, long count, unsigned* wrong)
{
    unsigned found = 0;
    for (long i = everyThread(); i < count; i += threads())
        found += one[i] != other[i];
    if (found)
        addTo(wrong, found);
}
