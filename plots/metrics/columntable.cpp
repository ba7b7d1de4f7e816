// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/columntable.h"

#include "plots/metrics/columnheading.h"
#include "plots/metrics/fields.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace slipway {

using namespace table;

namespace {

constexpr size_t longestRow = 1000;
constexpr int mostMisfits = 40;
constexpr size_t leastEdges = 4; ///< columns that are found by where they end

/// A heading that does not fit this row: of another table than the open one.
bool isHeading(std::string_view line, NameCache& cache)
{
    Cells cells;
    const size_t count = line.empty() ? 0 : spacedCells(line, 2, cells);
    int known = 0;
    for (size_t i = 0; i < count && count > 1; ++i)
        known += cache.find(cells[i]).kind == NameMeaning::Metric ? 1 : 0;
    return known >= 2;
}

/// Of a row that begins with a size, the words that tell what is compared: not those at the end,
/// "ok", and no checksums.
std::string comparedIn(const Cells& cells, size_t count)
{
    constexpr size_t longestWord = 24;
    std::string lane;
    for (size_t i = 1; i + 1 < count; ++i) {
        const bool hasDigit = std::any_of(cells[i].begin(), cells[i].end(), isDigit);
        const bool isWord = !isNumberLike(cells[i]) && !isVoid(cells[i])
            && cells[i].size() <= longestWord && (!hasDigit || cells[i].size() < 8);
        if (isWord)
            lane.append(lane.empty() ? "" : ", ").append(cells[i]);
    }
    return lane;
}

/// The lane behind the title of its table, which tells the tables of a program apart.
std::string_view setLane(std::string& text, const std::string& title, const std::string& lane)
{
    text = title;
    text.append(title.empty() || lane.empty() ? "" : ", ").append(lane);
    return text;
}

} // namespace

void ColumnTable::Row::begin()
{
    isBordered = isFirst = isTagged = isWorded = isByTime = isSwept = isTitled = false;
    counter = -1;
    lane = {};
}

bool looksLikeRow(std::string_view line)
{
    if (line.size() > longestRow)
        return false;
    // All three are counted in one number, sixteen bits each: a row is short.
    constexpr int letterShift = 16, spaceShift = 32;
    static_assert(longestRow < (1 << letterShift));
    static constexpr auto counted = [] {
        std::array<uint64_t, 256> table{};
        for (size_t i = 0; i < table.size(); ++i) {
            const char c = static_cast<char>(i);
            table[i] = (isDigit(c) ? 1u : 0u) | uint64_t(isLetter(c) ? 1 : 0) << letterShift
                | uint64_t(isSpace(c) || c == ',' || c == '|' ? 1 : 0) << spaceShift;
        }
        return table;
    }();
    uint64_t sum = 0;
    for (const char c : line)
        sum += counted[static_cast<unsigned char>(c)];
    const uint64_t digits = sum & 0xffff, letters = (sum >> letterShift) & 0xffff,
                   spaces = sum >> spaceShift;
    return digits >= 2 && spaces >= 1 && letters <= 12 + digits;
}

void ColumnTable::keep(std::string_view line, const HeadingForm& form)
{
    ++m_misfits;
    if (form.isOfProcessors) {
        m_lines.clear();
        return;
    }
    if (form.hasIndexBar) {
        const std::string plain = withoutIndexBar(line);
        m_lines.keep(plain, headingFormOf(plain));
        return;
    }
    if (form.hasSemicolons) {
        m_padded.assign(trimmed(line)); // "Size;Time"
        std::replace(m_padded.begin(), m_padded.end(), ';', ',');
        m_lines.keep(m_padded, headingFormOf(m_padded));
        return;
    }
    if (!form.isDashed) {
        m_lines.keep(line, form);
        return;
    }
    m_padded.assign(line); // "#--it-----t------dt----"
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '-' && (line.substr(i + 1, 1) == "-" || (i > 0 && line[i - 1] == '-')))
            m_padded[i] = ' ';
    }
    m_lines.keep(m_padded, headingFormOf(m_padded));
}

bool ColumnTable::beginsWithTime(bool isPrefixed) const
{
    if (!isPrefixed)
        return false;
    if (m_lines.kept.empty())
        return m_showsDay && m_misfits == 0;
    std::string_view heading = m_lines.kept;
    skipSpaces(heading);
    const std::string_view first = takeWord(heading);
    return m_lines.keptForm.names.spaced >= leastEdges
        && (equalsIgnoringCase(first, "time") || equalsIgnoringCase(first, "timestamp"));
}

/// "4096   0.495 ms": a unit belongs to the number that it follows, one space behind.
size_t joinUnits(Cells& cells, size_t count)
{
    const MetricNames& names = MetricNames::builtIn();
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const std::string_view cell = cells[i];
        const bool mayBeUnit = kept > 0 && !cell.empty() && isLetter(cell[0])
            && (cell.size() > 1 || cell == "s") && isNumberLike(cells[kept - 1])
            && cells[kept - 1].data() + cells[kept - 1].size() + 1 == cell.data();
        const MetricUnit* unit = mayBeUnit ? names.unit(cell) : nullptr;
        if (unit && unit->factor > 0 && (unit->unit == u"s" || unit->unit.startsWith(u'B'))) {
            const char* const begin = cells[kept - 1].data();
            cells[kept - 1] =
                std::string_view(begin, static_cast<size_t>(cell.data() + cell.size() - begin));
        } else {
            cells[kept++] = cell;
        }
    }
    return kept;
}

ColumnTable::RowForm formWithCells(std::string_view line, Cells& cells)
{
    ColumnTable::RowForm form;
    form.isBordered = isBordered(line);
    form.cells = rowCells(line, form.isBordered, cells);
    if (!form.isBordered && form.cells > 2)
        form.cells = joinUnits(cells, form.cells);
    if (form.isBordered && form.cells > leastEdges && cells[0].size() > 3 && isLetter(cells[0][0])
        && cells[0][1] == ' ' && isDigit(trimmed(cells[0].substr(1))[0]))
        cells[0] = trimmed(cells[0].substr(1)); // "T  0.1s|     1 |": where SCIP found a solution
    form.numbers = countValues(cells, form.cells, form.isBordered);
    while (form.leading < form.cells && isNumberLike(cells[form.leading]))
        ++form.leading;
    return form;
}

