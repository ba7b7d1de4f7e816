// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/metricrows.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostMetricColumns = 8;
constexpr size_t longestLabelOfRow = 40;

bool hasBars(std::string_view text)
{
    return table::isBordered(text) || text.find('|') != std::string_view::npos;
}

size_t cellsOfLine(std::string_view text, table::Cells& cells)
{
    constexpr size_t gap = 2;
    if (table::isBordered(text))
        return table::borderedCells(text, cells);
    return hasBars(text) ? table::separatedCells(text, '|', cells)
                         : table::spacedCells(text, gap, cells);
}

bool mayBeColumn(std::string_view cell)
{
    constexpr size_t longest = 24;
    return !cell.empty() && cell.size() <= longest
        && std::any_of(cell.begin(), cell.end(), isLetter)
        && cell.find_first_of("=:;,") == std::string_view::npos;
}

/// The same of a table with bars or without: there each column is a data set.
bool mayBeColumnOf(bool bordered, std::string_view cell)
{
    return mayBeColumn(cell)
        && (bordered || std::any_of(cell.begin(), cell.end(), isDigit)
            || MetricNames::builtIn().set(cell));
}

} // namespace

MetricRows::Form MetricRows::formOf(std::string_view text)
{
    if (std::none_of(text.begin(), text.end(), isLetter))
        return Form::Rule;
    table::Cells cells;
    const size_t count = cellsOfLine(text, cells);
    if (count < 2 || count > mostMetricColumns)
        return Form::Other;
    const bool bordered = table::isBordered(text);
    const bool mayHead = std::all_of(cells.begin() + 1, cells.begin() + count,
        [bordered](std::string_view cell) { return mayBeColumnOf(bordered, cell); });
    return mayHead ? Form::Heading : Form::Other;
}

MetricRows::Form MetricRows::formOfWords(std::string_view text, NameCache& cache)
{
    const Form form = formOf(text);
    return form == Form::Heading && columnsOf(text, cache).empty() ? Form::Other : form;
}

void MetricRows::keep(std::string_view text, Form form, NameCache& cache)
{
    if (form == Form::Heading)
        m_columns = columnsOf(text, cache);
    else if (form == Form::Other)
        m_columns.clear();
}

/// Of a heading; empty: it is none.
std::vector<MetricRows::Column> MetricRows::columnsOf(std::string_view text, NameCache& cache)
{
    table::Cells cells;
    const size_t count = cellsOfLine(text, cells);
    const bool bordered = table::isBordered(text);
    // "metric" and the empty cell head the names of the rows.
    const bool isLabelled = !cache.names().set(cells[0]) && (bordered || !mayBeColumn(cells[0]));
    std::vector<Column> columns;
    for (size_t i = isLabelled ? 1 : 0; i < count; ++i) {
        const QString* const set = cache.names().set(cells[i]);
        if (!set && !bordered)
            return {}; // most lines end here
        const NameMeaning::Kind kind = cache.find(cells[i]).kind;
        const bool isMeasured = kind == NameMeaning::Metric || kind == NameMeaning::Counter
            || cache.names().unit(cells[i]);
        if (!mayBeColumn(cells[i]) || (isMeasured && !set && !cache.names().isStatistic(cells[i])))
            return {}; // a row for each thing, and a column for each measurement
        columns.push_back({std::string(cells[i]), set});
    }
    return columns.size() >= 2 ? columns : std::vector<Column>();
}

bool MetricRows::read(
    std::string_view text, NameCache& cache, std::vector<Sample>& samples, size_t& form)
{
    samples.clear();
    if (readRow(text, cache, samples, form))
        return true;
    m_columns.clear();
    return false;
}

bool MetricRows::readRow(
    std::string_view text, NameCache& cache, std::vector<Sample>& samples, size_t& form) const
{
    table::Cells cells;
    size_t count = cellsOfLine(text, cells);
    if (count < 2 || count > mostMetricColumns)
        return false;
    std::string_view label = cells[0];
    const size_t colon = label.find(": ");
    if (count == m_columns.size() && colon != std::string_view::npos) { // "Loss: 0.9 | 1.0"
        std::move_backward(cells.begin() + 1, cells.begin() + count, cells.begin() + count + 1);
        cells[1] = trimmed(label.substr(colon + 1));
        label = label.substr(0, colon);
        ++count;
    }
    if (label.ends_with(':'))
        label.remove_suffix(1);
    if (count != m_columns.size() + 1 || label.empty() || label.size() > longestLabelOfRow
        || !isLetter(label[0]))
        return false;
    const NameMeaning meaning = cache.find(label);
    if (meaning.kind == NameMeaning::Counter || meaning.kind == NameMeaning::Setting
        || meaning.series.isEmpty())
        return false;
    bool isMeasured = false;
    form = qHash(meaning.series);
    for (size_t i = 0; i < m_columns.size(); ++i) {
        const std::string_view cell = cells[i + 1];
        const auto value = table::cellValue(cell, cache.names());
        if (!value)
            return false;
        isMeasured = isMeasured || cell.find('.') != std::string_view::npos;
        LinePair pair{label, *value};
        LineMetric metric{&pair, meaning.quantity, &meaning.series, meaning.set, meaning.unit};
        metric.section = m_columns[i].set;
        Sample sample = sampleOf(metric, {});
        if (!m_columns[i].set)
            sample.lane = labelText(m_columns[i].name);
        form = form * 31 + qHash(sample.series) + qHash(sample.lane);
        samples.push_back(std::move(sample));
    }
    return isMeasured;
}

} // namespace slipway
