// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/tableheading.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway::table {

namespace {

/// "# Idx     W     C     %   MHz" below "# gpu   pwr gtemp    sm  mclk": as many short words.
bool isOfUnits(std::string_view text, std::string_view heading)
{
    constexpr size_t longestUnit = 4;
    Cells cells, names;
    const size_t count = spacedCells(text.substr(1), 1, cells);
    return count > 2 && spacedCells(heading.substr(1), 1, names) == count
        && std::all_of(cells.begin(), cells.begin() + count,
            [](std::string_view cell) { return cell.size() <= longestUnit; });
}

/// "Conflicting CPU frequency values detected. CPU Frequency is not max."
bool isSentence(std::string_view text)
{
    return text.ends_with('.') && text.find("  ") == std::string_view::npos
        && std::count(text.begin(), text.end(), ' ') >= 4;
}

/// "Ini   0.79834   3.464102e+00", "@DF-RHF iter SAD:   -75.5  -7.5e+01": a word, or a few with a
/// colon, before nothing but numbers.
bool isNamedRow(std::string_view text)
{
    constexpr size_t longestTag = 32, mostWords = 3;
    if (text.empty() || !(isLetter(text[0]) || text[0] == '@'))
        return false;
    const size_t colon = text.substr(0, longestTag).find(": ");
    const size_t space = colon == std::string_view::npos ? text.find(' ') : colon + 1;
    const size_t second = text.find_first_not_of(' ', std::min(space, text.size()));
    if (second >= text.size() || !(isDigit(text[second]) || text[second] == '-'))
        return false; // most lines end here
    Cells cells;
    const size_t words =
        colon == std::string_view::npos ? 1 : spacedCells(text.substr(0, colon), 1, cells);
    const size_t count = spacedCells(text, 1, cells);
    return words <= mostWords && count >= words + 2 && countNumbers(cells, count) == count - words;
}

} // namespace

std::string_view withoutMark(std::string_view heading)
{
    const std::string_view text = trimmed(heading);
    const bool marked =
        text.starts_with("# ") || text.starts_with("#\t") || text.starts_with("#\"");
    return marked ? text.substr(1) : heading;
}

NameCounts countNames(std::string_view heading)
{
    Cells cells;
    const std::string_view text = withoutMark(heading);
    return {spacedCells(text, 1, cells), spacedCells(text, 2, cells)};
}

bool isRemarkInColumns(std::string_view line)
{
    const std::string_view text = trimmed(line);
    return isSentence(text) || isNamedRow(text);
}

bool isMarkedRemark(std::string_view line, std::string_view heading)
{
    const std::string_view text = trimmed(line);
    if (!text.starts_with("# ") || !heading.starts_with("# "))
        return false;
    if (isOfUnits(text, heading))
        return true;
    if (heading.find(':') != std::string_view::npos)
        return false;
    const bool columns = heading.find("  ") != std::string_view::npos
        || heading.find('\t') != std::string_view::npos;
    return text.find(": ") != std::string_view::npos
        || (columns && text.find("  ") == std::string_view::npos
            && text.find('\t') == std::string_view::npos); // a sentence
}

size_t commonLead(std::string_view heading, std::string_view line)
{
    constexpr size_t longestLead = 40;
    size_t same = 0, lead = 0;
    bool word = false;
    for (; same < std::min({heading.size(), line.size(), longestLead}); ++same) {
        if (heading[same] != line[same])
            break;
        if (isSpace(line[same]) && word && !isWordCharacter(line[same - 1])
            && !isSpace(line[same - 1]))
            lead = same;
        word = word || !isSpace(line[same]);
    }
    return lead;
}

