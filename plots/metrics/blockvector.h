// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QtGlobal>

#include <array>
#include <memory>
#include <vector>

namespace slipway {

/// A vector in blocks: appending to ten million points never copies them, and wastes at most one
/// block.
template <typename T> class BlockVector {
public:
    static constexpr int bits = 12;
    static constexpr size_t blockSize = size_t(1) << bits;

    size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const T& operator[](size_t i) const { return m_blocks[i >> bits]->items[i & (blockSize - 1)]; }
    const T& back() const { return (*this)[m_size - 1]; }
    void push_back(const T& value)
    {
        if ((m_size & (blockSize - 1)) == 0)
            m_blocks.push_back(std::make_unique_for_overwrite<Block>());
        m_blocks.back()->items[m_size++ & (blockSize - 1)] = value;
    }
    size_t bytes() const { return m_blocks.size() * sizeof(Block); }

private:
    /// Sixteen floats from a multiple of sixteen on are one line of the processor's cache.
    struct alignas(64) Block {
        std::array<T, blockSize> items;
    };
    std::vector<std::unique_ptr<Block>> m_blocks;
    size_t m_size = 0;
};

} // namespace slipway