ColumnTable::RowForm ColumnTable::formOf(std::string_view line)
{
    Cells cells;
    RowForm form = formWithCells(line, cells);
    form.hasVectors = !form.isBordered && line.find('[') != std::string_view::npos
        && vectorCells(line, cells) > 0;
    return form;
}

/// "naive  fp32  16  0.5": whether several words may stand before the numbers of a row. They name
/// what is compared, or commas part them. `columns`: of the open table.
bool mayHaveWords(std::string_view line, const ColumnTable::RowForm& form,
    const HeadingLines& lines, const std::vector<ColumnTable::Column>& columns)
{
    const bool isOpen = columns.size() == form.cells;
    if ((lines.keptForm.hasVariant && !lines.kept.empty())
        || (isOpen
            && std::any_of(columns.begin(), columns.end(),
                [](const ColumnTable::Column& column) { return column.isVariant; })))
        return true;
    return (!lines.listed.empty() || (isOpen && lines.isOpenedByList()))
        && line.find(',') != std::string_view::npos;
}

bool ColumnTable::mayRead(std::string_view line, const RowForm& form) const
{
    if (!form.isBordered
        && (commonLead(m_lines.kept, line) > 0 || (!m_lead.empty() && line.starts_with(m_lead))))
        return true;
    if (m_drawn && m_misfits < mostMisfits)
        return true;
    if ((!m_ruledColumns.empty() && m_misfits < mostMisfits) || m_lines.isRuled())
        return true;
    if (form.hasVectors)
        return true;
    if (form.cells < 2 || form.cells >= mostColumns || form.numbers == 0)
        return false;
    if (!form.isBordered)
        return form.cells - form.numbers <= 1 || form.leading >= 1
            || form.numbers >= (m_edges.empty() ? leastEdges : leastEdges - 1)
            || mayHaveWords(line, form, m_lines, m_columns);
    const bool goesOn = m_edges.empty() && !m_tagsRows && m_columns.size() == form.cells
        && m_bordered && m_misfits < mostMisfits;
    return goesOn || (!m_lines.kept.empty() && m_lines.keptForm.cells == form.cells);
}

/// "CG : 1 -.13238703E+04": the end of a tag whose colon stands apart; npos: there is none.
size_t tagApart(std::string_view line)
{
    constexpr size_t longestTag = 4;
    const size_t begin = std::min(line.find_first_not_of(' '), line.size());
    size_t end = begin;
    while (end < line.size() && line[end] >= 'A' && line[end] <= 'Z')
        ++end;
    return end > begin + 1 && end - begin <= longestTag && line.substr(end).starts_with(" : ")
        ? end
        : std::string_view::npos;
}

bool ColumnTable::read(std::string_view line, NameCache& cache, const MetricNames& names, Row& row)
{
    if (line.find('[') != std::string_view::npos && readVectors(line, cache, names, row))
        return true;
    if (const size_t tag = tagApart(line); tag != std::string_view::npos) {
        m_padded.assign(line).replace(tag, 3, ":  ");
        return readLine(m_padded, cache, names, row);
    }
    const std::string_view text = trimmed(line), first = text.substr(0, 1);
    if (text.starts_with("* ") && trimmed(m_lines.kept).starts_with("* "))
        return false; // a table in a comment of code
    const std::string plain = withoutIndexBar(line);
    if (readDrawn(DrawnForm::Kind::Frame, plain.empty() ? line : plain, cache, names, row)
        || readDrawn(DrawnForm::Kind::Barred, line, cache, names, row))
        return true;
    if (first.empty() || isDigit(first[0]) || first[0] == '-' || isBordered(line))
        return readLine(line, cache, names, row) || readRuled(line, cache, names, row)
            || readDrawn(DrawnForm::Kind::Spanned, line, cache, names, row);
    if (const size_t lead = m_lines.kept.empty() ? 0 : commonLead(m_lines.kept, line)) {
        const std::string kept = m_lines.kept, before(line.substr(0, lead));
        const NameCounts counts = m_lines.keptForm.names;
        m_lines.kept.replace(0, lead, lead, ' ');
        m_lines.keptForm.names = countNames(m_lines.kept);
        m_padded.assign(line).replace(0, lead, lead, ' ');
        const bool isRow = readLine(m_padded, cache, names, row);
        m_lines.keptForm.names = counts;
        if (!isRow || !m_lines.kept.empty()) // it is no heading of this row
            m_lines.kept = kept;
        if (isRow) {
            m_lead = before;
            return true;
        }
    } else if (!m_lead.empty() && line.starts_with(m_lead)) {
        m_padded.assign(line).replace(0, m_lead.size(), m_lead.size(), ' ');
        const size_t end = m_padded.find_first_not_of(" 0123456789");
        if (end != std::string::npos && end > 0 && m_padded[end] == ':'
            && isDigit(m_padded[end - 1]))
            m_padded.replace(end, 1, "  "); // "epoch 1:"
        if (readLine(m_padded, cache, names, row))
            return true;
    }
    return readLine(line, cache, names, row) || readRuled(line, cache, names, row)
        || readTagCounted(line, cache, names, row)
        || readDrawn(DrawnForm::Kind::Spanned, line, cache, names, row);
}

/// Reads m_padded, of which `heading` is the heading, if it is not empty.
bool ColumnTable::readChanged(
    const std::string& heading, NameCache& cache, const MetricNames& names, Row& row)
{
    const std::string kept = m_lines.kept;
    const HeadingForm form = m_lines.keptForm;
    if (!heading.empty()) {
        m_lines.kept = heading;
        m_lines.keptForm = headingFormOf(m_lines.kept);
    }
    const bool isRow = readLine(m_padded, cache, names, row);
    if (!isRow || !m_lines.kept.empty()) { // it is no heading of this row
        m_lines.kept = kept;
        m_lines.keptForm = form;
    }
    return isRow;
}

bool ColumnTable::readCounted(
    int count, std::string_view line, NameCache& cache, const MetricNames& names, Row& row)
{
    static constexpr std::string_view name = "iter";
    m_padded = std::to_string(count) + "  ";
    if (m_lines.kept.empty()) {
        m_padded.append(line);
        return m_isTagCounted && readLine(m_padded, cache, names, row);
    }
    // Names stay above their numbers, as far as the count has room before them.
    const size_t indent = m_lines.kept.find_first_not_of(' '), own = line.find_first_not_of(' ');
    if (indent <= name.size() || own == std::string_view::npos)
        return false;
    m_padded.resize(std::max(m_padded.size(), indent - std::min(indent, own)), ' ');
    m_padded.append(line);
    std::string heading = m_lines.kept;
    heading.replace(0, name.size(), name);
    if (!readChanged(heading, cache, names, row))
        return false;
    m_isTagCounted = true;
    return true;
}

