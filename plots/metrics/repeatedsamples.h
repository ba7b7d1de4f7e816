// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <cstddef>
#include <vector>

namespace slipway {

/// RepeatedSamples drops what two handlers of a logger print with other words before it:
/// "INFO:tensorflow:Step 100 loss=1.4" and "I0912 11:40:27 model.py:652] Step 100 loss=1.4". A
/// point has one value at its step. Passive; keeps what the last line gave.
class RepeatedSamples {
public:
    /// Drops from `samples`, from `from` on, the lines that give just what the line before them
    /// gave. One that has no place of its own is another measurement.
    void drop(std::vector<Sample>& samples, size_t from);
    void clear() { m_last.clear(); }

private:
    struct Given {
        QString series, lane;
        double x = 0, y = 0;
    };
    static constexpr size_t most = 32;

    bool isAgain(const Sample* begin, const Sample* end) const;

    std::vector<Given> m_last;
};

} // namespace slipway
