// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/anchorscan.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t blocks = 1 << 15;

/// Five bits per letter: upper and lower case have the same code, and other collisions are resolved
/// when the anchor is compared.
size_t blockOf(const char* at)
{
    return (size_t(at[0]) & 0x1f) << 10 | (size_t(at[1]) & 0x1f) << 5 | (size_t(at[2]) & 0x1f);
}

} // namespace

AnchorScan::AnchorScan(const std::vector<std::string>& anchors)
    : m_anchors(anchors)
    , m_skip(blocks, uint8_t(shortest - block + 1))
    , m_first(blocks + 1, 0)
{
    for (std::string& anchor : m_anchors)
        std::transform(anchor.begin(), anchor.end(), anchor.begin(), toLowerCase);
    std::vector<std::vector<uint16_t>> ends(blocks);
    for (size_t i = 0; i < m_anchors.size(); ++i) {
        if (m_anchors[i].size() < shortest)
            continue;
        for (size_t at = 0; at + block <= shortest; ++at) {
            uint8_t& skip = m_skip[blockOf(m_anchors[i].data() + at)];
            skip = std::min(skip, uint8_t(shortest - block - at));
        }
        ends[blockOf(m_anchors[i].data() + shortest - block)].push_back(uint16_t(i));
    }
    for (size_t i = 0; i < blocks; ++i) {
        m_order.insert(m_order.end(), ends[i].begin(), ends[i].end());
        m_first[i + 1] = uint16_t(m_order.size());
    }
}

AnchorScan AnchorScan::ofShapes() const
{
    std::vector<std::string> anchors = m_anchors;
    for (std::string& anchor : anchors)
        std::replace_if(anchor.begin(), anchor.end(), isDigit, '0');
    return AnchorScan(anchors);
}

bool AnchorScan::standsAt(const std::string& anchor, std::string_view line, size_t at) const
{
    if (anchor.size() > line.size() - at)
        return false;
    return std::equal(anchor.begin(), anchor.end(), line.begin() + std::ptrdiff_t(at),
        [](char a, char b) { return a == toLowerCase(b); });
}

void AnchorScan::scan(std::string_view line, std::vector<Hit>& hits) const
{
    hits.clear();
    if (line.size() < shortest || m_order.empty())
        return;
    const size_t last = line.size() - block;
    for (size_t end = shortest - block; end <= last;) {
        const size_t found = blockOf(line.data() + end);
        const uint8_t skip = m_skip[found];
        if (skip > 0) {
            end += skip;
            continue;
        }
        const size_t begin = end + block - shortest;
        for (size_t i = m_first[found]; i < m_first[found + 1]; ++i) {
            if (standsAt(m_anchors[m_order[i]], line, begin)) {
                hits.push_back({m_order[i], begin});
                if (hits.size() >= mostHits)
                    return;
            }
        }
        ++end;
    }
}

} // namespace slipway