/// Behind "metrics:", which says what the names are; 0: the heading begins with a name.
size_t behindLabel(std::string_view heading)
{
    const std::string_view text = trimmed(heading);
    const size_t colon = text.find(':');
    const bool isLabel = colon != std::string_view::npos && colon > 0 && colon + 1 < text.size()
        && isSpace(text[colon + 1]) && std::all_of(text.begin(), text.begin() + colon, isLetter);
    return isLabel ? static_cast<size_t>(text.data() - heading.data()) + colon + 1 : 0;
}

/// "step:   10   0.9375E+02   0.1915E+02" below "Volume   Mass", "@DF-RHF iter   1:   -76.01": the
/// word before the number is its name.
bool ColumnTable::readTagCounted(
    std::string_view line, NameCache& cache, const MetricNames& names, Row& row)
{
    const size_t begin = line.find_first_not_of(' ');
    constexpr size_t longestTag = 32;
    const size_t colon =
        m_lines.kept.empty() ? std::string_view::npos : line.substr(0, longestTag).find(':');
    if (colon == std::string_view::npos || begin >= colon || isBordered(line))
        return false;
    const size_t label = behindLabel(m_lines.kept);
    if (label == 0
        && (m_lines.kept.find_first_not_of(' ') <= colon || colon >= m_lines.kept.size()))
        return false;
    std::string_view tag = line.substr(begin, colon - begin);
    while (!tag.empty() && isDigit(tag.back()))
        tag.remove_suffix(1);
    const bool isNumbered = tag.size() < colon - begin; // before the colon, else behind it
    tag = trimmed(tag);
    const std::string_view word =
        isNumbered ? tag.substr(std::min(tag.rfind(' ') + 1, tag.size())) : tag;
    if (!std::all_of(word.begin(), word.end(), isLetter)
        || cache.find(word).kind != NameMeaning::Counter)
        return false;
    std::string heading = m_lines.kept;
    if (label > 0 && isNumbered) { // "epoch 1:   0.0013   0.0028" below "metrics:   MAP   MRR"
        heading.replace(0, label, std::string(word) + "  ");
        m_padded.assign(line).replace(colon, 1, "  ").erase(0, begin + tag.size());
        if (!readChanged(heading, cache, names, row))
            return false;
        m_lead.assign(line.substr(0, begin + tag.size()));
        return true;
    }
    if (label > 0)
        return false;
    heading.replace(isNumbered ? colon - word.size() : begin, word.size(), word);
    const size_t lead = isNumbered ? begin + tag.size() : colon + 1;
    m_padded.assign(line).replace(0, lead, lead, ' ');
    if (!readChanged(heading, cache, names, row))
        return false;
    m_lead.assign(line.substr(0, lead));
    return true;
}

/// Whether a table with these names is read where its rows have to be drawn first: another column
/// than the index counts, or the rows are by size.
bool isWanted(const DrawnForm& form, NameCache& cache)
{
    const auto isSize = [&cache](const std::string& name) { return cache.find(name).isSize(); };
    const auto counts = [&](const std::string& name) {
        return isSize(name) || cache.find(name).kind == NameMeaning::Counter
            || cache.names().isNumberOf(name);
    };
    const std::vector<std::string>& names = form.names();
    switch (form.kind()) {
    case DrawnForm::Kind::Frame:
        return std::any_of(names.begin(), names.end(), counts);
    case DrawnForm::Kind::Spanned:
        return std::any_of(names.begin(), names.end(), isSize);
    case DrawnForm::Kind::Barred:
        break;
    }
    return true;
}

/// "3  numba   100  0.04" below "   method     N  time (s)": see DrawnForm.
bool ColumnTable::readDrawn(DrawnForm::Kind kind, std::string_view line, NameCache& cache,
    const MetricNames& names, Row& row)
{
    const bool opens = !m_lines.kept.empty();
    std::optional<DrawnForm> form =
        opens ? DrawnForm::of(kind, m_lines, line, m_padded) : std::nullopt;
    if (opens ? !form || !isWanted(*form, cache) || !readChanged(form->heading(), cache, names, row)
              : !m_drawn || m_drawn->kind() != kind || m_misfits >= mostMisfits
                || !m_drawn->take(line, m_padded) || !readLine(m_padded, cache, names, row))
        return false;
    if (opens)
        m_drawn = std::move(form);
    Cells cells;
    if (kind == DrawnForm::Kind::Spanned) {
        row.lane =
            setLane(m_titledLane, m_tableTitle, comparedIn(cells, borderedCells(m_padded, cells)));
    } else if (kind == DrawnForm::Kind::Barred) {
        row.lane = setLane(m_titledLane, m_tableTitle, {}); // another word in each row
    }
    return true;
}

/// "d= 0,ls=0.0,diis     1   -139.3892607002 -1.73D+02" below "----------- ----- ---------------":
/// each number by the group that it stands below. Columns that begin with words are left out, and
/// what follows a number in its column: "1.15980 +/- 0.03".
bool ColumnTable::readRuled(
    std::string_view line, NameCache& cache, const MetricNames& names, Row& row)
{
    const bool opens = !m_lines.kept.empty() && m_lines.isRuled();
    std::vector<std::string> texts, headings;
    if ((!opens && m_ruledColumns.empty()) || isBordered(line) || !m_lines.takeRuled(line, texts)
        || (opens && !m_lines.takeRuled(m_lines.kept, headings)))
        return false;
    std::vector<size_t> columns = opens ? std::vector<size_t>() : m_ruledColumns;
    if (!opens && columns.back() >= texts.size())
        return false; // another heading has other groups
    std::string heading;
    for (size_t i = 0; opens && i < texts.size(); ++i) {
        if (headings[i].empty())
            return false;
        if (!texts[i].empty() && !isNumberLike(texts[i]))
            continue;
        columns.push_back(i);
        heading.append("  ").append(headings[i]);
    }
    m_padded.clear();
    size_t filled = 0;
    for (const size_t column : columns) {
        const std::string_view text = texts[column];
        if (!text.empty() && !isNumberLike(text))
            return false;
        filled += text.empty() ? 0 : 1;
        m_padded.append("  ").append(text.empty() ? "-" : text.substr(0, text.find(' ')));
    }
    if (filled < 2 || texts[columns.front()].empty())
        return false;
    if (!opens)
        return readLine(m_padded, cache, names, row);
    if (columns.size() < 3 || !readChanged(heading, cache, names, row))
        return false;
    m_ruledColumns = columns;
    return true;
}

