// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/decimalcomma.h"
#include "plots/metrics/grouptitles.h"

#include <string_view>

namespace slipway {

/// What is done to a line before it is read, as far as its shape tells: the same for all lines that
/// differ only in their digits. Of a shape that nobody has looked at, all is possible.
struct LineTraits {
    bool mayHaveLabel = true; ///< of a rank, or what stands around it
    bool mayHaveTicks = true; ///< around numbers
    DecimalComma::Form comma = DecimalComma::Form::Proof; ///< in front of a fraction
    bool mayBeForeign = true; ///< in another language than English
    TitleForm title = {}; ///< see GroupTitles::readFormOf()

    /// `shape`: a line, each digit shown as "0".
    static LineTraits of(std::string_view shape);
};

} // namespace slipway
