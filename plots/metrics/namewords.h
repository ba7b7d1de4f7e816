// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"

#include <string_view>

namespace slipway {

/// Words up to a colon, an equals sign or a number: "elapsed time per iteration (ms)". The views
/// point into the line.
struct NameWords {
    std::string_view text;
    std::string_view last; ///< the last one
    std::string_view qualified; ///< with other words in parentheses behind them: "r (abs)"
    int count = 0;
    bool isStated = false; ///< "is" stood behind them
    const MetricUnit* unit = nullptr; ///< in parentheses behind them
};

/// Takes the words of a name from the start of `rest`, with norms, expressions and parentheses.
NameWords takeNameWords(std::string_view& rest, const MetricNames& names);

/// Whether a name may begin with it.
inline bool startsName(char c)
{
    return isOfKind(c, bytekind::letter | bytekind::underscore | bytekind::greek) || c == '%';
}

/// Whether it may stand within a name.
inline bool isNamePart(char c)
{
    return isOfKind(c,
        bytekind::letter | bytekind::digit | bytekind::underscore | bytekind::joiner
            | bytekind::mark | bytekind::greek | bytekind::within);
}

/// "(B r, r) =": one past an expression that a value is assigned to; 0: it is none.
size_t behindExpression(std::string_view text);
/// One past a norm that a value is assigned to, or a quotient of norms before a value; 0: it is
/// none.
size_t behindNorm(std::string_view text);
/// "<r,r> =": one past an inner product that a value is assigned to; 0: it is none.
size_t behindProduct(std::string_view text);

} // namespace slipway
