// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/tickednumbers.h"

#include "plots/metrics/scan.h"

namespace slipway {

bool withoutTicks(std::string_view text, std::string& out)
{
    size_t open = text.find('`');
    if (open == std::string_view::npos)
        return false;
    out.clear();
    bool isReplaced = false;
    while (open != std::string_view::npos) {
        const size_t close = text.find('`', open + 1);
        if (close == std::string_view::npos)
            break;
        const std::string_view inside = text.substr(open + 1, close - open - 1);
        const bool isNumber = wholeNumber(inside).has_value();
        isReplaced = isReplaced || isNumber;
        out.append(text.substr(0, open));
        out.append(isNumber ? inside : text.substr(open, close + 1 - open));
        text.remove_prefix(close + 1);
        open = text.find('`');
    }
    out.append(text);
    return isReplaced;
}

} // namespace slipway
