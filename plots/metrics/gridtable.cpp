// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/gridtable.h"

#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tableheading.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr size_t longestGridRow = 240;
constexpr size_t rowsOfGrid = 4;
constexpr size_t mostGridRows = 24;
constexpr int mostOtherCells = 4; ///< words and marks of a row
constexpr int mostGridMisfits = 6;
constexpr size_t farFromColumn = 4; ///< places from a number to its heading
constexpr qint64 mostBelowHeading = 4; ///< lines: a rule, or a first row of words
constexpr qint64 mostBetweenRows = 8; ///< lines

bool isMark(char c)
{
    return isSpace(c) || c == '-' || c == '=' || c == '+' || c == '_' || c == '|' || c == '~'
        || c == '*';
}

/// Nothing but marks, or more of them than else: "----------------- <-- SCF".
bool isRuled(std::string_view text)
{
    if (std::any_of(text.begin(), text.end(), isLetter)
        && text.find("----") == std::string_view::npos)
        return false;
    const auto marks = size_t(std::count_if(text.begin(), text.end(), isMark));
    return marks == text.size() || marks * 2 > text.size();
}

/// Two spaces, one of which stands at an odd place: that looks at half of the text.
bool hasWideGap(std::string_view text)
{
    for (size_t i = 1; i < text.size(); i += 2) {
        if (text[i] == ' ' && (text[i - 1] == ' ' || (i + 1 < text.size() && text[i + 1] == ' ')))
            return true;
    }
    return false;
}

size_t countWords(std::string_view text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto parts = [](char c) { return isSpace(c) || c == '|'; };
        count += !parts(text[i]) && (i == 0 || parts(text[i - 1])) ? 1 : 0;
    }
    return count;
}

/// Words with more than one space between one in `share` of them, and no sentence.
bool isSetInColumns(std::string_view text, size_t share)
{
    text = trimmed(text);
    if (!table::hasWord(text) || text.ends_with('.') || text.ends_with(':')
        || text.find(": ") != std::string_view::npos)
        return false;
    size_t gaps = 0, wide = 0;
    for (size_t i = 1; i < text.size(); ++i) {
        if (!isSpace(text[i]) || isSpace(text[i - 1]))
            continue;
        ++gaps;
        wide += isSpace(text[i + 1]) || text[i + 1] == '|' || text[i - 1] == '|' ? 1 : 0;
    }
    return wide * share >= gaps;
}

/// "Cuts: 153", "x=3": what follows has a name of its own.
bool isNaming(std::string_view token)
{
    return token.ends_with(':') || token.ends_with('=');
}

bool isTimed(const GridTable::Column& column)
{
    const NameMeaning& meaning = column.meaning;
    return (meaning.kind == NameMeaning::Counter && meaning.use == NameMeaning::Alone)
        || (meaning.quantity && meaning.quantity->id == QLatin1String("time"));
}

} // namespace

bool GridTable::cellsOf(
    std::string_view text, const MetricNames& names, Cells& cells, std::string& label)
{
    cells.clear();
    if (text.size() > longestGridRow || text.find('\t') != std::string_view::npos
        || text.find('=') != std::string_view::npos)
        return false;
    int others = 0;
    size_t numbers = 0;
    bool isNamed = false;
    for (size_t at = 0; at < text.size();) {
        if (isSpace(text[at]) || text[at] == '|') {
            ++at;
            continue;
        }
        size_t end = at;
        while (end < text.size() && !isSpace(text[end]) && text[end] != '|')
            ++end;
        const std::string_view token = text.substr(at, end - at);
        const auto value =
            table::isNumberLike(token) ? table::cellValue(token, names) : std::nullopt;
        const bool isEmpty = token == "-" || token == "--" || token == ".";
        if (cells.empty() && others == 0 && token.size() > 2
            && std::all_of(token.begin(), token.end(), isWordCharacter) && isLetter(token[0]))
            label = token;
        if ((value && !isNamed) || isEmpty)
            cells.push_back({at, end, value.value_or(0), isEmpty});
        else if (++others > mostOtherCells)
            return false;
        numbers += value && !isNamed ? 1 : 0;
        isNamed = isNaming(token);
        at = end;
    }
    return numbers >= leastCells && cells.size() <= mostCells && others <= mostOtherCells
        && size_t(others) <= cells.size();
}

