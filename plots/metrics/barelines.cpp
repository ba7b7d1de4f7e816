// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/barelines.h"

#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <vector>

namespace slipway {

namespace {

constexpr size_t longestNames = 160, longestLabelAbove = 60, longestBareNumber = 40,
                 longestBareUnit = 8;

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

/// "Epoch 1  0.52  0.61" below "Epoch  loss  acc": the row without the word that its heading has.
bool nameRow(std::string_view text, std::string_view word, std::string& named)
{
    constexpr size_t longest = 400;
    constexpr int leastCells = 3;
    if (word.empty() || text.size() > longest || text.size() <= word.size()
        || !std::all_of(word.begin(), word.end(), isLetter) || !text.starts_with(word)
        || !isSpace(text[word.size()]))
        return false;
    const std::string_view row = trimmed(text.substr(word.size()));
    int cells = 0;
    for (std::string_view rest = row; !rest.empty(); ++cells) {
        if (!wholeNumber(takeWord(rest)))
            return false;
        skipSpaces(rest);
    }
    std::string_view counter = row;
    if (cells < leastCells || !wholeCount(takeWord(counter)))
        return false;
    named.assign(word.size(), ' ').append(text.substr(word.size())); // its columns stay in place
    return true;
}

/// "1;0.52;0.61": with commas, as the heading of such a row is kept.
bool nameCells(std::string_view text, std::string& named)
{
    constexpr size_t longest = 1000;
    if (text.size() > longest || !isDigit(text[0]) || text.find(';') == std::string_view::npos
        || text.find(',') != std::string_view::npos)
        return false;
    std::string_view rest = text;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view cell = trimmed(rest.substr(0, end));
        if (!cell.empty() && !wholeNumber(cell))
            return false;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    named.assign(text);
    std::replace(named.begin(), named.end(), ';', ',');
    return true;
}

/// "-----Epoch 12-----": without what frames it.
bool nameFramed(std::string_view text, std::string& named)
{
    constexpr size_t longest = 120;
    if (text.size() > longest || !text.starts_with("--") || !text.ends_with("--"))
        return false;
    const size_t begin = text.find_first_not_of('-');
    const size_t end = text.find_last_not_of('-');
    if (begin == std::string_view::npos || !isLetter(text[begin]) || !isDigit(text[end]))
        return false;
    named.assign(text.substr(begin, end + 1 - begin));
    return true;
}

/// "epoch12", "step-3", "iter(7)"
bool hasCounterForm(std::string_view text)
{
    size_t end = 0;
    while (end < text.size() && isLetter(text[end]))
        ++end;
    const std::string_view rest = text.substr(end);
    const bool isJoined = !rest.empty() && std::string_view("(-_").find(rest[0]) != rest.npos;
    const std::string_view number = rest.substr(isJoined ? 1 : 0);
    return end >= 2 && !number.empty() && isDigit(number[0]);
}

/// "epoch12: loss 0.5", "step-3 loss=0.5", "iter(7)": a counter without a space before its number.
bool nameCounter(std::string_view text, std::string& named)
{
    constexpr size_t longest = 16, mostDigits = 9;
    size_t end = 0;
    while (end < text.size() && end <= longest && isLetter(text[end]))
        ++end;
    const std::string_view word = text.substr(0, end);
    std::string_view rest = text.substr(end);
    const bool isEnclosed = rest.starts_with('(');
    if (isEnclosed || rest.starts_with('-') || rest.starts_with('_'))
        rest.remove_prefix(1);
    const std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (end < 2 || number.empty() || number.size() > mostDigits)
        return false;
    rest.remove_prefix(number.size());
    if (isEnclosed && !skip(rest, ")"))
        return false;
    if (rest.empty() || std::string_view(" \t:,;|").find(rest[0]) == std::string_view::npos)
        return false; // "epoch12.pth", "step3/10"
    const NameMeaning meaning = MetricNames::builtIn().meaning(word);
    const bool isRepetition = // "run-3  wall=0.5s"
        isOneOf(word, {"run", "fold", "seed", "split", "rep", "repetition", "repeat"});
    if (!isRepetition
        && (meaning.kind != NameMeaning::Counter || meaning.use != NameMeaning::Anywhere))
        return false;
    named.assign(word).append(" ").append(number).append(rest);
    return true;
}

/// "@DF-RKS iter   1:  -799.894   1.067e+00   2.27e-03 DIIS": a counter with a colon, and at least
/// two fractions behind it.
struct CountedRow {
    std::string_view counter; ///< "iter   1"; empty: the line is something else
    std::vector<std::string_view> numbers;
};

CountedRow countedRowOf(std::string_view text)
{
    constexpr size_t mostBefore = 32, longest = 240, leastNumbers = 2, mostNumbers = 8;
    const size_t colon = text.substr(0, mostBefore).find(": ");
    if (colon == std::string_view::npos || colon == 0 || text.size() > longest
        || !isDigit(text[colon - 1]) || !(isLetter(text[0]) || text[0] == '@'))
        return {};
    const std::string_view before = text.substr(0, colon);
    const size_t digits = before.find_last_not_of("0123456789") + 1;
    const size_t end = before.find_last_not_of(' ', digits - 1) + 1;
    const size_t begin = before.substr(0, end).rfind(' ') + 1; // 0 where there is none
    const std::string_view word = before.substr(begin, end - begin);
    CountedRow row;
    std::string_view rest = text.substr(colon + 1);
    for (std::string_view cell = takeWord(rest); !cell.empty(); cell = takeWord(rest)) {
        const bool isNumber = cell.find('.') != cell.npos && wholeNumber(cell);
        if (!isNumber)
            break;
        row.numbers.push_back(cell);
    }
    const bool isRow = end < digits && word.size() >= 2
        && std::all_of(word.begin(), word.end(), isLetter) && row.numbers.size() >= leastNumbers
        && row.numbers.size() <= mostNumbers;
    row.counter = isRow ? before.substr(begin) : std::string_view();
    return row;
}

/// Below "Total Energy     Delta E     RMS |[F,P]|", which has as many names.
bool nameCountedRow(std::string_view text, const std::string& heading, std::string& named)
{
    if (heading.empty())
        return false;
    const CountedRow row = countedRowOf(text);
    if (row.counter.empty()
        || MetricNames::builtIn().meaning(row.counter.substr(0, row.counter.find(' '))).kind
            != NameMeaning::Counter)
        return false;
    std::string_view names = heading;
    std::string line(row.counter);
    for (const std::string_view number : row.numbers) {
        const size_t end = std::min(names.find("  "), names.size());
        const std::string_view name = trimmed(names.substr(0, end));
        if (name.empty())
            return false;
        line.append(", ");
        for (const char c : name) { // "RMS |[F,P]|" has signs of the grammar
            if (isWordCharacter(c) || c == '-')
                line.push_back(c);
            else if (line.back() != ' ')
                line.push_back(' ');
        }
        line.append(" = ").append(number);
        names = trimmed(names.substr(end));
    }
    if (!names.empty())
        return false;
    named = std::move(line);
    return true;
}

/// "64 KB:" above what was measured.
bool nameBytes(std::string_view text, std::string& named)
{
    constexpr size_t longest = 24;
    if (text.size() > longest || text.empty() || !isDigit(text[0]) || !text.ends_with(':'))
        return false;
    text.remove_suffix(1);
    std::string_view unit = text;
    if (!takeWholeCount(unit))
        return false;
    skipSpaces(unit);
    const MetricUnit* const known = MetricNames::builtIn().unit(unit);
    if (!known || known->unit != QLatin1String("B"))
        return false;
    named.assign("size = ").append(text);
    return true;
}

} // namespace

bool BareLines::mayBe(std::string_view text)
{
    text = trimmed(text);
    if (text.empty() || isDigit(text[0]) || text.starts_with("--"))
        return !text.empty();
    return hasCounterForm(text) || !countedRowOf(text).counter.empty();
}

bool BareLines::name(std::string_view text, bool isOne, std::string& named)
{
    text = trimmed(text);
    if (std::none_of(text.begin(), text.end(), isDigit))
        return nameWords(text, named);
    if (nameRow(text, m_heading, named) || (isOne && nameBytes(text, named))
        || (isOne && nameCountedRow(text, m_names, named)) || nameBelowLabel(text, named))
        return true;
    if (!isOne || text.back() == ':')
        return false; // a label
    return nameValue(text, named) || nameCounter(text, named) || nameCells(text, named)
        || nameFramed(text, named);
}

bool BareLines::nameWords(std::string_view text, std::string& named)
{
    text = trimmed(text);
    if (text.empty())
        return false;
    std::string_view rest = text;
    m_heading.assign(takeWord(rest));
    const bool hasNames = text.size() <= longestNames && text.find("  ") != text.npos;
    m_names.assign(hasNames ? text : std::string_view());
    return nameBelowLabel(text, named); // "nan"
}

/// What is said of numbers on lines of their own, or the number of such a line.
bool BareLines::nameBelowLabel(std::string_view text, std::string& named)
{
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
    return false;
}

} // namespace slipway
