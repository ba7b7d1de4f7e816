// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/dataframeform.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>

namespace slipway::table {

namespace {

std::string_view withoutEnd(std::string_view line)
{
    static constexpr ByteSet spaces(" \r\t");
    return line.substr(0, spaces.lastNotIn(line) + 1);
}

bool endsAt(std::string_view line, size_t edge)
{
    return line[edge - 1] != ' ' && (edge == line.size() || line[edge] == ' ');
}

/// "3   4.21" → "4.21"; empty: there is no whole number before it.
std::string_view withoutIndex(std::string_view text)
{
    const size_t end = std::min(text.find(' '), text.size());
    const bool isNumber = end > 0 && std::all_of(text.begin(), text.begin() + long(end), isDigit);
    return isNumber ? trimmed(text.substr(end)) : std::string_view();
}

} // namespace

bool isOfTypes(std::string_view line)
{
    static constexpr std::string_view types[] = {"<dbl>", "<int>", "<chr>", "<fct>", "<lgl>",
        "<date>", "<dttm>", "Int64", "Int32", "Float64", "Float32", "String", "Any", "Bool", "i64",
        "i32", "u64", "u32", "f64", "f32", "str", "bool"};
    size_t words = 0;
    while (!(line = trimmed(line)).empty()) {
        if (const size_t border = borderAt(line)) {
            line.remove_prefix(border);
            continue;
        }
        std::string_view word = takeWord(line);
        if (word.ends_with('?')) // of Julia, where some are missing
            word.remove_suffix(1);
        if (!isOneOf(word, types) && !(word.starts_with("String") && isDigit(word.back())))
            return false;
        ++words;
    }
    return words > 0;
}

std::string withoutIndexBar(std::string_view line)
{
    static constexpr std::string_view bar = "\xe2\x94\x82 ";
    std::string_view rest = line;
    skipSpaces(rest);
    if (rest.empty() || !(isDigit(rest[0]) || rest[0] == 'R'))
        return {};
    const std::string_view index = takeWord(rest);
    skipSpaces(rest);
    if (!rest.starts_with(bar))
        return {};
    const bool isNumber = !index.empty() && std::all_of(index.begin(), index.end(), isDigit);
    if (!isNumber && index != "Row")
        return {};
    rest.remove_prefix(bar.size());
    if (rest.find(bar) != std::string_view::npos)
        return {}; // drawn with bars between all columns
    const auto begin = static_cast<size_t>(rest.data() - line.data());
    std::string plain(isNumber ? index : std::string_view());
    plain.resize(begin, ' ');
    plain += rest;
    return plain;
}

/// The columns end where both lines have the end of a word, and at least `gap` spaces behind it.
bool DataFrameForm::findEdges(std::string_view heading, std::string_view row, size_t gap)
{
    m_names.clear();
    m_edges.clear();
    size_t begin = 0;
    for (size_t edge = 1; edge <= heading.size(); ++edge) {
        const bool isGap =
            edge == heading.size() || heading.substr(edge).find_first_not_of(' ') >= gap;
        if (!isGap || !endsAt(heading, edge) || !endsAt(row, edge))
            continue;
        const std::string_view cell = trimmed(row.substr(begin, edge - begin));
        if (begin > 0 && cell.find(' ') != cell.npos
            && isNumberLike(cell.substr(cell.rfind(' ') + 1)))
            return false; // the cells of two columns
        const std::string_view name = trimmed(heading.substr(begin, edge - begin));
        if (name.empty() || name.find("  ") != std::string_view::npos)
            return false;
        m_names.emplace_back(name);
        m_edges.push_back(edge);
        begin = edge;
    }
    return !m_edges.empty();
}

/// "device threads": each level of the index begins where its name does.
bool DataFrameForm::findIndex(std::string_view names)
{
    Cells levels;
    const size_t count = spacedCells(names, 1, levels);
    if (count == 0 || count > mostLevels || levels[0].data() != names.data())
        return false;
    for (const Span& span : spansOf(names, levels, count))
        m_levels.push_back(span.begin);
    m_names.insert(m_names.begin(), levels.begin(), levels.begin() + count);
    return std::all_of(levels.begin(), levels.begin() + count,
        [](std::string_view level) { return isLetter(level[0]); });
}

std::optional<DataFrameForm> DataFrameForm::of(
    std::string_view heading, std::string_view indexNames, std::string_view row, std::string& drawn)
{
    heading = withoutEnd(heading);
    indexNames = withoutEnd(indexNames);
    row = withoutEnd(row);
    const size_t indent = heading.find_first_not_of(' ');
    if (indent == 0 || indent == std::string_view::npos || row.empty()
        || std::max(heading.size(), row.size()) > longestLine
        || row.find('\t') != std::string_view::npos)
        return {};
    DataFrameForm form;
    // Those of pandas are two spaces apart, and a name may have one in it.
    const bool hasEdges = heading.size() == row.size()
        && (form.findEdges(heading, row, 2) || form.findEdges(heading, row, 1));
    if (!indexNames.empty()) {
        if (!hasEdges || indexNames.size() >= form.m_edges.front() || !form.findIndex(indexNames))
            return {};
    } else if (!hasEdges || withoutIndex(row.substr(0, form.m_edges.front())).empty()) {
        if (std::min(row.find(' '), row.size()) >= indent)
            return {}; // a name stands above the index
        Cells words, cells;
        const size_t count = spacedCells(heading, 1, words);
        if (spacedCells(withoutIndex(row), 1, cells) != count)
            return {};
        form = {};
        form.m_names.assign(words.begin(), words.begin() + count);
    }
    return form.take(row, drawn) ? std::optional(form) : std::nullopt;
}

/// `text`: up to the end of the first column.
bool DataFrameForm::takeIndex(std::string_view text, std::vector<std::string_view>& cells)
{
    const size_t space = text.rfind(' ');
    if (space == std::string_view::npos)
        return false;
    if (m_levels.empty()) {
        cells.push_back(withoutIndex(text));
        return !cells.back().empty();
    }
    const std::string_view index = text.substr(0, space);
    m_index.resize(m_levels.size());
    for (size_t i = 0; i < m_levels.size(); ++i) {
        const size_t begin = m_levels[i];
        const size_t end = i + 1 < m_levels.size() ? m_levels[i + 1] : index.size();
        if (begin >= index.size() || (begin > 0 && index[begin - 1] != ' '))
            return false;
        const std::string_view cell = trimmed(index.substr(begin, end - begin));
        if (!cell.empty())
            m_index[i].assign(cell);
        else if (m_index[i].empty() || i + 1 == m_levels.size())
            return false;
        cells.push_back(m_index[i]);
    }
    cells.push_back(text.substr(space + 1));
    return true;
}

bool DataFrameForm::takeWords(std::string_view row, std::vector<std::string_view>& cells) const
{
    Cells words;
    const size_t count = spacedCells(withoutIndex(row), 1, words);
    cells.assign(words.begin(), words.begin() + count);
    return count == m_names.size();
}

bool DataFrameForm::takeEdges(std::string_view row, std::vector<std::string_view>& cells)
{
    if (row.size() != m_edges.back())
        return false;
    size_t begin = 0;
    for (const size_t edge : m_edges) {
        if (!endsAt(row, edge))
            return false;
        const std::string_view text = row.substr(begin, edge - begin);
        if (begin == 0 && !takeIndex(text, cells))
            return false;
        if (begin > 0)
            cells.push_back(trimmed(text));
        if (cells.back().empty() || cells.back().find("  ") != std::string_view::npos)
            return false;
        begin = edge;
    }
    return true;
}

bool DataFrameForm::take(std::string_view row, std::string& drawn)
{
    row = withoutEnd(row);
    std::vector<std::string_view> cells;
    if (m_edges.empty() ? !takeWords(row, cells) : !takeEdges(row, cells))
        return false;
    drawn = drawnLine(cells.begin(), cells.end());
    return true;
}

} // namespace slipway::table
