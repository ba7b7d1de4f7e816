// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/spannedform.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>

namespace slipway::table {

namespace {

constexpr size_t nowhere = mostCells;

/// The cell that the word stands above; `nowhere`: it is between two.
size_t cellBelow(const Span& word, const std::vector<Span>& cells)
{
    const auto below = std::find_if(cells.begin(), cells.end(),
        [&word](const Span& cell) { return word.begin < cell.end && word.end > cell.begin; });
    return below == cells.end() ? nowhere : static_cast<size_t>(below - cells.begin());
}

/// The words that stand above no cell belong to the one next to them: "Class ms" above "9.5".
/// False: there is none, or the columns are not in order.
bool joinWords(const std::vector<Span>& words, std::vector<size_t>& columns)
{
    for (size_t i = words.size(); i-- > 0;) {
        const bool isNear = i + 1 < words.size() && words[i + 1].begin == words[i].end + 1;
        if (columns[i] == nowhere && isNear)
            columns[i] = columns[i + 1];
    }
    for (size_t i = 1; i < words.size(); ++i) {
        if (columns[i] == nowhere && words[i].begin == words[i - 1].end + 1)
            columns[i] = columns[i - 1];
    }
    return std::find(columns.begin(), columns.end(), nowhere) == columns.end()
        && std::is_sorted(columns.begin(), columns.end());
}

} // namespace

std::optional<SpannedForm> SpannedForm::of(
    std::string_view heading, std::string_view row, std::string& drawn)
{
    Cells cells, words;
    if (std::max(heading.size(), row.size()) > longestLine
        || heading.find('\t') != std::string_view::npos || isBordered(heading))
        return {};
    const size_t count = spacedCells(row, 2, cells), wordCount = spacedCells(heading, 1, words);
    if (count < leastColumns || wordCount <= count || wordCount >= mostCells)
        return {};
    const std::vector<Span> below = spansOf(row, cells, count);
    const std::vector<Span> above = spansOf(heading, words, wordCount);
    std::vector<size_t> columns;
    for (const Span& word : above)
        columns.push_back(cellBelow(word, below));
    if (!joinWords(above, columns))
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

bool SpannedForm::take(std::string_view row, std::string& drawn) const
{
    Cells cells;
    if (row.size() > longestLine || row.find_first_of("\t|") != std::string_view::npos
        || spacedCells(row, 2, cells) != m_names.size()
        || countNumbers(cells, m_names.size()) * 2 < m_names.size())
        return false;
    drawn = drawnLine(cells.begin(), cells.begin() + m_names.size());
    return true;
}

} // namespace slipway::table
