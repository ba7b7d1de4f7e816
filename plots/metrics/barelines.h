// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// BareLines rewrites lines that lack something for the grammar. Numbers on lines of their own get
/// the name above them, "Validation accuracies:"; in "50000 :  91019" the second is a value at the
/// first; "epoch12: loss 0.5" gets a space, "-----Epoch 12-----" loses its frame, "1;0.5" its
/// semicolons, and the row "Epoch 1  0.5" below "Epoch  loss" its word; the numbers of "iter 1:
/// -799.8  1.06" get the names above them. Passive; bounded.
class BareLines {
public:
    /// Whether a line may be one that what stands on it alone shows to lack something. Which digit
    /// a digit is does not matter.
    static bool mayBe(std::string_view text);
    /// Lines in their order, without their prefixes. True: `named` is what is to be read instead.
    bool name(std::string_view text, std::string& named) { return name(text, mayBe(text), named); }
    /// The same for a line of which mayBe() is known.
    bool name(std::string_view text, bool isOne, std::string& named);
    /// The same for a line without digits, of which less is to be looked at.
    bool nameWords(std::string_view text, std::string& named);

private:
    bool nameBelowLabel(std::string_view text, std::string& named);

    std::string m_heading; ///< the first word of the last line without a number
    std::string m_names; ///< that line, if it may have several names
    std::string m_label; ///< the line above, up to its colon; empty: it has none
};

} // namespace slipway
