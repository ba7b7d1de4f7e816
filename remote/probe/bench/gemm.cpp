// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/gemm.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace slipway::probe {
namespace {

constexpr size_t hugePage = 2 << 20;
constexpr long sliversAPack = 8; // of A, packed by one thread in one go
constexpr int maxTile = 16 * 128; // elements

long ceilDiv(long a, long b)
{
    return (a + b - 1) / b;
}
long roundUp(long a, long b)
{
    return ceilDiv(a, b) * b;
}

} // namespace

template <typename T> Buffer<T>::Buffer(size_t count)
{
    const size_t bytes = size_t(roundUp(long(count * sizeof(T) + 1), long(hugePage)));
    void* memory = nullptr;
    if (posix_memalign(&memory, hugePage, bytes) != 0)
        throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE); // advice only: small pages work too
    m_data.reset(static_cast<T*>(memory));
}

template <typename T> void Buffer<T>::Free::operator()(T* data) const
{
    std::free(data);
}

template <typename T>
GemmBlocks gemmBlocks(
    const TileKernel<T>& tile, const CacheSizes& caches, int threads, long m, long n, long k)
{
    GemmBlocks blocks{};
    // The steps of the depth are as many as they must be, and equal.
    blocks.depth = roundUp(ceilDiv(k, std::max(1L, ceilDiv(k, tile.depth))), depthStep);
    const long bytes = std::max(1L, blocks.depth) * long(sizeof(T));
    // Of two slivers, the one that several tiles need in turn stays in the first cache: B's where
    // it fits beside A's. Then a quarter of the second cache is for B and half of it for A; else
    // half is for B, and the rest for what passes through.
    const bool reuseB = tile.columns * bytes <= caches.first / 2;
    blocks.together = reuseB ? std::max(1L, caches.second / 2 / bytes / tile.rows) : 1;
    const long most = std::max(
        long(tile.columns), caches.second / (reuseB ? 4 : 2) / bytes / tile.columns * tile.columns);
    long count = ceilDiv(n, most);
    if (threads > 1 && n >= 2L * tile.columns * threads)
        count = roundUp(count, threads); // every thread gets as many
    blocks.columns = std::max(1L, roundUp(ceilDiv(n, std::max(1L, count)), tile.columns));
    const long highest = std::clamp(caches.third / 2, 4L << 20, 16L << 20) / bytes;
    blocks.rows = roundUp(ceilDiv(m, std::max(1L, ceilDiv(m, highest))), tile.rows);
    const long tasks = ceilDiv(n, blocks.columns);
    const long slivers = ceilDiv(blocks.rows, tile.rows);
    blocks.groups =
        tasks >= threads ? 1 : std::clamp(ceilDiv(threads, std::max(1L, tasks)), 1L, slivers);
    return blocks;
}

/// One product: what is multiplied, and how it is cut. A step is one packed block of A.
template <typename T> struct Gemm<T>::Problem {
    long m, n, k;
    const T* a;
    const T* b;
    T* c;
    long strideA, strideB, strideC;
    GemmBlocks blocks;
    long depthSteps() const { return ceilDiv(k, blocks.depth); }
    long steps() const { return depthSteps() * ceilDiv(m, blocks.rows); }
    long parts() const { return ceilDiv(n, blocks.columns) * blocks.groups; }
    /// Where a step begins and how far it goes.
    long firstRow(long step) const { return step / depthSteps() * blocks.rows; }
    long rows(long step) const { return std::min(blocks.rows, m - firstRow(step)); }
    long firstDepth(long step) const { return step % depthSteps() * blocks.depth; }
    long depth(long step) const { return std::min(blocks.depth, k - firstDepth(step)); }
};

/// A tile of C: how far it goes, and whether it is added to what is there.
template <typename T> struct Gemm<T>::Tile {
    long depth, height, width, stride;
    bool add;
};

template <typename T>
Gemm<T>::Gemm(const Isa& isa, Team& team, CacheSizes caches)
    : m_tile(isa.tile<T>())
    , m_team(team)
    , m_caches(caches)
{
}

template <typename T> void Gemm<T>::packA(const Problem& p, long step, long part, T* packed) const
{
    const long depth = p.depth(step), filled = roundUp(depth, depthStep),
               end = std::min(p.rows(step), (part + 1) * sliversAPack * m_tile.rows);
    for (long i = part * sliversAPack * m_tile.rows; i < end; i += m_tile.rows)
        m_tile.packRows(depth, int(std::min<long>(m_tile.rows, end - i)),
            p.a + (p.firstRow(step) + i) * p.strideA + p.firstDepth(step), p.strideA,
            packed + i * filled);
}

