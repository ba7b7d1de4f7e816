// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// BareLines names numbers that stand on lines of their own: below "Validation accuracies:" they
/// are that, and in "50000 :  91019" the second is a value at the first. Passive; bounded.
class BareLines {
public:
    /// Lines in their order, without their prefixes. True: `named` is what the line stands for.
    bool name(std::string_view text, std::string& named);

private:
    std::string m_heading; ///< the first word of the last line without a number
    std::string m_label; ///< the line above, up to its colon; empty: it has none
};

} // namespace slipway
