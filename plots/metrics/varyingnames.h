// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace slipway {

/// VaryingNames holds the numbers of a program's own names back until two of one name differ: what
/// is always the same is a setting or a total, and no curve. Passive and bounded, whatever the log
/// prints.
class VaryingNames {
public:
    /// Moves the number to `out`, with those that were held before it, once its name varies.
    void add(Sample&& sample, std::vector<Sample>& out);
    /// The log has ended: what was printed once does not say whether it would have varied.
    void finish(std::vector<Sample>& out);

private:
    struct Name {
        double first = 0;
        bool varies = false;
        std::vector<Sample> held; ///< the first, and the last of the others
        size_t next = 1; ///< the place of the oldest of these
    };
    /// Most names come from the same few strings: of those that vary, by where they lie.
    std::vector<QString> m_varying;
    QString& varyingAt(const QString& series)
    {
        constexpr size_t places = 16;
        m_varying.resize(places);
        return m_varying[(reinterpret_cast<quintptr>(series.constData()) >> 4) % m_varying.size()];
    }
    static constexpr size_t mostNames = 256; ///< others pass
    static constexpr size_t mostHeld = 16;

    std::unordered_map<size_t, Name> m_names; ///< by the hash of series and lane
};

} // namespace slipway
