// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <algorithm>
#include <cstddef>

namespace slipway {

/// RisenX is how far the x of a curve has risen, without ever going back. A value.
struct RisenX {
    size_t count = 0; ///< of its points
    double first = 0, second = 0, last = 0;

    /// Whether a point at `x` is of another run: near the first one, or before it where the log
    /// began later.
    bool beginsAgainAt(double x) const
    {
        constexpr size_t least = 3, many = 5;
        constexpr double near = 0.05; // of the way
        if (count < least)
            return false;
        // The first point of another run may be missing where it equals that of the run before.
        const double begin = count >= many ? second : first;
        return x < last && x <= std::max(begin, first + near * (last - first));
    }
};

} // namespace slipway
