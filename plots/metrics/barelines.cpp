// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/barelines.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t longestLabelAbove = 60, longestBareNumber = 40, longestBareUnit = 8;

/// "398.884", "87.28 %", "0.52 ms"
bool isNumberAlone(std::string_view text)
{
    if (text.size() > longestBareNumber || !takeNumber(text))
        return false;
    skipSpaces(text);
    return text.size() <= longestBareUnit && std::all_of(text.begin(), text.end(), [](char c) {
        return isLetter(c) || c == '%' || c == '/';
    });
}

/// "50000 :  91019": the space in front of the colon tells it from a time and from a rank.
bool nameValue(std::string_view text, std::string& named)
{
    if (text.size() > longestBareNumber || text.empty() || !isDigit(text[0]))
        return false;
    std::string_view rest = text;
    if (!takeWholeCount(rest))
        return false;
    const std::string_view place = text.substr(0, text.size() - rest.size());
    const size_t gap = rest.find_first_not_of(" \t");
    if (gap == 0 || gap == std::string_view::npos || rest[gap] != ':')
        return false;
    const std::string_view value = trimmed(rest.substr(gap + 1));
    if (!wholeNumber(value))
        return false;
    named.assign(place).append(" value = ").append(value);
    if (wholeCount(value))
        named.append(".0"); // what was measured, whole or not
    return true;
}

} // namespace

bool BareLines::name(std::string_view text, std::string& named)
{
    text = trimmed(text);
    if (text.empty())
        return false;
    if (text.back() == ':') {
        const bool isLabel = text.size() <= longestLabelAbove && isLetter(text[0]);
        m_label.assign(isLabel ? text : std::string_view());
        return false;
    }
    if (!m_label.empty() && isNumberAlone(text)) {
        named.assign(m_label).append(" ").append(text);
        return true;
    }
    m_label.clear();
    return nameValue(text, named);
}

} // namespace slipway