bool GridTable::mayBeHeading(std::string_view text)
{
    return !table::isOfProcessors(text) && text.size() <= longestGridRow && hasWideGap(text)
        && std::any_of(text.begin(), text.end(), isLetter) && !isRuled(text);
}

void GridTable::keep(std::string_view text, qint64 line)
{
    if (text == m_kept[0].text)
        return;
    std::rotate(m_kept.begin(), m_kept.end() - 1, m_kept.end());
    m_kept[0].text.assign(text); // of the oldest, whose room it takes
    m_kept[0].line = line;
}

bool GridTable::read(std::string_view text, qint64 line, qint64 end, NameCache& cache,
    const MetricNames& names, std::vector<Row>& rows)
{
    if (!m_held.empty() && line - m_held.back().line > mostBetweenRows)
        m_held.clear();
    const std::string_view first = trimmed(text);
    if (m_spans.empty() && m_held.empty() && !isBelowHeading(line) && !first.empty()
        && isDigit(first[0]))
        return false; // neither a row nor a heading
    Held held{{}, line, end, {}};
    if (!cellsOf(text, names, held.cells, held.label)) {
        if (held.cells.empty() && mayBeHeading(text))
            keep(text, line);
        return false;
    }
    if (!m_spans.empty()) {
        if (Row row; place(held, row)) {
            m_misfits = 0;
            rows.push_back(std::move(row));
            return true;
        }
        if (++m_misfits < mostGridMisfits)
            return false;
        m_spans.clear();
        m_misfits = 0;
    }
    if (m_held.empty()) {
        if (!isBelowHeading(line))
            return false;
        m_begin = line;
    }
    m_held.push_back(std::move(held));
    if (m_held.size() < rowsOfGrid)
        return false;
    if (establish(cache, names)) {
        giveHeld(rows);
        return !rows.empty();
    }
    m_spans.clear();
    if (m_held.size() >= mostGridRows)
        m_held.clear(); // and the rows to come are too far from the heading to try again
    return false;
}

/// Whether a line that may be a heading stands close enough above.
bool GridTable::isBelowHeading(qint64 line) const
{
    return !m_kept[0].text.empty() && line - m_kept[0].line <= mostBelowHeading;
}

/// The rows that were held until the columns were known.
void GridTable::giveHeld(std::vector<Row>& rows)
{
    m_isFirst = true;
    m_isLabelled = std::all_of(m_held.begin(), m_held.end(), [this](const Held& each) {
        return !each.label.empty() && each.label == m_held.front().label;
    });
    for (const Held& each : m_held) {
        if (Row row; place(each, row))
            rows.push_back(std::move(row));
    }
    m_held.clear();
}

bool GridTable::establish(NameCache& cache, const MetricNames& names)
{
    std::vector<std::string> headings(findSpans() ? m_spans.size() : 0);
    return !headings.empty() && readHeadings(headings) && nameColumns(headings, cache, names)
        && findCounter();
}

/// Numbers that begin or end at the same place are one column, as far as no row has two of them.
bool GridTable::findSpans()
{
    m_spans.clear();
    for (const Held& held : m_held) {
        int before = -1;
        for (const Cell& cell : held.cells) {
            const int column = columnAt(cell.begin, cell.end, Fit::Edge);
            if (column >= 0 && column <= before)
                return false;
            before = std::max(before, column);
            if (column >= 0)
                continue;
            if (m_spans.size() == mostCells)
                return false;
            m_spans.push_back({cell.begin, cell.end, {cell.begin}, {cell.end}});
        }
        std::sort(m_spans.begin(), m_spans.end(),
            [](const Span& a, const Span& b) { return a.end < b.end; });
    }
    dropLoose();
    return m_spans.size() >= leastCells && !lacksColumns();
}

