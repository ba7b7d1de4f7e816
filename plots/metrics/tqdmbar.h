// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linevalue.h"

#include <array>
#include <optional>
#include <string_view>

namespace slipway {

/// One bar of tqdm: "Epoch 4: 100%|████| 512/512 [00:03<00:00, 129.19it/s, train_loss=0.2]".
/// The views point into the line.
struct TqdmBar {
    std::string_view description; ///< "Epoch 4"; empty without one
    double done = 0;
    double total = 0;
    double elapsed = 0; ///< seconds
    bool bytes = false; ///< counts bytes: a download
    std::optional<double> rate; ///< in units per second, even if the text has seconds per unit
    std::string_view unit; ///< "it", "examples"
    std::array<LinePair, 32> numbers; ///< "loss=0.2, metrics={'acc': 0.9}", "loss: 0.2"
    size_t count = 0;
};

/// Reads the next bar of a line and removes it from `rest`; false when there is no complete one.
/// Text before it, from a line that a carriage return overwrote, may be in its description.
bool takeTqdmBar(std::string_view& rest, const MetricNames& names, TqdmBar& bar);

} // namespace slipway
