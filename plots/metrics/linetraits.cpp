// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linetraits.h"

#include "plots/metrics/ranklabel.h"
#include "plots/metrics/translation.h"

namespace slipway {

LineTraits LineTraits::of(std::string_view shape)
{
    LineTraits traits;
    std::string_view rest = shape;
    traits.mayHaveLabel = takeRankLabel(rest) >= 0 || rest.size() != shape.size();
    traits.mayHaveTicks = shape.find('`') != std::string_view::npos;
    traits.comma = DecimalComma::formOf(shape);
    traits.mayBeForeign = Translation::mayApply(shape);
    traits.title = GroupTitles::readFormOf(shape);
    return traits;
}

} // namespace slipway
