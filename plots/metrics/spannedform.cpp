// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/spannedform.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>
#include <array>

namespace slipway::table {

namespace {

constexpr size_t nowhere = mostCells;

using Columns = std::array<size_t, mostCells>;

Span spanOf(std::string_view cell, std::string_view line)
{
    const auto begin = static_cast<size_t>(cell.data() - line.data());
    return {begin, begin + cell.size()};
}

/// The cell that the word stands above; `nowhere`: it is between two.
size_t cellBelow(const Span& word, std::string_view row, const Cells& cells, size_t count)
{
    const auto* const end = cells.begin() + count;
    const auto* const below = std::find_if(cells.begin(), end, [&](std::string_view cell) {
        const Span span = spanOf(cell, row);
        return word.begin < span.end && word.end > span.begin;
    });
    return below == end ? nowhere : static_cast<size_t>(below - cells.begin());
}

/// The words that stand above no cell belong to the one next to them: "Class ms" above "9.5".
/// False: there is none, or the columns are not in order.
bool joinWords(const std::array<Span, mostCells>& words, size_t count, Columns& columns)
{
    for (size_t i = count; i-- > 0;) {
        const bool isNear = i + 1 < count && words[i + 1].begin == words[i].end + 1;
        if (columns[i] == nowhere && isNear)
            columns[i] = columns[i + 1];
    }
    for (size_t i = 1; i < count; ++i) {
        if (columns[i] == nowhere && words[i].begin == words[i - 1].end + 1)
            columns[i] = columns[i - 1];
    }
    auto* const end = columns.begin() + count;
    return std::find(columns.begin(), end, nowhere) == end && std::is_sorted(columns.begin(), end);
}

} // namespace

std::optional<SpannedForm> SpannedForm::of(
    std::string_view heading, std::string_view row, std::string& drawn)
{
    Cells cells, words;
    if (!mayBeRow(row) || heading.size() > longestLine
        || heading.find('\t') != std::string_view::npos || isBordered(heading))
        return {};
    const size_t count = spacedCells(row, 2, cells), wordCount = spacedCells(heading, 1, words);
    if (count < leastColumns || wordCount <= count || wordCount >= mostCells
        || countNumbers(cells, count) * 2 < count)
        return {};
    std::array<Span, mostCells> above;
    Columns columns{};
    for (size_t i = 0; i < wordCount; ++i) {
        above[i] = spanOf(words[i], heading);
        columns[i] = cellBelow(above[i], row, cells, count);
    }
    if (!joinWords(above, wordCount, columns))
        return {};
    SpannedForm form;
    form.m_names.resize(count);
    for (size_t i = 0; i < wordCount; ++i) {
        std::string& name = form.m_names[columns[i]];
        name.append(name.empty() ? "" : " ").append(words[i]);
    }
    const bool isNamed = std::none_of(form.m_names.begin(), form.m_names.end(),
        [](const std::string& name) { return name.empty(); });
    return isNamed && form.take(row, drawn) ? std::optional(form) : std::nullopt;
}

bool SpannedForm::mayBeRow(std::string_view row)
{
    static constexpr ByteSet marks("\t|");
    return row.size() <= longestLine && marks.firstIn(row) == std::string_view::npos;
}

bool SpannedForm::take(std::string_view row, std::string& drawn) const
{
    Cells cells;
    if (!mayBeRow(row) || spacedCells(row, 2, cells) != m_names.size()
        || countNumbers(cells, m_names.size()) * 2 < m_names.size())
        return false;
    drawn = drawnLine(cells.begin(), cells.begin() + m_names.size());
    return true;
}

} // namespace slipway::table
