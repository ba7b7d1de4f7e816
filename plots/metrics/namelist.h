// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linevalue.h"

#include <array>
#include <string_view>

namespace slipway {

/// Names side by side, and behind a colon or an arrow as many numbers in their order:
/// "RMS, max velocity: 17.9 m/s, 25.3 m/s", "Dis/Gen Cost: 0.5/0.7".
struct NameList {
    static constexpr size_t most = 12;

    std::string_view set; ///< the data set before the names: "val, loss, acc ==> 0.5, 0.7"
    std::array<LinePair, most> pairs; ///< with their values
    std::array<std::string_view, most> texts; ///< where each was read
    size_t count = 0;

    /// Takes the list that `rest` begins with. False: it does not begin with one.
    bool take(std::string_view& rest, const MetricNames& names);
    /// The numbers are read in another way than one by one.
    bool isShared() const { return m_separator == '/'; }

private:
    bool takeTwo(std::string_view& rest, const MetricNames& names);
    bool readNames(std::string_view left, char separator, const MetricNames& names);
    bool areShort() const;
    bool readNumbers(std::string_view& rest, char separator, const MetricNames& names);

    char m_separator = ',';
};

} // namespace slipway