template <typename T>
void Gemm<T>::multiplyPart(const Problem& p, long step, long part, int thread, const T* left)
{
    const int tileRows = m_tile.rows, tileColumns = m_tile.columns;
    const long depth = p.depth(step), filled = roundUp(depth, depthStep);
    const long block = part / p.blocks.groups, firstColumn = block * p.blocks.columns,
               columns = std::min(p.blocks.columns, p.n - firstColumn);
    T* const right = m_columns->data() + size_t(thread) * size_t(p.blocks.columns * p.blocks.depth);
    if (long& holds = m_packed[size_t(thread)]; holds != step * p.parts() + block) {
        holds = step * p.parts() + block;
        m_tile.packColumns(
            depth, columns, p.b + p.firstDepth(step) * p.strideB + firstColumn, p.strideB, right);
    }
    const long rows = p.rows(step), slivers = ceilDiv(rows, tileRows),
               group = part % p.blocks.groups;
    const long end = std::min(rows, slivers * (group + 1) / p.blocks.groups * tileRows);
    const long together = p.blocks.together * tileRows;
    for (long first = slivers * group / p.blocks.groups * tileRows; first < end;
         first += together) {
        for (long j = 0; j < columns; j += tileColumns) {
            for (long i = first; i < std::min(end, first + together); i += tileRows)
                multiplyTile({filled, std::min<long>(tileRows, rows - i),
                                 std::min<long>(tileColumns, columns - j), p.strideC,
                                 p.firstDepth(step) > 0},
                    left + i * filled, right + j * filled,
                    p.c + (p.firstRow(step) + i) * p.strideC + firstColumn + j);
        }
    }
}

template <typename T>
void Gemm<T>::multiplyTile(const Tile& tile, const T* left, const T* right, T* c) const
{
    if (tile.height == m_tile.rows && tile.width == m_tile.columns) {
        m_tile.multiply(tile.depth, left, right, c, tile.stride, tile.add);
        return;
    }
    alignas(64) T edge[maxTile];
    m_tile.multiply(tile.depth, left, right, edge, m_tile.columns, false);
    for (long y = 0; y < tile.height; ++y) {
        for (long x = 0; x < tile.width; ++x) {
            T& out = c[y * tile.stride + x];
            out = edge[y * m_tile.columns + x] + (tile.add ? out : T(0));
        }
    }
}

template <typename T>
void Gemm<T>::multiply(
    long m, long n, long k, const T* a, long strideA, const T* b, long strideB, T* c, long strideC)
{
    if (m <= 0 || n <= 0)
        return;
    if (k <= 0) {
        for (long i = 0; i < m; ++i)
            std::fill_n(c + i * strideC, n, T(0));
        return;
    }
    const int threads = m_team.size();
    const Problem p{m, n, k, a, b, c, strideA, strideB, strideC,
        gemmBlocks(m_tile, m_caches, threads, m, n, k)};
    const size_t rowsSize = size_t(p.blocks.rows * p.blocks.depth),
                 columnsSize = size_t(p.blocks.columns * p.blocks.depth) * size_t(threads);
    if (rowsSize * 2 > m_rowsSize)
        m_rows = std::make_unique<Buffer<T>>(m_rowsSize = rowsSize * 2);
    if (columnsSize > m_columnsSize)
        m_columns = std::make_unique<Buffer<T>>(m_columnsSize = columnsSize);
    m_packed.assign(size_t(threads), -1);

    // While the parts of a step are multiplied, a thread without a part packs A for the next step.
    const long steps = p.steps();
    std::vector<std::atomic<long>> parts(static_cast<size_t>(steps)),
        packs(static_cast<size_t>(steps));
    Gate gate(threads);
    const auto packed = [&](long step) { return m_rows->data() + size_t(step % 2) * rowsSize; };
    const auto pack = [&](long step) {
        const long count = ceilDiv(p.rows(step), sliversAPack * m_tile.rows);
        for (long part; (part = packs[size_t(step)].fetch_add(1)) < count;)
            packA(p, step, part, packed(step));
    };
    m_team.run([&](int thread) {
        pack(0);
        for (long step = 0; step < steps; ++step) {
            if (threads > 1)
                gate.wait();
            for (long part; (part = parts[size_t(step)].fetch_add(1)) < p.parts();)
                multiplyPart(p, step, part, thread, packed(step));
            if (step + 1 < steps)
                pack(step + 1);
        }
    });
}

template class Buffer<float>;
template class Buffer<double>;
template class Gemm<float>;
template class Gemm<double>;
template GemmBlocks gemmBlocks(const TileKernel<float>&, const CacheSizes&, int, long, long, long);
template GemmBlocks gemmBlocks(const TileKernel<double>&, const CacheSizes&, int, long, long, long);

} // namespace slipway::probe
