// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/glogline.h"

#include "plots/metrics/scan.h"

namespace slipway {

namespace {

bool isLevel(char c)
{
    return c == 'I' || c == 'W' || c == 'E' || c == 'F';
}

/// Whether the text has this shape: '0' matches any digit, other characters match themselves.
bool hasShape(std::string_view text, std::string_view shape)
{
    if (text.size() < shape.size())
        return false;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == '0' ? !isDigit(text[i]) : text[i] != shape[i])
            return false;
    }
    return true;
}

/// "file.cc:210" before the bracket.
bool isSource(std::string_view word)
{
    const size_t colon = word.rfind(':');
    return colon != std::string_view::npos && colon > 0 && word.find('.') < colon
        && wholeCount(word.substr(colon + 1));
}

} // namespace

std::optional<GlogLine> readGlog(std::string_view line)
{
    skipSpaces(line);
    if (line.size() < 20)
        return {};
    GlogLine read;
    if (hasShape(line, "0000-00-00 00:00:00.")) {
        const size_t end = line.find(": ", 20);
        if (end == std::string_view::npos || end > 32 || end + 4 > line.size()
            || line[end + 3] != ' ')
            return {};
        read.level = line[end + 2];
        read.dated = true;
        line.remove_prefix(end + 4);
    } else if (isLevel(line[0]) && hasShape(line.substr(1), "0000 00:00:")) {
        read.level = line[0];
        read.early = line.substr(1, 4) == "0000";
        takeWord(line);
        takeWord(line);
        if (!wholeCount(takeWord(line)))
            return {};
        skipSpaces(line);
    } else {
        return {};
    }
    const size_t bracket = line.substr(0, 512).find("] ");
    if (!isLevel(read.level) || bracket == std::string_view::npos)
        return {};
    read.source = line.substr(0, bracket);
    read.text = trimmed(line.substr(bracket + 2));
    if (!isSource(read.source))
        return {};
    return read;
}

} // namespace slipway