/// "1000   [3.4e-04, 8.9e-04]   [3.3e-04, 8.8e-04]   []" below "Step   Train loss   Test loss Test
/// metric": each number of a list is a column, "Train loss 1", "Train loss 2".
bool ColumnTable::readVectors(
    std::string_view line, NameCache& cache, const MetricNames& names, Row& row)
{
    Cells cells, headings;
    const size_t count = vectorCells(line, cells);
    if (count < 2 || (m_lines.kept.empty() && m_columns.empty()))
        return false;
    const bool isHeaded = !m_lines.kept.empty() && spacedCells(m_lines.kept, 2, headings) == count;
    std::string flat, heading;
    for (size_t i = 0; i < count; ++i) {
        Cells numbers;
        const bool isVector = cells[i][0] == '[';
        std::string inside(isVector ? cells[i].substr(1, cells[i].size() - 2) : cells[i]);
        std::replace(inside.begin(), inside.end(), ',', ' ');
        const size_t size = spacedCells(inside, 1, numbers);
        for (size_t n = 0; n < size; ++n) {
            flat.append("  ").append(numbers[n]);
            if (isHeaded)
                heading.append("  ").append(headings[i]);
            if (isHeaded && size > 1)
                heading.append(1, ' ').append(std::to_string(n + 1));
        }
    }
    m_padded = flat;
    return readChanged(heading, cache, names, row);
}

/// Whether all words of a row stand below names of what is compared: "Size  Kernel  Time".
/// `isVariant`: whether a column has such a name.
template <typename Columns> bool isOfVariants(const Cells& cells, size_t count, Columns isVariant)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isNumberLike(cells[i]) && !isVariant(i))
            return false;
    }
    return true;
}

/// Whether the row is of a table by size, "N  Machine  Time", whose rows begin with a number.
/// `columns`: of the open table, where it has no bars.
bool isBySize(const Cells& cells, size_t count, const HeadingLines& lines,
    const std::vector<ColumnTable::Column>& columns, NameCache& cache)
{
    if (count < 3 || !isNumberLike(cells[0]))
        return false;
    if (lines.kept.empty())
        return columns.size() == count && (columns[0].meaning.isSize() || columns[0].isCount);
    Cells headings;
    return formWithCells(lines.kept, headings).cells == count && cache.find(headings[0]).isSize();
}

bool ColumnTable::readLine(
    std::string_view line, NameCache& cache, const MetricNames& names, Row& row)
{
    Cells cells;
    const RowForm form = formWithCells(line, cells);
    const bool bordered = form.isBordered;
    const size_t count = form.cells, numbers = form.numbers, words = count - numbers;
    if (count < 2 || count >= mostColumns || numbers == 0)
        return false;
    if (!bordered && words == 1 && readTagged(line, cells, count, cache, names, row))
        return true;
    // "11  -382.3003620825  8.88e-09  Convergence criterion met"
    const bool remarked = !bordered && words > 0 && form.leading == numbers && numbers >= 2;
    if (remarked && !(words == 1 && m_worded)
        && readPlain(line, cells, numbers, words, cache, names, row))
        return true;
    const bool isOpen = m_columns.size() == count;
    const auto isOpenVariant = [&](size_t i) { return m_columns[i].isVariant; };
    Cells headings;
    const auto isKeptVariant = [&](size_t i) { return names.isVariant(headings[i]); };
    if (!bordered && words > 0
        && ((isOpen && isOfVariants(cells, count, isOpenVariant))
            || (m_lines.keptForm.hasVariant && !m_lines.kept.empty()
                && formWithCells(m_lines.kept, headings).cells == count
                && isOfVariants(cells, count, isKeptVariant)))
        && readPlain(line, cells, count, 0, cache, names, row))
        return true;
    if (!bordered && words > 0 && isBySize(cells, count, m_lines, m_columns, cache)
        && readPlain(line, cells, count, 0, cache, names, row)) {
        row.lane = setLane(m_titledLane, m_tableTitle, comparedIn(cells, count));
        return true;
    }
    if (!bordered && words > 0 && readListed(line, cells, count, cache, names, row))
        return true;
    // "1.4.5,ComplexF32,64,2.7e-5": whatever the words are, commas part them.
    if (!bordered && words > 0 && isOpen && m_counts && m_lines.isOpenedByList()
        && line.find(',') != std::string_view::npos
        && readPlain(line, cells, count, 0, cache, names, row))
        return true;
    if (!bordered && (words > 1 || (words == 1 && isNumberLike(cells[0])))) {
        if (numbers >= (m_edges.empty() ? leastEdges : leastEdges - 1)
            && readByEdges(line, cells, count, cache, names, row))
            return true;
        if (form.leading > 0 && readSpacious(line, count, cache, names, row))
            return true;
        if (words == 1 && readPlain(line, cells, count, 0, cache, names, row)) {
            row.lane = {}; // an atom, a method: as often as not another one in each row
            return true;
        }
        return isNumberLike(cells[0]) && readSparse(line, cells, count, names, row);
    }
    if (readPlain(line, cells, count, 0, cache, names, row))
        return true;
    if (bordered)
        return false;
    if (readListed(line, cells, count, cache, names, row))
        return true;
    if (m_edges.empty() ? readSparse(line, cells, count, names, row)
                        : readByEdges(line, cells, count, cache, names, row))
        return true;
    return form.leading > 0 && readSpacious(line, count, cache, names, row);
}

/// A row below names that commas part, with other lines between them.
bool ColumnTable::readListed(std::string_view line, const Cells& cells, size_t count,
    NameCache& cache, const MetricNames& names, Row& row)
{
    Cells headings;
    if (m_lines.listed.empty() || line.find(',') == std::string_view::npos
        || separatedCells(m_lines.listed, ',', headings) != count)
        return false;
    const std::string kept = std::exchange(m_lines.kept, std::exchange(m_lines.listed, {}));
    const table::HeadingForm form =
        std::exchange(m_lines.keptForm, table::headingFormOf(m_lines.kept));
    if (readPlain(line, cells, count, 0, cache, names, row))
        return true;
    m_lines.kept = kept;
    m_lines.keptForm = form;
    return false;
}