/// A row has numbers where no other one has, and few rows are known: those to come may have more.
bool GridTable::lacksColumns() const
{
    const auto widest = std::max_element(m_held.begin(), m_held.end(),
        [](const Held& a, const Held& b) { return a.cells.size() < b.cells.size(); });
    return m_held.size() < 2 * rowsOfGrid && widest->cells.size() > m_spans.size() + 1;
}

/// What only one row shows is no column.
void GridTable::dropLoose()
{
    std::vector<size_t> rows(m_spans.size());
    for (const Held& held : m_held) {
        for (const Cell& cell : held.cells) {
            if (const int column = columnAt(cell.begin, cell.end, Fit::Edge); column >= 0)
                ++rows[size_t(column)];
        }
    }
    size_t i = 0;
    std::erase_if(m_spans, [&](const Span&) { return rows[i++] < 2; });
}

/// The column that the place belongs to; -1: none.
int GridTable::columnAt(size_t begin, size_t end, Fit fit) const
{
    const auto contains = [](const auto& edges, size_t edge) {
        return std::find(edges.begin(), edges.end(), edge) != edges.end();
    };
    for (size_t i = 0; i < m_spans.size(); ++i) {
        if (contains(m_spans[i].ends, end))
            return static_cast<int>(i);
    }
    for (size_t i = 0; i < m_spans.size(); ++i) {
        if (contains(m_spans[i].begins, begin))
            return static_cast<int>(i);
    }
    int found = -1;
    size_t most = 0, nearest = farFromColumn;
    for (size_t i = 0; i < m_spans.size() && fit == Fit::Near; ++i) {
        const Span& span = m_spans[i];
        if (begin < span.end && end > span.begin) {
            const size_t common = std::min(end, span.end) - std::max(begin, span.begin);
            if (common > most) {
                most = common;
                found = static_cast<int>(i);
            }
        } else if (most == 0) {
            const size_t gap = begin >= span.end ? begin - span.end : span.begin - end;
            if (gap < nearest) {
                nearest = gap;
                found = static_cast<int>(i);
            }
        }
    }
    return found;
}

/// Whether the words end where the columns behind theirs end: the first of these has no name, and
/// one name is of two words.
bool GridTable::isShifted(std::string_view heading) const
{
    constexpr size_t fewest = 3;
    const auto endsIn = [this](size_t column, size_t end) {
        return column < m_spans.size()
            && std::find(m_spans[column].ends.begin(), m_spans[column].ends.end(), end)
            != m_spans[column].ends.end();
    };
    size_t shifted = 0, straight = 0, word = 0;
    for (size_t at = 0; at < heading.size(); ++word) {
        at = std::min(heading.find_first_not_of(" |", at), heading.size());
        const size_t end = std::min(heading.find_first_of(" |", at), heading.size());
        shifted += endsIn(word + 1, end) ? 1 : 0;
        straight += endsIn(word, end) ? 1 : 0;
        at = end;
    }
    return shifted >= fewest && shifted > straight;
}

