// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string_view>

namespace slipway {

/// A line of the loggers of Google's libraries. The views point into the line.
struct GlogLine {
    char level = 'I'; ///< I, W, E or F
    bool dated = false; ///< began with a calendar date, as TensorFlow writes it
    bool early = false; ///< began with "E0000": logged before the logger was set up
    std::string_view source; ///< "common.cpp:181"
    std::string_view text;
};

/// "2024-03-12 08:22:45.549012: I tensorflow/core/x.cc:210] text",
/// "E0000 00:00:1737747335.458692 3502451 cuda_dnn.cc:8310] text" or
/// "I0228 07:00:05.208596    18 common.cpp:181] text".
std::optional<GlogLine> readGlog(std::string_view line);

} // namespace slipway
