// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/tablecells.h"

#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway::table {

namespace {

/// "bytes | on  off  ratio | on  off  ratio": bars that part groups of columns. Each cell but the
/// first is taken apart.
size_t cellsOfGroups(Cells& cells, size_t count)
{
    const auto isGroup = [](std::string_view cell) { return cell.find("  ") != cell.npos; };
    constexpr size_t leastCells = 3;
    if (count < leastCells || isGroup(cells[0])
        || !std::all_of(cells.begin() + 1, cells.begin() + count, isGroup))
        return count;
    const Cells groups = cells;
    Cells parts;
    size_t all = 1;
    for (size_t i = 1; i < count; ++i) {
        const size_t more = spacedCells(groups[i], 2, parts);
        if (all + more > cells.size())
            return count;
        std::copy_n(parts.begin(), more, cells.begin() + all);
        all += more;
    }
    return all;
}

} // namespace

size_t borderedCells(std::string_view line, Cells& cells)
{
    line = trimmed(line);
    if (const size_t border = borderAt(line))
        line.remove_prefix(border);
    size_t count = 0, end = 0;
    while (end <= line.size() && count < cells.size()) {
        const size_t border = end < line.size() ? borderAt(line.substr(end)) : 0;
        if (end < line.size() && border == 0) {
            ++end;
            continue;
        }
        if (end < line.size() || !trimmed(line).empty())
            cells[count++] = trimmed(line.substr(0, end));
        line.remove_prefix(std::min(line.size(), end + border));
        end = 0;
        if (line.empty())
            break;
    }
    return cellsOfGroups(cells, count);
}

size_t separatedCells(std::string_view line, char separator, Cells& cells)
{
    size_t count = 0;
    while (count < cells.size()) {
        const size_t end = line.find(separator);
        cells[count++] = trimmed(line.substr(0, end));
        if (end == std::string_view::npos)
            break;
        line.remove_prefix(end + 1);
    }
    return count;
}

std::vector<Span> spansOf(std::string_view line, const Cells& cells, size_t count)
{
    std::vector<Span> spans;
    for (size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<size_t>(cells[i].data() - line.data());
        spans.push_back({begin, begin + cells[i].size()});
    }
    return spans;
}

size_t spacedCells(std::string_view line, size_t gap, Cells& cells)
{
    line = trimmed(line);
    const char* at = line.data();
    const char* const end = at + line.size();
    size_t count = 0;
    while (at < end && count < cells.size()) {
        const char* const begin = at;
        // No line ends with a space here: what is behind one may be looked at.
        while (at < end && !(isSpace(*at) && (gap == 1 || *at == '\t' || isSpace(at[1]))))
            ++at;
        cells[count++] = {begin, static_cast<size_t>(at - begin)};
        while (at < end && isSpace(*at))
            ++at;
    }
    return count;
}

size_t cellsWithUnits(std::string_view line, Cells& cells)
{
    const size_t words = spacedCells(line, 1, cells);
    size_t count = 0;
    for (size_t i = 0; i < words; ++i) {
        const std::string_view cell = cells[i];
        if (count == 0 || !cell.starts_with('(') || !cell.ends_with(')')) {
            cells[count++] = cell;
            continue;
        }
        std::string_view& name = cells[count - 1];
        name = std::string_view(
            name.data(), static_cast<size_t>(cell.data() + cell.size() - name.data()));
    }
    return count;
}

size_t vectorCells(std::string_view line, Cells& cells)
{
    static constexpr ByteSet listed("0123456789+-.eE, infan"), spaces(" \t");
    size_t count = 0, vectors = 0;
    line = trimmed(line);
    while (!line.empty() && count < cells.size()) {
        size_t end = spaces.firstIn(line);
        if (line[0] == '[') {
            end = listed.firstNotIn(line, 1);
            if (end == std::string_view::npos || line[end] != ']')
                return 0;
            ++end;
            ++vectors;
        }
        cells[count++] = line.substr(0, end);
        line = trimmed(line.substr(std::min(end, line.size())));
    }
    return vectors > 0 && line.empty() ? count : 0;
}

