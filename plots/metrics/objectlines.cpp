// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/objectlines.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <iterator>
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

/// "'loss': 0.5,", "}", "0.25,", "\"adam\","
bool ObjectLines::goesOn(std::string_view text)
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
    if (close == std::string_view::npos)
        return false;
    const std::string_view behind = text.substr(close + 1);
    return behind.empty() || behind == "," || behind.starts_with(':') || behind.starts_with(" :");
}

ObjectLines::Taken ObjectLines::take(const LogLine& line)
{
    auto open = m_open.empty() ? m_open.end() : m_open.find(line.rank);
    if (open == m_open.end()) {
        // Most lines have another last byte.
        if (line.text.empty() || (line.text.back() != '{' && line.text.back() != ',')
            || line.progress || m_open.size() >= mostOpen)
            return Taken::No;
        const std::string_view text = trimmed(line.text);
        if (text.size() > longest || !opens(text))
            return Taken::No;
        open = m_open.try_emplace(line.rank).first;
    }
    Object& object = open->second;
    const std::string_view text = trimmed(line.text);
    const int depth = object.depth + depthOf(text);
    const bool fits = object.held.empty() || (goesOn(text) && object.held.size() < mostLines);
    if (!fits || depth < 0 || line.progress)
        return Taken::Broken;
    object.depth = depth;
    object.text.append(object.text.empty() ? "" : " ").append(text);
    if (depth > 0) {
        object.held.push_back(
            {std::string(line.text), line.number, line.end, line.rank, line.mayCount});
        return Taken::Held;
    }
    m_text = std::move(object.text);
    m_open.erase(open);
    if (m_text.ends_with(','))
        m_text.pop_back(); // of a list of them
    return Taken::Whole;
}

std::vector<ObjectLines::Line> ObjectLines::takeHeld(int rank)
{
    const auto open = m_open.find(rank);
    if (open == m_open.end())
        return {};
    std::vector<Line> held = std::move(open->second.held);
    m_open.erase(open);
    return held;
}

std::vector<ObjectLines::Line> ObjectLines::takeHeld()
{
    std::vector<Line> held;
    for (auto& [rank, object] : m_open)
        std::move(object.held.begin(), object.held.end(), std::back_inserter(held));
    m_open.clear();
    std::sort(
        held.begin(), held.end(), [](const Line& a, const Line& b) { return a.number < b.number; });
    return held;
}

} // namespace slipway