/// Adds the words of a heading to the columns that they stand above. False: it is none.
bool GridTable::addHeading(std::string_view heading, std::vector<std::string>& columns) const
{
    std::vector<std::string> added(columns.size());
    const bool isOneToOne = countWords(heading) == columns.size() && !isShifted(heading);
    const auto addTo = [&added](size_t column, std::string_view word) {
        if (!added[column].empty())
            added[column] += ' ';
        added[column].append(word);
    };
    size_t words = 0, placed = 0;
    for (size_t at = 0; at < heading.size();) {
        size_t end = at;
        while (end < heading.size() && !isSpace(heading[end]) && heading[end] != '|')
            ++end;
        const std::string_view word = heading.substr(at, end - at);
        if (word.empty() || isRuled(word)) {
            at = end + (word.empty() ? 1 : 0);
            continue;
        }
        const int column = isOneToOne ? static_cast<int>(words) : columnAt(at, end, Fit::Near);
        ++words;
        if (column >= 0)
            addTo(size_t(column), word);
        for (size_t i = 0; i < m_spans.size() && !isOneToOne; ++i) { // "DIPOLE" above three numbers
            if (static_cast<int>(i) != column && at <= m_spans[i].begin && end >= m_spans[i].end)
                addTo(i, word);
        }
        placed += column >= 0 ? 1 : 0;
        at = end;
    }
    if (words == 0 || placed * 3 < words * 2 || words > 3 * columns.size())
        return false;
    for (size_t i = 0; i < columns.size(); ++i) {
        if (!added[i].empty())
            columns[i] = columns[i].empty() ? added[i] : added[i] + ' ' + columns[i];
    }
    return true;
}

/// Whether each column has a name of its own.
bool areDistinct(const std::vector<std::string>& headings)
{
    for (auto heading = headings.begin(); heading != headings.end(); ++heading) {
        if (heading->empty() || std::find(headings.begin(), heading, *heading) != heading)
            return false;
    }
    return true;
}

/// The headings of the columns, from the lines above the table. False: there are none.
bool GridTable::readHeadings(std::vector<std::string>& headings) const
{
    qint64 below = m_begin;
    size_t lines = 0;
    for (const Kept& kept : m_kept) {
        if (kept.line >= m_begin && lines == 0)
            continue; // a remark between the rows
        if (kept.text.empty() || kept.line >= below
            || below - kept.line > (lines == 0 ? mostBelowHeading : 1)
            || !isSetInColumns(kept.text, lines == 0 ? 3 : 2)
            || !((lines > 0 && table::addGroups(kept.text, headings))
                || addHeading(kept.text, headings)))
            break;
        below = kept.line;
        ++lines;
        if (areDistinct(headings))
            break; // a line above it names groups of columns
    }
    return lines > 0;
}

bool GridTable::nameColumns(
    std::vector<std::string>& headings, NameCache& cache, const MetricNames& names)
{
    m_columns.clear();
    size_t named = 0, axes = 0;
    for (std::string& text : headings) {
        const MetricUnit* unit = names.unit(text);
        if (const size_t open = text.rfind('('); text.ends_with(')') && open != std::string::npos) {
            const std::string_view inside(text.data() + open + 1, text.size() - open - 2);
            if ((unit = names.unit(inside)))
                text.resize(open);
        }
        const bool isName = std::any_of(text.begin(), text.end(), isLetter) && text.size() <= 40;
        named += isName ? 1 : 0;
        const std::string_view last = std::string_view(text).substr(text.rfind(' ') + 1);
        const bool isAxis = equalsIgnoringCase(last, "x") || equalsIgnoringCase(last, "y")
            || equalsIgnoringCase(last, "z");
        axes += isAxis ? 1 : 0;
        m_columns.push_back({isName ? cache.find(trimmed(text)) : NameMeaning(), unit, false});
    }
    constexpr size_t coordinates = 3; // of atoms or points
    return axes < coordinates && named >= 2 && named * 2 >= headings.size();
}

/// `how`: whether it may stand still, or need not rise at all.
bool GridTable::isRising(size_t column, Rise how) const
{
    const bool strictly = how == Rise::Strictly;
    std::optional<double> before, first;
    size_t rows = 0;
    for (const Held& held : m_held) {
        std::optional<double> value;
        for (const Cell& cell : held.cells) {
            if (!cell.isEmpty
                && columnAt(cell.begin, cell.end, Fit::Near) == static_cast<int>(column))
                value = cell.value;
        }
        if (!value)
            continue; // of a row that lacks it nothing is drawn
        if ((strictly && *value != std::floor(*value))
            || (before && (strictly ? *value <= *before : *value < *before)))
            return false;
        before = value;
        first = first ? first : value;
        ++rows;
    }
    return before && (*before > *first || how == Rise::Never) && rows * 4 >= m_held.size() * 3;
}

