// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// DecimalComma replaces the commas in front of fractions by points: "0,166139", "123.526,57". A
/// comma may as well part thousands or columns, so a log must have shown first that it does not: by
/// a number behind words that can be nothing else. Passive; one for each log.
class DecimalComma {
public:
    enum class Form {
        None, ///< no number of the line has a comma
        Other, ///< one has, and proves nothing
        Proof ///< one may be the proof
    };
    /// Which digit a digit is does not matter.
    static Form formOf(std::string_view text);
    /// False: nothing was replaced, and `out` is of no use. The lines come in their order. `form`:
    /// that of the line, where it is known.
    bool apply(std::string_view text, Form form, std::string& out);
    bool apply(std::string_view text, std::string& out) { return apply(text, Form::Proof, out); }

private:
    bool m_isKnown = false;
};

} // namespace slipway