size_t edgeCells(
    std::string_view heading, std::string_view line, const Cells& row, size_t count, Cells& cells)
{
    size_t from = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t edge = static_cast<size_t>(row[i].data() - line.data()) + row[i].size();
        if (edge > heading.size() || edge <= from)
            return 0;
        if (edge < heading.size() && !isSpace(heading[edge]) && !isSpace(heading[edge - 1]))
            return 0;
        cells[i] = trimmed(heading.substr(from, edge - from));
        if (cells[i].empty() || cells[i].find("   ") != std::string_view::npos)
            return 0; // "step size   feascond": the row lacks a number
        from = edge;
    }
    return trimmed(heading.substr(from)).empty() ? count : 0;
}

bool isTimeOfDay(std::string_view cell)
{
    if (cell.ends_with(':'))
        cell.remove_suffix(1);
    return cell.size() == 8 && cell[2] == ':' && cell[5] == ':' && isDigit(cell[0])
        && !cell.starts_with("00");
}

namespace {

/// "21 m, 41 s", "3h 25m": a span of time of two units or more, in seconds.
std::optional<double> spanOfTime(std::string_view cell)
{
    double seconds = 0;
    size_t parts = 0;
    for (; !cell.empty(); ++parts) {
        const auto value = takeNumber(cell);
        skipSpaces(cell);
        if (!value || cell.empty())
            return {};
        const size_t unit = std::string_view("smhd").find(cell[0]);
        if (unit == std::string_view::npos || (cell.size() > 1 && isLetter(cell[1])))
            return {};
        static constexpr double lengths[] = {1, 60, 3600, 86400};
        seconds += *value * lengths[unit];
        cell.remove_prefix(1);
        skip(cell, ",");
        skipSpaces(cell);
    }
    return parts > 1 ? std::optional(seconds) : std::nullopt;
}

} // namespace

std::optional<double> takeSizeOfAll(std::string_view& rest)
{
    std::string_view at = rest;
    const auto value = takeWholeCount(at);
    const std::string_view size = rest.substr(0, rest.size() - at.size());
    int dimensions = 1;
    while (value && (skip(at, "x") || skip(at, " x "))) {
        if (!skip(at, size))
            return {};
        ++dimensions;
    }
    if (dimensions < 2 || (!at.empty() && isWordCharacter(at[0])))
        return {};
    rest = at;
    return value;
}

std::optional<double> cellValue(std::string_view cell, const MetricNames& names)
{
    std::string_view rest = cell;
    const auto value = takeNumber(rest);
    if (value && rest == "x") // "1.85x": a speedup
        return value;
    if (!value || rest.starts_with('x')) {
        std::string_view product = cell;
        const auto size = takeSizeOfAll(product);
        return size && product.empty() ? size : clockTime(cell);
    }
    rest = trimmed(rest);
    const bool isShared = rest.starts_with('(') && rest.ends_with("%)"); // "8590 (28.63%)"
    if (rest.empty() || rest == ":" || rest[0] == '/' || rest.starts_with("±") || isShared)
        return value;
    const MetricUnit* unit = takeMetricUnit(rest, names);
    if (unit && rest.empty())
        return unit->factor > 0 ? *value * unit->factor : *value;
    if (const auto span = spanOfTime(cell))
        return span;
    // "1.00e+00f", "0.14E+00*", "-69.396753*": a mark of the program's own.
    const bool marked = rest.size() == 1 && (isLetter(rest[0]) || rest[0] == '*');
    const char* const signs = rest == "*" ? "eE." : "eE";
    return marked && cell.find_first_of(signs) < cell.size() - 1 ? value : std::nullopt;
}

const MetricUnit* unitOfCell(std::string_view cell, const MetricNames& names)
{
    std::string_view rest = cell;
    if (!takeNumber(rest) || rest.empty())
        return nullptr;
    rest = trimmed(rest);
    const MetricUnit* const unit = takeMetricUnit(rest, names);
    return rest.empty() ? unit : nullptr;
}

bool hasWord(std::string_view text)
{
    for (size_t i = 0; i < text.size(); ++i) {
        if (isLetter(text[i]) && (i == 0 || !isWordCharacter(text[i - 1]))
            && !startsWithIgnoringCase(text.substr(i), "nan")
            && !startsWithIgnoringCase(text.substr(i), "inf"))
            return true;
    }
    return false;
}

