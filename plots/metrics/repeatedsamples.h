// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <array>
#include <cstddef>
#include <vector>

namespace slipway {

/// RepeatedSamples drops what is printed again a few lines below, by another handler of a logger or
/// beside what came of it: "INFO:tensorflow:Step 100 loss=1.4" and "I0912 11:40:27 model.py:652]
/// Step 100 loss=1.4", "Epoch 3, val loss: 2.5953" and "saved the best model (val_loss=2.5953)". A
/// point has one value at its step. Passive; keeps the latest samples.
class RepeatedSamples {
public:
    /// Drops from `samples`, from `from` on, the lines that give nothing but what was given before.
    /// One that has no place of its own is another measurement.
    void drop(std::vector<Sample>& samples, size_t from);
    void clear() { *this = {}; }

private:
    static constexpr size_t most = 32;
    static constexpr size_t likenesses = 64;

    /// Below `likenesses`, and the same for equal numbers.
    static size_t likeness(double y);

    bool isAgain(const Sample* begin, const Sample* end) const;
    bool isGiven(const Sample& sample) const;
    void keep(const Sample& sample);

    /// The latest, and the oldest of them at m_next.
    std::array<double, most> m_x{}, m_y{};
    std::array<QString, most> m_series, m_lane;
    size_t m_count = 0, m_next = 0;
    std::array<int, likenesses> m_like{}; ///< how many of them are alike
};

} // namespace slipway
