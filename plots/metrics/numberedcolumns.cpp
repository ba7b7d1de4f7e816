// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/numberedcolumns.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway::table {

namespace {

/// "step" in "--> step : The current simulation time step."; empty: there is no name.
std::string_view listedNameIn(std::string_view text)
{
    constexpr size_t longest = 40;
    for (const std::string_view sign : {"]", ")", ".", ":", "="})
        skip(text, sign);
    skipSpaces(text);
    for (const std::string_view sign : {"-->", "->", "=", ":"})
        skip(text, sign);
    skipSpaces(text);
    text = text.substr(0, std::min({text.find(" : "), text.find(": "), text.find("  ")}));
    text = trimmed(text);
    const bool isName = !text.empty() && text.size() <= longest && isLetter(text[0]);
    return isName ? text : std::string_view();
}

} // namespace

bool NumberedColumns::keep(std::string_view line)
{
    constexpr size_t most = 40, fewest = 2;
    line = trimmed(line);
    if (!skip(line, "#"))
        return false;
    skipSpaces(line);
    for (const std::string_view word : {"Column", "column", "Col", "col", "Field", "field", "["})
        skip(line, word);
    skipSpaces(line);
    const auto number = takeWholeCount(line);
    const std::string_view name = number ? listedNameIn(line) : std::string_view();
    if (name.empty() || (*number != double(m_count + 1) && *number != 1) || *number > most)
        return false;
    if (*number == 1) {
        m_heading.clear();
        m_count = 0;
    }
    ++m_count;
    std::string one(name);
    std::replace(one.begin(), one.end(), ' ', '_');
    std::replace(one.begin(), one.end(), '{', '(');
    std::replace(one.begin(), one.end(), '}', ')');
    m_heading.append("  ").append(one);
    return m_count >= fewest;
}

} // namespace slipway::table
