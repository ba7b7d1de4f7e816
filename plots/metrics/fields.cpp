// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"

#include "plots/metrics/fieldwords.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t longestLine = 4096; ///< no program prints its loss on a longer line

bool isNameCharacter(char c)
{
    return isOfKind(
        c, bytekind::letter | bytekind::digit | bytekind::underscore | bytekind::joiner);
}

/// Most lines of a log have no counter; this single pass over the bytes avoids parsing them.
bool mayHaveCounter(std::string_view line)
{
    for (size_t i = 1; i < line.size(); ++i) {
        const char c = static_cast<char>(line[i] | 0x20);
        const char before = static_cast<char>(line[i - 1] | 0x20);
        // st-ep, ep-och, it-er, b-at-ch, upd-at-e
        if ((before == 'e' && c == 'p') || (before == 'i' && c == 't')
            || (before == 'a' && c == 't'))
            return true;
    }
    return false;
}

/// Time stamps, levels and bracketed prefixes of loggers: "2024-03-12 08:22:45,549 INFO [trainer]
/// ".
void skipPrefix(std::string_view& rest)
{
    for (;;) {
        skipSpaces(rest);
        if (rest.empty())
            return;
        if (rest[0] == '[') {
            const size_t close = rest.find(']');
            if (close == std::string_view::npos || close > 80)
                return;
            rest.remove_prefix(close + 1);
            continue;
        }
        size_t end = 0;
        while (end < rest.size() && rest[end] != ' ' && rest[end] != '\t')
            ++end;
        const std::string_view word = rest.substr(0, end);
        const bool stamp = word.size() >= 8 && isDigit(word[0])
            && word.find_first_not_of("0123456789-:.,/TZ+") == std::string_view::npos
            && word.find_first_of(":-/") != std::string_view::npos;
        if (!stamp && !isLogLevel(word))
            return;
        rest.remove_prefix(end);
    }
}

/// Separators between two fields. Explicit ones (a comma, a bar) also end a part that could not be
/// parsed.
bool skipSeparators(std::string_view& rest)
{
    bool isExplicit = false;
    while (!rest.empty()) {
        const char c = rest[0];
        const bool dash = c == '-' && rest.size() > 1 && (rest[1] == ' ' || rest[1] == '-');
        if (c == ',' || c == ';' || c == '|' || c == '\t' || dash || c == '{' || c == '}'
            || c == ':')
            isExplicit = true;
        else if (c != ' ' && c != ']' && c != ')' && c != '.' && c != '(' && c != '[')
            break;
        rest.remove_prefix(1);
    }
    return isExplicit;
}

/// False where the words that are passed say what the numbers of the line are of: "valid on 'valid'
/// subset | loss 9.5", "tot_loss[loss=0.5"; and where they name a measurement that only the grammar
/// knows: "bits/dim 8.5(9.5)".
bool skipToSeparator(std::string_view& rest)
{
    const size_t at = std::min(rest.find_first_of(",;|\t"), rest.size());
    const std::string_view passed = rest.substr(0, at);
    static constexpr std::string_view sets[] = {"valid", "val", "test", "eval", "dev"};
    for (const std::string_view set : sets) {
        if (startsWithIgnoringCase(passed, set))
            return false;
    }
    const std::string_view words = trimmed(passed);
    const size_t last = std::min(words.rfind(' '), words.size());
    const size_t end = std::min(words.find_first_of("0123456789:="),
        isNonFinite(trimmed(words.substr(last))) ? last : words.size());
    const std::string_view name = trimmed(words.substr(0, end));
    if (!name.empty() && name.size() < words.size() && isLetter(name[0])
        && MetricNames::builtIn().meaning(name).kind == NameMeaning::Metric)
        return false;
    if (const size_t open = passed.find('['); open != std::string_view::npos && open > 0
        && isNameCharacter(passed[open - 1]) && passed.find('=') != std::string_view::npos)
        return false;
    rest.remove_prefix(at);
    return true;
}

/// Up to three words, or anything short in quotes (a printed dictionary).
std::string_view takeName(std::string_view& rest)
{
    if (!rest.empty() && (rest[0] == '\'' || rest[0] == '"')) {
        const size_t close = rest.find(rest[0], 1);
        if (close == std::string_view::npos || close > 64)
            return {};
        const std::string_view name = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
        return name;
    }
    size_t end = 0;
    for (int words = 0; words < 3; ++words) {
        size_t at = end;
        if (words > 0) {
            if (at >= rest.size() || rest[at] != ' ')
                break;
            ++at;
        }
        if (at >= rest.size() || !(isLetter(rest[at]) || rest[at] == '_')
            || isNonFinite(rest.substr(at)))
            break;
        while (at < rest.size() && isNameCharacter(rest[at]))
            ++at;
        end = at;
    }
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(end);
    return end <= 64 ? name : std::string_view();
}

/// "avg: 0.6": of what, stands in front of it.
bool isStatisticInFront(std::string_view text)
{
    const std::string_view name = takeName(text);
    return !name.empty() && MetricNames::builtIn().isStatistic(name);
}

