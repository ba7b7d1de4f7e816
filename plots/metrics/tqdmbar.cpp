// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/tqdmbar.h"

#include "plots/metrics/scan.h"

#include <cmath>

namespace slipway {

namespace {

/// The prefix that tqdm uses for scaled units: 1000 for "k"; 1, without removing anything, for
/// none.
double takePrefix(std::string_view& rest)
{
    static constexpr std::string_view prefixes = "kMGTP";
    if (rest.empty())
        return 1;
    const size_t prefix = prefixes.find(rest[0]);
    if (prefix == std::string_view::npos)
        return 1;
    rest.remove_prefix(1);
    return std::pow(1000.0, static_cast<double>(prefix + 1));
}

/// "40", "1.50k", "440M"; no sign, no NaN.
std::optional<double> takeScaledCount(std::string_view& rest)
{
    if (rest.empty() || !isDigit(rest[0]))
        return {};
    const auto number = takeNumber(rest);
    if (!number)
        return {};
    return *number * takePrefix(rest);
}

/// "Epoch 4:  45" → 45 is cut off, and the description is "Epoch 4".
bool takeDescription(std::string_view before, TqdmBar& bar)
{
    size_t digits = 0;
    while (digits < 4 && digits < before.size() && isDigit(before[before.size() - 1 - digits]))
        ++digits;
    if (digits == 0 || digits > 3)
        return false;
    before.remove_suffix(digits);
    before = trimmed(before);
    if (before.ends_with(':'))
        before.remove_suffix(1);
    bar.description = trimmed(before);
    return true;
}

/// The bar itself: blocks, or "#" and digits on a terminal that has none.
bool skipBlocks(std::string_view& rest)
{
    for (size_t i = 0; i < rest.size(); ++i) {
        const char c = rest[i];
        if (c == '|') {
            rest.remove_prefix(i + 1);
            return true;
        }
        if (c != ' ' && c != '#' && !isDigit(c) && static_cast<unsigned char>(c) < 0x80)
            return false;
    }
    return false;
}

/// "32.85it/s", "1.52s/it", "5123.11 examples/s", "?it/s"
bool readRate(std::string_view text, TqdmBar& bar)
{
    text = trimmed(text);
    if (skip(text, "?"))
        return text.find('/') != std::string_view::npos;
    const auto value = takeNumber(text);
    if (!value || !(*value >= 0))
        return false;
    skipSpaces(text);
    if (skip(text, "s/")) {
        bar.unit = text;
        bar.bytes = bar.bytes || text == "B";
        if (*value > 0)
            bar.rate = 1 / *value;
        return !text.empty();
    }
    if (!text.ends_with("/s") || text.size() > 40)
        return false;
    text.remove_suffix(2);
    const std::string_view whole = text;
    double factor = takePrefix(text);
    if (text != "it" && text != "B") {
        text = whole; // "kittens" is a unit, "kit" is a thousand
        factor = 1;
    }
    bar.unit = text;
    bar.bytes = bar.bytes || text == "B" || text == "iB";
    bar.rate = *value * factor;
    return true;
}

std::string_view withoutQuotes(std::string_view name)
{
    name = trimmed(name);
    while (!name.empty() && (name[0] == '{' || name[0] == '|' || name[0] == ' '))
        name.remove_prefix(1);
    if (name.size() > 1 && (name[0] == '\'' || name[0] == '"') && name.back() == name[0])
        name = name.substr(1, name.size() - 2);
    return name;
}

/// The numbers behind the rate: "v_num=2, loss=0.3, metrics={'acc': 0.6}", "loss: 0.3 acc: 91%".
void readPostfix(std::string_view text, const MetricNames& names, TqdmBar& bar)
{
    while (!text.empty() && bar.count < bar.numbers.size()) {
        size_t mark = text.find_first_of("=:,");
        const size_t dash =
            text.substr(0, mark).find(" - "); // "dice_loss - 0.35, iou_score - 0.56"
        if (mark == std::string_view::npos && dash == std::string_view::npos)
            return;
        const bool dashed = dash != std::string_view::npos;
        LinePair pair{withoutQuotes(text.substr(0, dashed ? dash : mark))};
        const bool named = dashed || text[mark] != ',';
        text.remove_prefix(dashed ? dash + 3 : mark + 1);
        if (!named)
            continue;
        skipSpaces(text);
        if (text.starts_with('{'))
            continue; // the numbers of a dictionary have their own names
        pair.assigned = true;
        // Lightning prints "-" for a missing number.
        if (!takeValue(text, names, pair)) {
            const size_t next = text.find(',');
            text.remove_prefix(next == std::string_view::npos ? text.size() : next);
            continue;
        }
        pair.value += 0.0; // -0.000 is zero
        if (!pair.name.empty() && pair.name.size() <= 64 && pair.total == 0
            && (text.empty() || text.find_first_of(" ,}|") == 0))
            bar.numbers[bar.count++] = pair;
    }
}

/// "00:03<00:00, 129.19it/s, v_num=2, train_loss=-"
bool readInside(std::string_view text, const MetricNames& names, TqdmBar& bar)
{
    const size_t less = text.find('<');
    constexpr std::string_view clock = "0123456789:?";
    if (less == std::string_view::npos || less == 0
        || text.substr(0, less).find_first_not_of(clock) != std::string_view::npos)
        return false;
    bar.elapsed = clockTime(text.substr(0, less)).value_or(0);
    text.remove_prefix(less + 1);
    const size_t comma = text.find(',');
    if (comma == std::string_view::npos || comma == 0
        || text.substr(0, comma).find_first_not_of(clock) != std::string_view::npos)
        return false;
    text.remove_prefix(comma + 1);
    const size_t end = std::min(text.find(','), text.size());
    if (!readRate(text.substr(0, end), bar))
        return false;
    if (end < text.size())
        readPostfix(text.substr(end + 1), names, bar);
    return true;
}

constexpr size_t narrowestTerminal = 79; ///< that cuts bars off

/// What the width of a terminal has cut off may lack the end of its last number.
std::string_view withoutLast(std::string_view inside)
{
    const size_t mark = inside.find_last_of(",|");
    return inside.substr(0, mark == std::string_view::npos ? 0 : mark);
}

} // namespace

bool takeTqdmBar(std::string_view& rest, const MetricNames& names, TqdmBar& bar)
{
    const size_t width = rest.size();
    for (size_t at = rest.find("%|"); at != std::string_view::npos; at = rest.find("%|")) {
        const std::string_view before = rest.substr(0, at);
        rest.remove_prefix(at + 2);
        bar.count = 0;
        bar.rate.reset();
        bar.unit = {};
        bar.bytes = false;
        std::string_view behind = rest.substr(0, 4096);
        const size_t window = behind.size();
        if (!takeDescription(before, bar) || !skipBlocks(behind))
            continue;
        skipSpaces(behind);
        const auto done = takeScaledCount(behind);
        bar.bytes = skip(behind, "iB") || skip(behind, "B");
        const double total = skip(behind, "/") ? takeScaledCount(behind).value_or(0) : 0;
        bar.bytes = skip(behind, "iB") || skip(behind, "B") || bar.bytes;
        skipSpaces(behind);
        if (!done || !(total >= 1) || *done > total || !skip(behind, "["))
            continue;
        const size_t close = std::min(behind.find(']'), behind.size());
        const bool isWhole = close < behind.size();
        if (!isWhole && width < narrowestTerminal)
            continue;
        if (!readInside(isWhole ? behind.substr(0, close) : withoutLast(behind), names, bar))
            continue;
        bar.done = *done;
        bar.total = total;
        rest.remove_prefix(window - behind.size() + close + (isWhole ? 1 : 0));
        return true;
    }
    return false;
}

} // namespace slipway
