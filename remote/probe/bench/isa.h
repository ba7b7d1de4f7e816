// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// No header of the standard library here: isakernels.h is compiled for processors that this one may
// not be, and an inline function from there could be the copy that the linker keeps for everybody.

namespace slipway::probe {

/// The inner parts of a matrix product for one instruction set and one type: a tile of C of `rows`
/// × `columns` stays in registers. A and B come packed: slivers of `rows` rows (a[k][row]) and of
/// `columns` columns (b[k][column]), their depth filled up with zeros to a multiple of depthStep.
/// Functions are pure except for their output and may run in any thread.
template <typename T> struct TileKernel {
    int rows, columns;
    int depth; ///< so many steps are packed at once
    /// c[rows][columns] = a·b, or += where `add`; c has `stride` elements a row.
    void (*multiply)(long depth, const T* a, const T* b, T* c, long stride, bool add);
    /// One sliver of A from `count` ≤ rows rows.
    void (*packRows)(long depth, int count, const T* source, long stride, T* packed);
    /// `columns` columns of B into so many slivers as they need.
    void (*packColumns)(long depth, long columns, const T* source, long stride, T* packed);
};
constexpr int depthStep = 4;

/// Bodies in memory of 64 bytes' alignment, filled up to a multiple of `bodyStep` with some of no
/// mass.
struct BodyArrays {
    const float *x, *y, *z, *mass;
    float *pullX, *pullY, *pullZ;
    long count; ///< filled up
};
constexpr long bodyStep = 64;

/// Isa contains the kernels of one instruction set.
struct Isa {
    const char* name; ///< "AVX-512"
    bool (*runs)(); ///< on this processor, with this kernel
    TileKernel<float> single;
    TileKernel<double> twice;
    /// Multiplies and adds in registers alone, `loops` times over; the operations that were done.
    double (*peakSingle)(long loops);
    double (*peakTwice)(long loops);
    /// The force of all bodies on those from `begin` to `end`, both multiples of bodyStep.
    void (*pulls)(const BodyArrays& bodies, long begin, long end, float softening);
    /// c = a + factor·b; aligned to 64 bytes, `count` a multiple of 16.
    void (*triad)(const float* a, const float* b, float* c, float factor, long count);

    template <typename T> const TileKernel<T>& tile() const
    {
        if constexpr (sizeof(T) == 4)
            return single;
        else
            return twice;
    }
    template <typename T> double peak(long loops) const
    {
        return sizeof(T) == 4 ? peakSingle(loops) : peakTwice(loops);
    }
};

/// Those that were compiled in and run here, best first; the portable one is always last.
struct IsaList {
    const Isa* isas[4];
    int count;
    const Isa* const* begin() const { return isas; }
    const Isa* const* end() const { return isas + count; }
};
const IsaList& isas();

} // namespace slipway::probe