/// A row whose cells are at least two spaces apart: "2017-05-08 20:52:56  1.256 sec  8533 obs/sec".
bool ColumnTable::readSpacious(
    std::string_view line, size_t words, NameCache& cache, const MetricNames& names, Row& row)
{
    Cells cells;
    const size_t count = spacedCells(line, 2, cells);
    return count >= leastEdges && count < words && countNumbers(cells, count) == count
        && readPlain(line, cells, count, 0, cache, names, row);
}

/// What stands above a column in the line above the heading; empty: nothing that fits.
QString groupOf(const std::string& above, const std::vector<Span>& spans, size_t column)
{
    Cells cells;
    if (above.find(',') != std::string::npos) { // "ID, Single Precision,,, Double Precision,,,"
        const size_t count = separatedCells(above, ',', cells);
        for (size_t i = column; i > 0 && i < count; --i) {
            if (!cells[i].empty())
                return seriesName(cells[i]);
        }
        return {};
    }
    if (!isBordered(above) || column >= spans.size())
        return {};
    const size_t middle = (spans[column].begin + spans[column].end) / 2;
    const size_t left = above.rfind('|', middle), right = above.find('|', middle);
    if (left == std::string::npos || right == std::string::npos)
        return {};
    return seriesName(trimmed(std::string_view(above).substr(left + 1, right - left - 1)));
}

/// "Halide       FFTW" above "Time  MFLOP/s  Time  MFLOP/s": the phrase of this place, where there
/// are as many of them as columns of one name.
QString phraseOf(const std::string& above, size_t place, size_t count)
{
    constexpr size_t gap = 2;
    constexpr std::ptrdiff_t mostSpaces = 2;
    Cells phrases;
    if (isBordered(above) || above.find(',') != std::string::npos
        || spacedCells(trimmed(above), gap, phrases) != count)
        return {};
    const std::string_view phrase = phrases[place];
    const bool isName = isLetter(phrase[0])
        && std::count(phrase.begin(), phrase.end(), ' ') <= mostSpaces
        && phrase.find_first_of(":=") == std::string_view::npos;
    return isName ? seriesName(phrase) : QString();
}

/// Of what the other columns say, and not where the program is.
bool isTimeOf(const ColumnTable::Column& column)
{
    return column.meaning.kind == NameMeaning::Counter && column.meaning.use == NameMeaning::Alone
        && column.unit && !column.isUnitOfCells;
}

/// "Length  Fitness  Length  Fitness" below "| Population Average | Best Individual |": columns
/// of one name are renamed by the group above them, by their data sets, or by number.
void renameDuplicates(std::vector<ColumnTable::Column>& columns, const std::string& above,
    const std::vector<Span>& spans)
{
    std::vector<QString> renamed;
    for (ColumnTable::Column& column : columns) {
        if (isTimeOf(column)) // "Time (us)"
            column.meaning.series = QStringLiteral("time");
    }
    for (size_t i = 0; i < columns.size(); ++i) {
        const NameMeaning& meaning = columns[i].meaning;
        int same = 0, before = 0;
        for (size_t other = 0; other < columns.size(); ++other) {
            const bool isSame = columns[other].meaning.series == meaning.series;
            same += isSame ? 1 : 0;
            before += isSame && other < i ? 1 : 0;
        }
        renamed.push_back(meaning.series);
        if (same < 2 || meaning.series.isEmpty()
            || (meaning.kind == NameMeaning::Counter && !isTimeOf(columns[i])))
            continue;
        QString group = meaning.set ? *meaning.set : groupOf(above, spans, i);
        if (group.isEmpty())
            group = phraseOf(above, size_t(before), size_t(same));
        if (!group.isEmpty() && !meaning.series.startsWith(group))
            renamed[i] = group + u'_' + meaning.series;
        else if (before > 0)
            renamed[i] += u'_' + QString::number(before + 1);
    }
    for (size_t i = 0; i < renamed.size(); ++i) {
        columns[i].isRenamed = renamed[i] != columns[i].meaning.series;
        columns[i].meaning.series = renamed[i];
    }
}

/// "202r": a count with a mark of the program's own.
std::optional<double> markedCount(std::string_view cell)
{
    const auto count = takeWholeCount(cell);
    return count && cell.size() == 1 && isLetter(cell[0]) ? count : std::nullopt;
}

/// "ACCEPT": what became of this step, and nothing that is compared.
bool isVerdict(std::string_view cell)
{
    return isOneOf(cell,
        {"accept", "accepted", "reject", "rejected", "yes", "no", "true", "false", "ok", "pass",
            "passed", "fail", "failed", "success", "converged", "improved"});
}

/// Of several words in a row, those that name what is compared; without any, the last one.
std::string variantsAmong(const Cells& cells, const std::vector<size_t>& words,
    const std::vector<ColumnTable::Column>& columns)
{
    std::string lane;
    for (const size_t i : words) {
        if (i < columns.size() && columns[i].isVariant)
            lane.append(lane.empty() ? "" : ", ").append(cells[i]);
    }
    return lane.empty() ? std::string(cells[words.back()]) : lane;
}

/// Whether the rows are by a time, in the first column.
bool isByTime(const std::vector<ColumnTable::Column>& columns, int counter)
{
    return counter == 0 && columns[0].meaning.kind == NameMeaning::Counter
        && columns[0].meaning.use == NameMeaning::Alone;
}