/// What was read from `from` up to `rest`.
void addField(
    LineFields& fields, LineFields::Field::Kind kind, std::string_view from, std::string_view rest)
{
    if (fields.fieldCount < fields.fields.size())
        fields.fields[fields.fieldCount] = {kind, from.substr(0, from.size() - rest.size()),
            kind == LineFields::Field::Epoch || kind == LineFields::Field::Step};
    ++fields.fieldCount;
}

void addCounter(LineFields& fields, const Counter& counter, bool isEpoch, std::string_view from,
    std::string_view rest)
{
    auto& slot = isEpoch ? fields.epoch : fields.step;
    addField(fields, isEpoch ? LineFields::Field::Epoch : LineFields::Field::Step, from, rest);
    if (!slot)
        slot = counter;
    else
        fields.fields[std::min(fields.fieldCount, fields.fields.size()) - 1].kind =
            LineFields::Field::Other;
}

/// One field, or false when there is none here.
bool takeField(std::string_view& rest, LineFields& fields)
{
    std::string_view at = rest;
    const std::string_view name = takeName(at);
    if (name.empty())
        return false;
    const size_t before = at.size();
    skipSpaces(at);
    const bool assigned = skip(at, ":") || skip(at, "=") || skip(at, "#");
    skipSpaces(at);
    if (!assigned && at.size() == before && !at.starts_with('['))
        return false;
    const FieldWord word = fieldWord(name);
    if (word.isCounter) {
        std::string_view from = at;
        const auto counter = takeCounter(name, at);
        if (!counter)
            return false;
        rest = at;
        addCounter(fields, *counter, word.isEpoch, from, rest);
        from = rest;
        if (word.isEpoch && rest.starts_with('[')) { // "Epoch: [0][ 10/5005]"
            if (const auto step = takeCounter("step", rest))
                addCounter(fields, *step, false, from, rest);
        }
        return true;
    }
    NamedNumber number{name, 0, {}};
    const std::string_view from = at;
    if (!(assigned ? word.isAssignedMetric : word.isMetric) || !takeFieldValue(at, number))
        return false;
    rest = at;
    const bool isKept = !word.isBookkeeping && fields.pairCount < LineFields::mostPairs;
    addField(fields, isKept ? LineFields::Field::Pair : LineFields::Field::Other, from, rest);
    if (isKept)
        fields.pairs[fields.pairCount++] = number;
    return true;
}

} // namespace

std::optional<Counter> takeCounter(std::string_view name, std::string_view& rest)
{
    std::string_view at = rest;
    const bool bracket = skip(at, "[") || skip(at, "(");
    skipSpaces(at);
    const auto done = takeNumber(at);
    if (!done || !(*done >= 0) || *done > 1e15)
        return {};
    Counter counter{name, *done, 0};
    std::string_view behind = at;
    skipSpaces(behind);
    if (skip(behind, "/")) {
        skipSpaces(behind);
        const auto total = takeNumber(behind);
        if (!total || !(*total >= 0))
            return {};
        counter.total = *total;
        at = behind;
    }
    if (bracket) {
        skipSpaces(at);
        if (!skip(at, "]") && !skip(at, ")"))
            return {};
    }
    if (!at.empty() && (isWordCharacter(at[0]) || at[0] == '%'))
        return {};
    rest = at;
    return counter;
}

bool takeFieldValue(std::string_view& rest, NamedNumber& out)
{
    std::string_view at = rest;
    const auto value = takeWrappedNumber(at);
    if (!value)
        return false;
    out.value = *value;
    out.unit = takeUnit(at);
    if (!at.empty()
        && (isWordCharacter(at[0]) || static_cast<unsigned char>(at[0]) >= 0x80 || at[0] == '/'
            || at[0] == '%' || at[0] == '*' || at[0] == '='))
        return false;
    std::string_view mean = at;
    skipSpaces(mean);
    if (skip(mean, "(")) {
        const size_t close = mean.find(')');
        if (close != std::string_view::npos && wholeNumber(mean.substr(0, close)))
            at = mean.substr(close + 1);
    }
    rest = at;
    return true;
}

bool readFields(std::string_view line, LineFields& fields)
{
    fields.epoch.reset();
    fields.step.reset();
    fields.pairCount = fields.fieldCount = 0;
    // "%|" is the bar of tqdm, which has its own recogniser, because its numbers need its counter.
    if (line.size() > longestLine || !mayHaveCounter(line)
        || line.find("%|") != std::string_view::npos)
        return false;
    std::string_view rest = line;
    skipPrefix(rest);
    skipSeparators(rest);
    bool first = true;
    bool afterSeparator = false;
    while (!rest.empty()) {
        if (!first && rest.data()[-1] == '(' && isStatisticInFront(rest))
            return false; // "loss: 0.5 (avg: 0.6)": the grammar knows what it is of
        if (!takeField(rest, fields)) {
            if (first || !afterSeparator || !skipToSeparator(rest))
                return false;
        }
        first = false;
        const bool spaced = rest.empty() || !isNameCharacter(rest[0]);
        afterSeparator = skipSeparators(rest);
        if (!spaced)
            return false;
    }
    return fields.pairCount > 0 && (fields.epoch || fields.step);
}

} // namespace slipway
