// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// AnchorScan finds which of many short ASCII texts occur in a line, ignoring case, in one pass
/// that skips most bytes: the search of Wu and Manber with blocks of three letters. Built once,
/// then constant and shared; the cost per line hardly depends on the number of texts.
class AnchorScan {
public:
    /// A shorter anchor would make every skip shorter.
    static constexpr size_t shortest = 6;

    /// `anchors` of at least `shortest` characters; duplicates are allowed.
    explicit AnchorScan(const std::vector<std::string>& anchors = {});

    struct Hit {
        int anchor; ///< its place in the list
        size_t position; ///< where in the line it begins
    };
    /// All hits in the order of the line, at most `mostHits`.
    void scan(std::string_view line, std::vector<Hit>& hits) const;

    static constexpr size_t mostHits = 64; ///< a hostile line may repeat one text

    /// The same anchors with each of their digits as "0". What finds nothing in a line whose digits
    /// are shown so, too, finds nothing in any line of its shape.
    AnchorScan ofShapes() const;

private:
    static constexpr size_t block = 3;

    bool standsAt(const std::string& anchor, std::string_view line, size_t at) const;

    std::vector<std::string> m_anchors; ///< in lower case
    std::vector<uint8_t> m_skip; ///< by block: how far the window may advance
    std::vector<uint16_t> m_first; ///< by block: where its anchors begin in m_order
    std::vector<uint16_t> m_order;
};

} // namespace slipway