/// A row with a cell for each column; so many further words may stand below a heading or not.
bool ColumnTable::readPlain(std::string_view line, const Cells& cells, size_t count, size_t remarks,
    NameCache& cache, const MetricNames& names, Row& row)
{
    const bool bordered = isBordered(line);
    const size_t wordCount = count - countValues(cells, count, bordered);
    const bool bySize =
        !bordered && wordCount > 0 && isBySize(cells, count, m_lines, m_columns, cache);
    // Three numbers below other words are as often a vector.
    const bool interrupted = count <= 3 && !m_counts && !m_lines.kept.empty();
    const bool fits = m_edges.empty() && !m_tagsRows && m_columns.size() == count
        && m_bordered == bordered && m_misfits < mostMisfits && !interrupted;
    // Only the line above: one heading further up may belong to another table.
    const bool opened = !m_lines.kept.empty() && (m_lines.keptForm.cells > 0) == bordered
        && (open(m_lines.kept, line, cells, count, remarks, cache, names)
            || ((wordCount == 0 || bySize) && !fits
                && ((!bordered && openStacked(line, cells, count, cache, names))
                    || openOwn(line, cells, count, remarks, cache))));
    // Its first row may lack the last columns.
    const bool grows = !opened && !bordered && wordCount == 0 && m_lines.kept.empty()
        && m_misfits == 0 && m_edges.empty() && !m_tagsRows && count > m_columns.size()
        && !m_lines.opened.empty()
        && open(m_lines.opened, line, cells, count, remarks, cache, names);
    if (grows) {
        m_spans = bordered ? std::vector<Span>() : spansOf(line, cells, count);
        renameDuplicates(m_columns, m_lines.above, m_spans);
    }
    if (!opened && !grows
        && (!fits || (m_worded != (wordCount > 0) && !bySize)
            || (m_lines.keptForm.names.wide > 1 && isHeading(m_lines.kept, cache))))
        return false;
    if (opened) {
        m_spans = bordered ? std::vector<Span>() : spansOf(line, cells, count);
        renameDuplicates(m_columns, m_lines.above, m_spans);
        m_tableTitle = m_lines.takeTitle();
        m_lines.clear();
        m_lead.clear();
        m_isTagCounted = false;
        m_ruledColumns.clear();
        m_drawn.reset();
        for (size_t i = 0; m_lines.isRuled() && m_lines.groups() == count && i < count; ++i)
            m_ruledColumns.push_back(i); // rows to come may lack some
        m_worded = wordCount > 0;
        m_showsDay = std::any_of(cells.begin(), cells.begin() + count, isTimeOfDay);
    }
    m_misfits = 0;
    row.begin();
    row.isBordered = bordered;
    row.isFirst = opened;
    row.counter = m_counter;
    row.isByTime = isByTime(m_columns, m_counter);
    row.isSwept = m_isSwept;
    const bool hasPlace =
        m_counter >= 0 || std::any_of(m_columns.begin(), m_columns.end(), [](const Column& column) {
            return column.meaning.kind == NameMeaning::Counter && !column.meaning.isSize()
                && column.meaning.use == NameMeaning::Anywhere;
        });
    std::vector<size_t> words;
    size_t lastNumber = count; // what is said behind it about a step is no lane
    while (lastNumber > 0 && !isNumberLike(cells[lastNumber - 1]))
        --lastNumber;
    for (size_t i = 0; i < count; ++i) {
        row.values[i].reset();
        const bool sized = i < m_columns.size() && m_columns[i].meaning.use == NameMeaning::Column
            && cells[i].find(' ') != std::string_view::npos; // "3.56 GiB": of a model
        if (!sized && (!m_showsDay || cells[i].find(':') == std::string_view::npos))
            row.values[i] = cellValue(cells[i], names);
        if (i == 0 && !row.values[0] && m_counts)
            row.values[0] = markedCount(cells[0]);
        if (!row.values[i] && !isNumberLike(cells[i]) && !(i == 0 && m_tagged) && !isLocus(cells[i])
            && !(hasPlace && isVerdict(cells[i]))
            && !(bordered && (isVoid(cells[i]) || (m_counts && i >= lastNumber)))) {
            row.lane = cells[i];
            words.push_back(i);
        }
    }
    if (words.size() > 1) {
        m_titledLane = variantsAmong(cells, words, m_columns);
        row.lane = m_titledLane;
    }
    if (row.lane.ends_with(':'))
        row.lane.remove_suffix(1);
    row.isTitled = !m_tableTitle.empty();
    if (row.isTitled)
        row.lane = setLane(m_titledLane, m_tableTitle, std::string(row.lane));
    return true;
}

/// A row that lacks some cells, which its others show: each begins or ends where one of the first
/// row does.
bool ColumnTable::readSparse(
    std::string_view line, const Cells& cells, size_t count, const MetricNames& names, Row& row)
{
    if (m_spans.size() != m_columns.size() || !m_edges.empty() || m_tagsRows
        || !m_lines.kept.empty() || m_misfits >= mostMisfits || count >= m_columns.size()
        || count * 2 < m_columns.size())
        return false;
    row.values = {};
    size_t column = 0;
    for (size_t i = 0; i < count; ++i, ++column) {
        const auto begin = static_cast<size_t>(cells[i].data() - line.data());
        const size_t end = begin + cells[i].size();
        while (
            column < m_spans.size() && m_spans[column].end != end && m_spans[column].begin != begin)
            ++column;
        if (column == m_spans.size() || (i == 0 && column > 0))
            return false;
        row.values[column] = cellValue(cells[i], names);
    }
    if (!row.values[0])
        return false;
    m_misfits = 0;
    row.begin();
    row.counter = m_counter;
    row.isByTime = isByTime(m_columns, m_counter);
    row.isSwept = m_isSwept;
    return true;
}

/// "     1 OT DIIS     0.80E-01    0.6     0.00612187       -17.1102837412 -1.71E+01"
bool ColumnTable::readByEdges(std::string_view line, const Cells& cells, size_t count,
    NameCache& cache, const MetricNames& names, Row& row)
{
    const auto numberAt = [&](size_t edge) -> std::string_view {
        for (size_t i = 0; i < count; ++i) {
            const size_t end = static_cast<size_t>(cells[i].data() - line.data()) + cells[i].size();
            if (end == edge && isNumberLike(cells[i]))
                return cells[i];
        }
        return {};
    };
    if (!m_lines.kept.empty() && m_lines.keptForm.cells == 0) {
        Cells headings, found;
        std::vector<size_t> edges;
        const size_t all = spacedCells(m_lines.kept, 2, headings);
        for (size_t i = 0; i < all; ++i) {
            const size_t edge =
                static_cast<size_t>(headings[i].data() - m_lines.kept.data()) + headings[i].size();
            if (!numberAt(edge).empty()) {
                found[edges.size()] = headings[i];
                edges.push_back(edge);
            }
        }
        if (edges.size() >= leastEdges && edges.size() + 1 >= all
            && adopt(found, cells, edges.size(), false, cache, names)) {
            for (size_t i = 0; i < edges.size(); ++i)
                m_spans.push_back({edges[i] - found[i].size(), edges[i]});
            renameDuplicates(m_columns, m_lines.above, m_spans);
            m_edges = std::move(edges);
            m_worded = false;
            m_lines.kept.clear();
        }
    }
    if (m_edges.empty() || !m_lines.kept.empty() || m_misfits >= mostMisfits)
        return false;
    // A first number that has outgrown its column moves all others.
    constexpr size_t mostShift = 4;
    const size_t first = static_cast<size_t>(cells[0].data() - line.data()) + cells[0].size();
    const bool isShifted =
        isNumberLike(cells[0]) && first > m_edges[0] && first - m_edges[0] <= mostShift;
    const size_t shift = isShifted ? first - m_edges[0] : 0;
    size_t full = 0;
    for (size_t i = 0; i < m_edges.size(); ++i) { // some columns may be empty, but not the first
        const std::string_view cell = numberAt(m_edges[i] + shift);
        row.values[i] = cell.empty() ? std::nullopt : cellValue(cell, names);
        full += row.values[i] ? 1 : 0;
    }
    if (!row.values[0] || full * 2 < m_edges.size() || full < 2)
        return false;
    m_misfits = 0;
    row.begin();
    row.isWorded = true;
    return true;
}