/// What counts rises from row to row; the time may stand still.
bool GridTable::findCounter()
{
    const auto known = std::count_if(m_columns.begin(), m_columns.end(),
        [](const Column& column) { return column.meaning.kind == NameMeaning::Metric; });
    const bool isKnown = known >= 2;
    m_counter = -1;
    m_isByTime = false;
    constexpr size_t columnsInFront = 4; // one further on may rise by chance
    for (size_t i = 0; i < m_columns.size() && m_counter < 0; ++i) {
        const bool mayCount =
            i < columnsInFront || m_columns[i].meaning.kind == NameMeaning::Counter;
        if (mayCount && isRising(i, Rise::Strictly) && !isTimed(m_columns[i]))
            m_counter = static_cast<int>(i);
    }
    // "Count  Size": by the one that is known to be a size.
    for (size_t i = 0; i < std::min(m_columns.size(), columnsInFront) && m_counter >= 0; ++i) {
        if (m_columns[size_t(m_counter)].meaning.kind == NameMeaning::Unknown
            && m_columns[i].meaning.isSize() && isRising(i, Rise::Strictly))
            m_counter = static_cast<int>(i);
    }
    for (size_t i = 0; i < m_columns.size() && m_counter < 0; ++i) {
        if (isTimed(m_columns[i]) && isRising(i, isKnown ? Rise::Never : Rise::Somewhere)) {
            m_counter = static_cast<int>(i);
            m_isByTime = true;
        }
    }
    return m_counter >= 0 || isKnown;
}

/// Where a number of a column begins and ends.
void GridTable::noteEdges(size_t column, size_t begin, size_t end)
{
    constexpr size_t mostEdges = 6;
    Span& span = m_spans[column];
    const auto note = [](std::vector<size_t>& edges, size_t edge) {
        if (edges.size() < mostEdges && std::find(edges.begin(), edges.end(), edge) == edges.end())
            edges.push_back(edge);
    };
    note(span.begins, begin);
    note(span.ends, end);
}

bool GridTable::place(const Held& held, Row& row)
{
    row.line = held.line;
    row.end = held.end;
    if (m_isLabelled)
        row.label = held.label;
    size_t placed = 0, fitting = 0;
    int before = -1;
    // Of a row that lacks none each number has its column, wherever a wide one has moved it.
    const bool isWhole = held.cells.size() == m_columns.size();
    const auto columnOf = [&](const Cell& cell) {
        return isWhole ? static_cast<int>(&cell - held.cells.data())
                       : columnAt(cell.begin, cell.end, Fit::Near);
    };
    for (const Cell& cell : held.cells) {
        const int column = columnOf(cell);
        if (column < 0)
            continue;
        if (column <= before)
            return false;
        before = column;
        if (!cell.isEmpty)
            row.cells.values[size_t(column)] = cell.value;
        ++placed;
        fitting += columnAt(cell.begin, cell.end, Fit::Edge) == column ? 1 : 0;
    }
    if (placed < 2 || (!isWhole && fitting * 3 < placed * 2) || placed * 2 < held.cells.size()
        || placed * 3 < m_columns.size()
        || (m_counter >= 0 && !row.cells.values[size_t(m_counter)]))
        return false;
    for (const Cell& cell : held.cells) {
        const int column = columnOf(cell);
        if (column >= 0)
            noteEdges(size_t(column), cell.begin, cell.end);
    }
    row.cells.counter = m_counter;
    row.cells.isByTime = m_isByTime;
    row.cells.isFirst = std::exchange(m_isFirst, false);
    return true;
}

} // namespace slipway
