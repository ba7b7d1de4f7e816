// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/dllline.h"

#include "plots/metrics/scan.h"

#include <cmath>
#include <optional>

namespace slipway {

namespace {

constexpr size_t mostPairs = 64;

std::optional<double> takeCount(std::string_view& rest)
{
    skipSpaces(rest);
    std::string_view at = rest;
    const auto count = takeNumber(at);
    if (!count || !(*count >= 0) || *count > 1e15)
        return {};
    rest = at;
    return count;
}

/// "Epoch: 0 Iteration: 5004 Validation Iteration: 0"
bool takeNamedStep(std::string_view& rest, DLLStep& step)
{
    std::string_view at = rest;
    const auto number = [&](std::string_view name) -> std::optional<double> {
        std::string_view behind = at;
        skipSpaces(behind);
        if (!skip(behind, name))
            return {};
        const auto count = takeCount(behind);
        if (count)
            at = behind;
        return count;
    };
    const auto epoch = number("Epoch:");
    if (!epoch)
        return false;
    step.kind = DLLStep::Epoch;
    step.epoch = *epoch;
    if (const auto iteration = number("Iteration:")) {
        step.kind = DLLStep::Iteration;
        step.iteration = *iteration;
    }
    if (const auto validation = number("Validation Iteration:")) {
        step.kind = DLLStep::Validation;
        step.validation = *validation;
    }
    rest = at;
    return true;
}

/// "(26,)", "(0, 120)", "(0, 5004, 3)", "()"
bool takeTuple(std::string_view& rest, DLLStep& step)
{
    std::string_view at = rest;
    if (!skip(at, "("))
        return false;
    double numbers[3] = {};
    size_t count = 0;
    skipSpaces(at);
    while (!at.starts_with(')')) {
        // takeNumber() does not accept a comma before a digit: cut it off first.
        const size_t end = at.find_first_of(",)");
        if (end == std::string_view::npos || count == 3)
            return false;
        const auto number = wholeNumber(at.substr(0, end));
        if (!number || !(*number >= 0) || *number > 1e15)
            return false;
        numbers[count++] = *number;
        at.remove_prefix(end);
        skip(at, ",");
        skipSpaces(at);
    }
    skip(at, ")");
    static constexpr DLLStep::Kind kinds[] = {
        DLLStep::Run, DLLStep::Epoch, DLLStep::Iteration, DLLStep::Validation};
    step = DLLStep{kinds[count], numbers[0], numbers[1], numbers[2], 0};
    rest = at;
    return true;
}

/// The text between two colons: a value, perhaps its unit, and the next name. A value without a
/// unit is followed by two spaces, and may then have several words ("[30, 60]"); with more words
/// the parts are ambiguous. False: the rest of the line is ignored.
bool splitBetween(std::string_view between, bool last, DLLPair& pair, std::string_view& next)
{
    between = trimmed(between);
    const size_t gap = last ? std::string_view::npos : between.rfind("  ");
    if (gap != std::string_view::npos) {
        next = trimmed(between.substr(gap));
        between = trimmed(between.substr(0, gap));
    } else if (!last) {
        const size_t space = between.rfind(' ');
        if (space == std::string_view::npos)
            return false;
        next = between.substr(space + 1);
        between = trimmed(between.substr(0, space));
    }
    std::string_view rest = between;
    const std::string_view value = takeWord(rest);
    const std::string_view unit = trimmed(rest);
    const bool numeric = value == "None" || wholeNumber(value);
    if (numeric && unit.find(' ') == std::string_view::npos)
        pair.value = value, pair.unit = unit == "None" ? std::string_view() : unit;
    else
        pair.value = between;
    return next.find(' ') == std::string_view::npos && !pair.value.empty()
        && (!numeric || pair.value == value)
        && (gap != std::string_view::npos || last || numeric || unit.empty());
}

/// "name : value unit? name : value …"
void takePairs(std::string_view rest, std::vector<DLLPair>& pairs)
{
    std::string_view name = takeWord(rest);
    while (!name.empty() && pairs.size() < mostPairs) {
        skipSpaces(rest);
        if (!skip(rest, ": "))
            return;
        const size_t colon = rest.find(" : ");
        const bool last = colon == std::string_view::npos;
        DLLPair pair{name, {}, {}};
        std::string_view next;
        if (!splitBetween(rest.substr(0, colon), last, pair, next))
            return;
        pairs.push_back(pair);
        name = next;
        rest.remove_prefix(last ? rest.size() : colon + 1);
    }
}

/// "loss 40.97", "5730.98 frames/s", "took 24.54 s": a number, the words before it, one word after
/// it.
bool readBarField(std::string_view field, DLLPair& pair)
{
    field = trimmed(field);
    std::string_view rest = field;
    while (!rest.empty()) {
        const std::string_view before = trimmed(field.substr(0, field.size() - rest.size()));
        const std::string_view word = takeWord(rest);
        if (!wholeNumber(word))
            continue;
        pair = {before, word, trimmed(rest)};
        if (pair.unit.find(' ') != std::string_view::npos || (before.empty() && pair.unit.empty()))
            return false;
        return true;
    }
    return false;
}

/// "epoch    1 | iter   1/48 | loss 40.97 | took 24.54 s"
bool readSpeech(std::string_view rest, DLLLine& out)
{
    if (!skip(rest, "epoch "))
        return false;
    const auto epoch = takeCount(rest);
    skipSpaces(rest);
    if (!epoch || !skip(rest, "|"))
        return false;
    out.step = DLLStep{DLLStep::Epoch, *epoch, 0, 0, 0};
    skipSpaces(rest);
    if (skip(rest, "iter ")) {
        const auto iteration = takeCount(rest);
        if (!iteration)
            return false;
        out.step.kind = DLLStep::Iteration;
        out.step.iteration = *iteration;
        skipSpaces(rest);
        if (skip(rest, "/"))
            out.step.perEpoch = takeCount(rest).value_or(0);
        skipSpaces(rest);
        if (!skip(rest, "|"))
            return false;
    }
    while (!rest.empty() && out.pairs.size() < mostPairs) {
        const size_t bar = std::min(rest.find('|'), rest.size());
        DLLPair pair;
        if (readBarField(rest.substr(0, bar), pair))
            out.pairs.push_back(pair);
        rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    return !out.pairs.empty();
}

} // namespace

bool readDllText(std::string_view text, DLLLine& out)
{
    out.pairs.clear();
    out.step = {};
    skipSpaces(text);
    if (readSpeech(text, out))
        return true;
    out.pairs.clear();
    if (skip(text, "PARAMETER "))
        out.step.kind = DLLStep::Parameter;
    else if (skip(text, "Summary:"))
        out.step.kind = DLLStep::Run;
    else if (!takeNamedStep(text, out.step) && !takeTuple(text, out.step))
        return false;
    takePairs(text, out.pairs);
    return !out.pairs.empty();
}

} // namespace slipway