bool isTag(std::string_view cell)
{
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    return cell.size() > 2 && cell.size() < 8
        && (cell.back() == ':' ? std::all_of(cell.begin(), cell.end() - 1, isLetter)
                               : std::all_of(cell.begin(), cell.end(), isUpper));
}

/// "DAV:   5    -0.84027E+02   -0.78389E-01   -0.78495E-01  3160   0.523E+00" below a heading
/// without the word; the last columns may be empty.
bool ColumnTable::readTagged(std::string_view line, const Cells& cells, size_t count,
    NameCache& cache, const MetricNames& names, Row& row)
{
    const size_t numbers = count - 1;
    if (numbers < leastEdges || !isTag(cells[0]))
        return false;
    if (!m_lines.kept.empty() && m_lines.keptForm.cells == 0) {
        Cells headings;
        size_t all = spacedCells(m_lines.kept, 2, headings);
        if (all < numbers) // "Ef(eV) dHmax(eV)" stand close together
            all = spacedCells(m_lines.kept, 1, headings) == numbers ? numbers : 0;
        // A heading above the words is that of a column.
        const auto below = static_cast<size_t>(cells[0].data() - line.data()) + cells[0].size();
        const bool isCount = cells[0].ends_with(':') // "iter:   2" is its own column
            && cache.find(cells[0].substr(0, cells[0].size() - 1)).kind == NameMeaning::Counter;
        if (all >= numbers && all <= numbers + 2 && !isCount
            && static_cast<size_t>(headings[0].data() - m_lines.kept.data()) >= below
            && adopt(headings, cells, all, false, cache, names)) {
            m_tagsRows = true;
            m_lines.kept.clear();
            m_showsDay = std::any_of(cells.begin(), cells.begin() + count, isTimeOfDay);
        }
    }
    if (!m_tagsRows || numbers > m_columns.size() || !m_lines.kept.empty()
        || m_misfits >= mostMisfits)
        return false;
    row.values = {};
    for (size_t i = 0; i < numbers; ++i) {
        if (m_showsDay && cells[i + 1].find(':') != std::string_view::npos)
            continue;
        row.values[i] = cellValue(cells[i + 1], names);
        if (!row.values[i])
            return false;
    }
    m_misfits = 0;
    row.begin();
    row.isTagged = row.isWorded = true;
    row.lane = cells[0].substr(0, cells[0].size() - (cells[0].ends_with(':') ? 1 : 0));
    return true;
}

bool ColumnTable::open(std::string_view heading, std::string_view line, const Cells& cells,
    size_t count, size_t remarks, NameCache& cache, const MetricNames& names)
{
    if (isBordered(heading)) {
        Cells headings;
        std::array<std::string, mostColumns> joined;
        const bool isJoined = m_lines.join(count, joined);
        std::copy_n(joined.begin(), isJoined ? count : 0, headings.begin());
        return (isJoined && adopt(headings, cells, count, true, cache, names))
            || (borderedCells(heading, headings) == count
                && adopt(headings, cells, count, true, cache, names));
    }
    return forSplits(heading, m_lines.keptForm.names, line, cells, count, remarks,
        [&](const Cells& found) { return adopt(found, cells, count, false, cache, names); });
}

/// "average    since" above "loss       last": a heading of two lines.
bool ColumnTable::openStacked(std::string_view line, const Cells& cells, size_t count,
    NameCache& cache, const MetricNames& names)
{
    if (m_lines.above.empty() || count < 3
        || m_lines.aboveForm.names.spaced + m_lines.keptForm.names.spaced < count
        || isBordered(m_lines.above))
        return false;
    std::array<std::string, mostColumns> below;
    if (!addWords(m_lines.kept, line, cells, count, below))
        return false;
    Cells headings;
    std::vector<std::string> grouped(below.begin(), below.begin() + static_cast<long>(count));
    if (addGroups(m_lines.above, grouped)) {
        std::copy(grouped.begin(), grouped.end(), headings.begin());
        return adopt(headings, cells, count, false, cache, names)
            || adoptOwn(headings, cells, count, false, cache);
    }
    std::array<std::string, mostColumns> joined;
    if (!addWords(m_lines.above, line, cells, count, joined))
        return false;
    const auto namesAll = [count](const auto& words) {
        return std::none_of(words.begin(), words.begin() + count,
            [](const std::string& name) { return name.empty(); });
    };
    if (!namesAll(joined) && namesAll(below))
        return false; // a title above a heading
    for (size_t i = 0; i < count; ++i) {
        joined[i] += (joined[i].empty() || below[i].empty() ? "" : " ") + below[i];
        if (joined[i].empty())
            return false;
        headings[i] = joined[i];
    }
    return adopt(headings, cells, count, false, cache, names)
        || adoptOwn(headings, cells, count, false, cache);
}

bool ColumnTable::openOwn(
    std::string_view line, const Cells& cells, size_t count, size_t remarks, NameCache& cache)
{
    if (isBordered(m_lines.kept)) {
        Cells headings;
        return borderedCells(m_lines.kept, headings) == count
            && adoptOwn(headings, cells, count, true, cache);
    }
    return forSplits(
        m_lines.kept, m_lines.keptForm.names, line, cells, count, remarks, [&](const Cells& found) {
            return isAligned(m_lines.kept, found, line, cells, count)
                && adoptOwn(found, cells, count, false, cache);
        });
}

bool isDeviceHeading(std::string_view heading)
{
    return equalsIgnoringCase(heading, "gpu") || equalsIgnoringCase(heading, "device");
}

