// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/objectlines.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

bool isQuote(char c)
{
    return c == '"' || c == '\'';
}

/// How many more braces and brackets a line opens than it closes, outside of quoted texts.
int depthOf(std::string_view text)
{
    int depth = 0;
    char quote = '\0';
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote && c == '\\')
            ++i;
        else if (quote)
            quote = c == quote ? '\0' : quote;
        else if (isQuote(c))
            quote = c;
        else if (c == '{' || c == '[')
            ++depth;
        else if (c == '}' || c == ']')
            --depth;
    }
    return depth;
}

} // namespace

/// "{", "Evaluation: {", "{'epoch': 1,", "Evaluation: {'epoch': 1,"
bool ObjectLines::opens(std::string_view text)
{
    constexpr size_t longestTitle = 80;
    const size_t brace = text.substr(0, longestTitle).find('{');
    const bool isBegun = brace != std::string_view::npos && text.ends_with(',')
        && brace + 1 < text.size() && isQuote(text[brace + 1]);
    const bool isAlone =
        text == "{" || text == "[{" || (text.ends_with(": {") && text.size() <= longestTitle);
    return (isAlone || isBegun) && depthOf(text) > 0;
}

/// "'loss': 0.5,", "}", "0.25,"
bool ObjectLines::goesOn(std::string_view text) const
{
    if (text.empty() || text.size() > longest)
        return false;
    if (text[0] == '}' || text[0] == ']' || text[0] == '{')
        return true;
    const bool isElement = text.back() == ',' || isDigit(text.back()) || text.back() == ']';
    if (isDigit(text[0]) || text[0] == '-')
        return isElement;
    if (!isQuote(text[0]))
        return false;
    const size_t close = text.find(text[0], 1);
    return close != std::string_view::npos
        && (text.substr(close + 1).starts_with(':') || text.substr(close + 1).starts_with(" :"));
}

ObjectLines::Taken ObjectLines::take(const LogLine& line)
{
    if (!isOpen() && (line.text.empty() || line.progress))
        return Taken::No;
    if (!isOpen()) {
        const char last = line.text.back(); // of most lines, another one
        if (last != '{' && last != ',')
            return Taken::No;
        const std::string_view text = trimmed(line.text);
        if (text.size() > longest || !opens(text))
            return Taken::No;
        m_rank = line.rank;
        m_text.clear();
    } else if (line.rank != m_rank) {
        return Taken::No;
    }
    const std::string_view text = trimmed(line.text);
    const int depth = m_depth + depthOf(text);
    const bool fits = m_held.empty() || (goesOn(text) && m_held.size() < mostLines);
    if (!fits || depth < 0 || line.progress) {
        m_depth = 0;
        return Taken::Broken;
    }
    m_depth = depth;
    m_text.append(m_text.empty() ? "" : " ").append(text);
    if (depth > 0) {
        m_held.push_back({std::string(line.text), line.number, line.end, line.mayCount});
        return Taken::Held;
    }
    m_held.clear();
    if (m_text.ends_with(','))
        m_text.pop_back(); // of a list of them
    return Taken::Whole;
}

std::vector<ObjectLines::Line> ObjectLines::takeHeld()
{
    m_depth = 0;
    return std::exchange(m_held, {});
}

} // namespace slipway