bool isNumberLike(std::string_view cell)
{
    if (cell.empty())
        return false;
    if (isDigit(cell[0]) || cell == "-" || cell == "--") // none
        return true;
    const std::string_view value = cell.substr(cell[0] == '-' || cell[0] == '+' ? 1 : 0);
    return (!value.empty() && (isDigit(value[0]) || (value[0] == '.' && value.size() > 1)))
        || equalsIgnoringCase(value, "nan") || equalsIgnoringCase(value, "inf");
}

bool isLocus(std::string_view cell)
{
    constexpr size_t leastDigits = 5; // "cuda:0", "node1:8080" have fewer
    const size_t colon = cell.rfind(':');
    return colon != std::string_view::npos && colon > 0 && cell.size() - colon > leastDigits
        && wholeCount(cell.substr(colon + 1)).has_value();
}

bool isNamed(std::string_view cell)
{
    static constexpr ByteSet signs("=:");
    if (cell.empty() || !isLetter(cell[0]))
        return false;
    const size_t at = signs.firstIn(cell);
    if (at == std::string_view::npos || isLocus(cell))
        return false;
    const std::string_view value = trimmed(cell.substr(at + 1));
    return !value.empty() && isDigit(value[0]);
}

size_t countNumbers(const Cells& cells, size_t count)
{
    size_t numbers = 0;
    for (size_t i = 0; i < count; ++i) {
        if (isNumberLike(cells[i]))
            ++numbers;
        else if (isNamed(cells[i]))
            return 0;
    }
    return numbers;
}

bool isVoid(std::string_view cell)
{
    static constexpr ByteSet marks("-:.");
    return marks.firstNotIn(cell) == std::string_view::npos;
}

size_t countValues(const Cells& cells, size_t count, bool bordered)
{
    constexpr size_t fewNumbers = 2;
    size_t values = countNumbers(cells, count);
    for (size_t i = 0; bordered && values >= fewNumbers && i < count; ++i)
        values += isVoid(cells[i]) && !isNumberLike(cells[i]) ? 1 : 0;
    return values;
}

bool isBordered(std::string_view line)
{
    const std::string_view text = trimmed(line);
    if (borderAt(text) > 0)
        return true;
    bool isBetween = false; // "epoch|loss"
    bool isNorm = false; // "|step|", "RMS |[F,P]|"
    for (size_t at = text.find('|'); at != std::string_view::npos; at = text.find('|', at + 1)) {
        if (at == 0 || at + 1 == text.size())
            continue;
        const char before = text[at - 1], behind = text[at + 1];
        if (before == ' ' && behind == ' ')
            return true;
        isNorm = isNorm || ((before == ' ' || before == '[' || before == '(') && behind != ' ');
        isBetween = isBetween || (before != '|' && behind != '|');
    }
    return isBetween && !isNorm;
}

size_t rowCells(std::string_view line, bool bordered, Cells& cells)
{
    if (bordered)
        return borderedCells(line, cells);
    if (line.find(',') == std::string_view::npos)
        return line.find(';') == std::string_view::npos ? spacedCells(line, 1, cells)
                                                        : separatedCells(line, ';', cells);
    const size_t count = separatedCells(line, ',', cells);
    const auto isWide = [](std::string_view cell) { return cell.find("  ") != cell.npos; };
    // "8590 (28.63%)       60.803 ms            21 m, 41 s": the comma is within a column.
    return std::any_of(cells.begin(), cells.begin() + count, isWide) ? spacedCells(line, 2, cells)
                                                                     : count;
}

size_t quotedCells(std::string_view heading, Cells& cells)
{
    size_t count = 0;
    for (heading = trimmed(heading); !heading.empty() && count < cells.size();) {
        if (heading[0] != '"')
            return 0;
        const size_t close = heading.find('"', 1);
        if (close == std::string_view::npos)
            return 0;
        cells[count++] = heading.substr(1, close - 1);
        heading = trimmed(heading.substr(close + 1));
    }
    return count;
}

} // namespace slipway::table
