// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/cpus.h"
#include "remote/probe/bench/isa.h"
#include "remote/probe/bench/team.h"

#include <cstddef>
#include <memory>

namespace slipway::probe {

/// Memory in whole huge pages where available: a product uses more pages than the TLB holds. Its
/// content is undefined. Aborts where there is none, as new would.
template <typename T> class Buffer {
public:
    explicit Buffer(size_t count);
    T* data() const { return m_data.get(); }

private:
    struct Free {
        void operator()(T* data) const;
    };
    std::unique_ptr<T, Free> m_data;
};
extern template class Buffer<float>;
extern template class Buffer<double>;

/// The blocking of a product, so that its parts stay in the caches. A value; pure.
struct GemmBlocks {
    long rows, columns, depth; ///< of the packed blocks of A (rows × depth) and B (depth × columns)
    long together; ///< slivers of A that one sliver of B is multiplied with in turn
    long groups; ///< of rows, so that there is work for every thread
};
template <typename T>
GemmBlocks gemmBlocks(
    const TileKernel<T>& tile, const CacheSizes& caches, int threads, long m, long n, long k);

/// Gemm multiplies matrices, row by row in memory, with the kernels of one instruction set. All
/// threads of the team pack A together and then take blocks of columns one by one, so that a thread
/// which another program delays does not hold up the others for long. Owned and used by one thread.
template <typename T> class Gemm {
public:
    Gemm(const Isa& isa, Team& team, CacheSizes caches = cacheSizes());
    /// c (m × n) = a (m × k) · b (k × n); `stride…` in elements from one row to the next.
    void multiply(long m, long n, long k, const T* a, long strideA, const T* b, long strideB, T* c,
        long strideC);

private:
    struct Problem;
    struct Tile;
    void packA(const Problem& problem, long step, long part, T* packed) const;
    void multiplyPart(const Problem& problem, long step, long part, int thread, const T* left);
    void multiplyTile(const Tile& tile, const T* left, const T* right, T* c) const;

    const TileKernel<T>& m_tile;
    Team& m_team;
    CacheSizes m_caches;
    std::unique_ptr<Buffer<T>> m_rows, m_columns;
    size_t m_rowsSize = 0, m_columnsSize = 0;
    std::vector<long> m_packed; ///< what a thread's block of A holds
};
extern template class Gemm<float>;
extern template class Gemm<double>;

} // namespace slipway::probe