bool isAligned(std::string_view heading, const Cells& names, std::string_view line,
    const Cells& cells, size_t count)
{
    if (heading.find("    ") == std::string_view::npos || trimmed(heading).starts_with('#')
        || heading.find('\t') != std::string_view::npos
        || line.find('\t') != std::string_view::npos)
        return true;
    const auto place = [](std::string_view part, std::string_view whole) {
        return static_cast<size_t>(part.data() - whole.data());
    };
    for (size_t i = 0; i < count; ++i) {
        const size_t begin = place(names[i], heading), end = begin + names[i].size();
        const size_t from = i == 0 ? 0 : place(cells[i - 1], line);
        const size_t to =
            i + 1 < count ? place(cells[i + 1], line) + cells[i + 1].size() : line.size() + end;
        if (begin > to || end < from)
            return false;
    }
    return true;
}

bool isRightAligned(std::string_view heading, const Cells& names, std::string_view line,
    const Cells& cells, size_t count)
{
    constexpr size_t leastColumns = 3; // two may agree by chance
    const auto end = [](std::string_view part, std::string_view whole) {
        return static_cast<size_t>(part.data() - whole.data()) + part.size();
    };
    for (size_t i = 0; i < count; ++i) {
        if (!isNumberLike(cells[i]) || end(names[i], heading) != end(cells[i], line))
            return false;
    }
    return count >= leastColumns;
}

bool addWords(std::string_view heading, std::string_view line, const Cells& cells, size_t count,
    std::array<std::string, mostCells>& names)
{
    const auto beginOf = [&](size_t i) {
        return static_cast<size_t>(cells[i].data() - line.data());
    };
    Cells words;
    const size_t all = spacedCells(heading, 1, words);
    if (all > 2 * count)
        return false; // a sentence
    constexpr size_t wide = 8; // "12:00:01", which was peeled off the row
    for (size_t w = 0; w < all; ++w) {
        const auto begin = static_cast<size_t>(words[w].data() - heading.data());
        const size_t end = begin + words[w].size();
        if (w == 0 && end < beginOf(0) && beginOf(0) > wide && equalsIgnoringCase(words[0], "time"))
            continue; // it has no cell
        size_t column = count;
        for (size_t i = 0; i < count && column == count; ++i) {
            const size_t from = i == 0 ? 0 : beginOf(i - 1) + cells[i - 1].size();
            const size_t to = i + 1 == count ? std::string_view::npos : beginOf(i + 1);
            const bool touches = begin < beginOf(i) + cells[i].size() && end > beginOf(i);
            if (touches || (begin >= from && end <= to))
                column = i;
        }
        if (column == count || isNumberLike(words[w]))
            return false;
        names[column] += (names[column].empty() ? "" : " ") + std::string(words[w]);
    }
    return all > 0;
}

bool addGroups(std::string_view heading, std::vector<std::string>& columns)
{
    const auto first = std::find_if(
        columns.begin(), columns.end(), [](const std::string& name) { return !name.empty(); });
    const auto unnamed = static_cast<size_t>(first - columns.begin());
    const auto again = std::find(first == columns.end() ? first : first + 1, columns.end(),
        first == columns.end() ? std::string() : *first);
    const auto ofGroup = static_cast<size_t>(again - first), named = columns.size() - unnamed;
    if (again == columns.end() || ofGroup < 2 || named % ofGroup != 0)
        return false;
    for (size_t i = unnamed + ofGroup; i < columns.size(); ++i) {
        if (columns[i] != columns[i - ofGroup])
            return false;
    }
    Cells phrases;
    constexpr size_t gap = 2;
    if (spacedCells(heading, gap, phrases) != unnamed + named / ofGroup)
        return false;
    for (size_t i = 0; i < columns.size(); ++i) {
        std::string_view phrase = phrases[i < unnamed ? i : unnamed + (i - unnamed) / ofGroup];
        const size_t comma = std::min(phrase.find(", "), phrase.size());
        std::string unit;
        if (comma < phrase.size()) // "Time, us"
            unit.append(" (").append(phrase.substr(comma + 2)).append(1, ')');
        const std::string name = std::move(columns[i]);
        columns[i].assign(phrase.substr(0, comma));
        columns[i].append(name.empty() ? 0 : 1, ' ').append(name).append(unit);
    }
    return true;
}

} // namespace slipway::table
