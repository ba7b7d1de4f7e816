// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/ranklabel.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

/// Up to six digits: a million ranks are enough, and a longer number is not a rank.
int takeDigits(std::string_view& rest)
{
    int value = 0;
    size_t digits = 0;
    while (digits < rest.size() && isDigit(rest[digits]) && digits < 7)
        value = value * 10 + (rest[digits++] - '0');
    if (digits == 0 || digits > 6)
        return -1;
    rest.remove_prefix(digits);
    return value;
}

/// "Sun Dec 24 09:52:05 2017[1,0]<stdout>:": what mpirun --timestamp-output writes before the
/// label.
void skipTimeOfMpirun(std::string_view& text)
{
    constexpr size_t size = 24;
    if (text.size() > size && text[size] == '[' && isDigit(text[size - 1]) && text[13] == ':'
        && text[16] == ':' && text.substr(size, 24).find("]<std") != std::string_view::npos)
        text.remove_prefix(size);
}

/// "trainer-1  | [0] loss 0.5": the name of a service, which docker compose writes before a label.
void skipService(std::string_view& text)
{
    const size_t bar = text.find("| [");
    if (bar == std::string_view::npos || bar < 2 || text[bar - 1] != ' ' || isDigit(text[0]))
        return;
    const std::string_view name = trimmed(text.substr(0, bar));
    const auto isOfName = [](char c) { return isWordCharacter(c) || c == '-'; };
    std::string_view label = text.substr(bar + 3);
    if (std::all_of(name.begin(), name.end(), isOfName) && takeDigits(label) >= 0
        && label.starts_with("] "))
        text.remove_prefix(bar + 2);
}

/// "[1] \"epoch 1 loss 0.5\"": what R's print() writes around a text. The number is no rank.
bool takePrinted(std::string_view& text)
{
    std::string_view rest = text;
    if (!skip(rest, "[1] \"") || rest.size() < 2 || !rest.ends_with('"'))
        return false;
    rest.remove_suffix(1);
    text = rest;
    return true;
}

} // namespace

int takeRankLabel(std::string_view& text, bool* mayCount)
{
    skipTimeOfMpirun(text);
    skipService(text);
    if (takePrinted(text))
        return -1;
    std::string_view rest = text;
    skipSpaces(rest);
    if (rest.empty() || (rest[0] != '[' && !isDigit(rest[0])))
        return -1;
    const bool bracket = skip(rest, "[");
    int rank = takeDigits(rest);
    if (rank < 0)
        return -1;
    bool labelled = false;
    if (!bracket) {
        // "12: 34" has a label just as "12: text" has: srun writes exactly one space after the
        // colon.
        labelled = skip(rest, ": ") || rest == ":";
    } else {
        if (skip(rest, ",") && (rank = takeDigits(rest)) < 0)
            return -1;
        if (!skip(rest, "]"))
            return -1;
        labelled = skip(rest, "<stdout>:") || skip(rest, "<stderr>:") || skip(rest, ": ")
            || (!rest.starts_with("  ") && skip(rest, " ")); // "[10]   train-rmse:0.5" counts
    }
    if (!labelled)
        return -1;
    if (rest == ":")
        rest = {};
    if (mayCount) // "[10] train-rmse:0.5", "34:     learn: 0.9", "3073: mean reward -20.4"
        *mayCount = bracket ? text[rest.data() - text.data() - 2] == ']'
                            : rest.starts_with(' ') || rank >= mostRanks;
    text = rest;
    return rank;
}

} // namespace slipway