/// "CPU  NODE  SOCKET  CORE" above "0  0  0  0", "CPU  %usr" above "0  1.2": which one it is.
bool isProcessor(std::string_view heading, std::string_view cell)
{
    return equalsIgnoringCase(heading, "cpu") && wholeCount(cell);
}

/// "n,cpu,gpu" above fractions: of each device a measurement, and not which one it is. "Ep" above
/// "-0.59": an energy, and no epoch.
void nameMeasured(
    ColumnTable::Column& column, std::string_view heading, std::string_view cell, NameCache& cache)
{
    if (wholeCount(cell) || !isNumberLike(cell))
        return;
    if (column.meaning.kind == NameMeaning::Counter && cell.starts_with('-')) {
        column.meaning = {};
        column.meaning.series = seriesName(heading);
    }
    if (!isDeviceHeading(heading))
        return;
    column.isDevice = false;
    column.meaning = cache.find("cpu");
    column.meaning.series = seriesName(heading);
}

/// A heading of a program's own words above numbers: one of them counts, another is measured. It
/// is for the caller to see whether that one does.
bool ColumnTable::adoptOwn(
    const Cells& headings, const Cells& cells, size_t count, bool bordered, NameCache& cache)
{
    constexpr size_t longestName = 30;
    const auto* const end = cells.begin() + count;
    const auto counts = [](std::string_view cell) { return wholeCount(cell).has_value(); };
    const auto* counter = std::find_if(cells.begin(), end, counts);
    for (const auto* cell = counter; cell != end; ++cell) { // "inc  iter  rel_res": the inner one
        const NameMeaning& meaning = cache.find(headings[size_t(cell - cells.begin())]);
        if (!counts(*cell) || meaning.kind != NameMeaning::Counter || meaning.isSize()
            || meaning.use == NameMeaning::Alone)
            continue;
        counter = cell;
        break;
    }
    const auto isMeasured = [](std::string_view cell) {
        return cell.find('.') != std::string_view::npos;
    };
    const auto isName = [&cache](std::string_view name) {
        return name.size() <= longestName && std::any_of(name.begin(), name.end(), isLetter)
            && (!isNumberLike(name) || isNumberedName(name, cache.names())) && !name.ends_with('=');
    };
    // "# t  Ep  Ec": a time is no whole number.
    const bool countsTime = counter == end && isMeasured(cells[0])
        && (headings[0] == "t" || equalsIgnoringCase(headings[0], "time"));
    // "Area  Setup  Bin  Total": what is tried out is no whole number either.
    constexpr size_t leastOfSweep = 4;
    const bool isSwept = !countsTime && counter == end && count >= leastOfSweep
        && std::all_of(cells.begin(), end, isMeasured)
        && cache.find(headings[0]).kind == NameMeaning::Unknown;
    if (countsTime || isSwept)
        counter = cells.begin();
    if (count < 3 || counter == end || std::none_of(cells.begin(), end, isMeasured)
        || !std::all_of(headings.begin(), headings.begin() + count, isName))
        return false;
    m_columns.clear();
    m_edges.clear();
    m_spans.clear();
    m_tagsRows = m_tagged = false;
    m_bordered = bordered;
    for (size_t i = 0; i < count; ++i)
        m_columns.push_back({.meaning = cache.find(headings[i]),
            .isVariant = cache.names().isVariant(headings[i]),
            .isCount = cache.names().isNumberOf(headings[i])});
    for (size_t i = 0; i < count; ++i)
        nameMeasured(m_columns[i], headings[i], cells[i], cache);
    if (countsTime)
        m_columns[0].meaning = cache.find("time");
    m_counts = true;
    m_isSwept = isSwept;
    m_counter = static_cast<int>(counter - cells.begin());
    return true;
}

/// "C  gamma  accuracy": numbers that may have been tried out before one that is measured. Only
/// further rows show whether they were.
bool mayBeSweep(const ColumnHeadings& found, const Cells& cells, size_t count)
{
    constexpr size_t most = 6;
    const auto isTriedOut = [](const ColumnHeading& column) {
        const NameMeaning::Kind kind = column.meaning->kind;
        return (kind == NameMeaning::Unknown || kind == NameMeaning::Setting) && !column.unit;
    };
    const NameMeaning& last = *found[count - 1].meaning;
    return count >= 2 && count <= most
        && std::all_of(found.begin(), found.begin() + count - 1, isTriedOut)
        && last.kind == NameMeaning::Metric && cells[count - 1].find('.') != std::string_view::npos
        && std::all_of(cells.begin(), cells.begin() + count,
            [](std::string_view cell) { return wholeNumber(cell).has_value(); });
}

bool ColumnTable::adopt(const Cells& headings, const Cells& cells, size_t count, bool bordered,
    NameCache& cache, const MetricNames& names)
{
    ColumnHeadings found;
    if (!readColumnHeadings(headings, cells, count, bordered, cache, found))
        return false;
    size_t known = 0;
    size_t said = 0; // by more than a unit
    for (size_t i = 0; i < count; ++i) {
        const ColumnHeading& column = found[i];
        known += column.isWord || column.tells ? 1 : 0;
        said += column.isWord || (column.tells && column.unit->quantity) ? 1 : 0;
    }
    const bool isSweep = !bordered && mayBeSweep(found, cells, count);
    if ((known < 2 || said == 0) && !(known == 1 && bordered) && !isSweep)
        return false;
    if (!bordered && known * 3 < count && !isSweep)
        return false;
    m_columns.clear();
    m_edges.clear();
    m_spans.clear();
    m_tagsRows = false;
    m_counter = -1;
    for (size_t i = 0; i < count; ++i)
        m_columns.push_back({*found[i].meaning, found[i].unit,
            isDeviceHeading(headings[i]) || (i == 0 && isProcessor(headings[0], cells[0])), false,
            names.isVariant(headings[i]), found[i].isCount, found[i].isUnitOfCells});
    for (size_t i = 0; i < count; ++i) {
        nameMeasured(m_columns[i], headings[i], cells[i], cache);
        if (found[i].isDevice)
            m_columns[i].meaning.series = seriesName(headings[i].substr(0, headings[i].find('(')));
    }
    m_tagged = headings[0].ends_with(':');
    m_isSwept = false;
    m_counts = std::any_of(m_columns.begin(), m_columns.end(),
        [](const Column& column) { return column.meaning.kind == NameMeaning::Counter; });
    m_bordered = bordered;
    return true;
}

} // namespace slipway
