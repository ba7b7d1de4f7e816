// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/headinglines.h"

#include "plots/metrics/dataframeform.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <utility>

namespace slipway::table {

namespace {

constexpr size_t longestHeading = 1000;
constexpr size_t longestBoxTitle = 120;
constexpr int nearRemark = 3; ///< lines between a heading and a remark below it

/// "2017-05-08 20:52:55  0.000 sec   0   0   0   nan": a row that lacks a cell, and no heading.
bool isMostlyNumbers(std::string_view line)
{
    constexpr size_t manyNumbers = 5;
    const std::string_view text = trimmed(line);
    if (text.empty() || !isDigit(text[0]) || isBordered(line))
        return false;
    Cells cells;
    const size_t count = spacedCells(text, 1, cells);
    const size_t numbers = countNumbers(cells, count);
    return numbers >= manyNumbers && (count - numbers) * 3 <= numbers;
}

/// "Val Loss: 1.6, Val Acc: 0.55": names with their numbers.
bool hasNamedNumber(std::string_view line)
{
    for (size_t at = line.find(": "); at != std::string_view::npos; at = line.find(": ", at + 1)) {
        if (at + 2 < line.size() && isDigit(line[at + 2]))
            return true;
    }
    return false;
}

/// "CPU:", "Two GPUs:" above a drawn table.
bool isTitle(std::string_view line)
{
    constexpr size_t longest = 24;
    const std::string_view text = trimmed(line);
    return text.size() > 2 && text.size() <= longest && text.back() == ':' && isLetter(text[0])
        && std::all_of(
            text.begin(), text.end() - 1, [](char c) { return isWordCharacter(c) || c == ' '; });
}

/// "strategy,threads,runtime,efficiency"
bool isList(std::string_view line)
{
    constexpr size_t least = 4, longestName = 30;
    if (line.find(',') == std::string_view::npos)
        return false;
    Cells cells;
    const size_t count = separatedCells(line, ',', cells);
    const auto isName = [](std::string_view cell) {
        return !cell.empty() && cell.size() <= longestName && isLetter(cell[0])
            && std::count(cell.begin(), cell.end(), ' ') < 3;
    };
    return count >= least && std::all_of(cells.begin(), cells.begin() + count, isName);
}

/// Whether one of the words names what is compared: "Kernel  Size  Time".
bool hasVariant(std::string_view line)
{
    const MetricNames& names = MetricNames::builtIn();
    while (!line.empty()) {
        size_t end = 0;
        while (end < line.size() && (isWordCharacter(line[end])))
            ++end;
        if (end > 2 && names.isVariant(line.substr(0, end)))
            return true;
        line.remove_prefix(std::max<size_t>(end, 1));
    }
    return false;
}

/// "/usr/lib/graph.py:979: UserWarning: …": Python prints the line of source below it.
bool isWarning(std::string_view line)
{
    const size_t place = line.find(".py:");
    const size_t word = line.find("Warning: ", place);
    return place != std::string_view::npos && word != std::string_view::npos
        && place + 4 < line.size() && isDigit(line[place + 4]);
}

/// "----------- -----" or "=====", also with spaces.
bool isRule(std::string_view text)
{
    return !text.empty() && (text[0] == '-' || text[0] == '=')
        && text.find_first_not_of(text[0] == '-' ? "- " : "= ") == std::string_view::npos;
}

/// "#--it-----t------dt----"
bool isDashed(std::string_view text)
{
    return text.find("--") != std::string_view::npos && text.find(' ') == std::string_view::npos
        && std::any_of(text.begin(), text.end(), isLetter);
}

/// What is said of any line.
HeadingForm lineFormOf(std::string_view line)
{
    const std::string_view text = trimmed(line);
    HeadingForm form;
    form.isOfProcessors = isOfProcessors(text);
    form.hasSemicolons =
        text.find(';') != std::string_view::npos && text.find(',') == std::string_view::npos;
    form.isDashed = isDashed(text);
    form.isWarning = isWarning(line);
    form.mayBeNumbered = text.starts_with('#');
    form.isList = isList(line);
    form.isTitle = isTitle(line);
    form.isRule = isRule(text);
    form.repeatsNext = text.ends_with(':') && text.find("est iteration") != std::string_view::npos;
    return form;
}

} // namespace

HeadingForm headingFormOf(std::string_view line)
{
    HeadingForm form = lineFormOf(line);
    form.mayBe = line.size() <= longestHeading && !trimmed(line).starts_with("***")
        && hasWord(line.substr(0, 64)) && !isMostlyNumbers(line) && !hasNamedNumber(line)
        && !isOfTypes(line);
    if (!form.mayBe)
        return form;
    form.isRemark = isRemarkInColumns(line);
    form.isMarked = line.starts_with("# ");
    form.hasGap = line.find("  ") != std::string_view::npos;
    form.hasIndexBar = !withoutIndexBar(line).empty();
    Cells cells;
    form.cells = isBordered(line) ? borderedCells(line, cells) : 0;
    form.names = countNames(line);
    form.hasVariant = hasVariant(line);
    return form;
}

namespace {

/// "Step  Time, s  Rate" → "Step  Time(s)  Rate", where each comma parts a name from its unit.
bool joinUnits(std::string& heading)
{
    if (heading.find(", ") == std::string::npos || heading.find("  ") == std::string::npos)
        return false;
    std::string joined = heading;
    for (size_t comma = joined.find(','); comma != std::string::npos;
         comma = joined.find(',', comma + 1)) {
        const size_t begin = comma + 2;
        const size_t end = std::min(joined.find_first_of(" ,", begin), joined.size());
        if (comma == 0 || !isLetter(joined[comma - 1]) || begin >= end || joined[comma + 1] != ' '
            || !MetricNames::builtIn().unit(std::string_view(joined).substr(begin, end - begin)))
            return false;
        joined.insert(end, 1, ')');
        joined.replace(comma, 2, "(");
    }
    heading = std::move(joined);
    return true;
}

} // namespace

void HeadingLines::keep(std::string_view line, const HeadingForm& form)
{
    const bool isSource = m_isWarned && line.starts_with("  ");
    m_isWarned = form.isWarning;
    if (isSource || m_isWarned)
        return; // between a heading and its rows as well
    ++m_lines;
    if (form.mayBeNumbered && m_numbered.keep(line)) {
        above.clear();
        kept = m_numbered.heading();
        keptForm = headingFormOf(kept);
        m_keptAt = m_lines;
        return;
    }
    if (form.isList)
        listed.assign(line);
    if (form.cells == 1 && form.mayBe && line.size() <= longestBoxTitle) {
        Cells cells;
        borderedCells(line, cells);
        m_title.assign(cells[0]);
        m_titleAt = m_lines;
        return;
    }
    if (form.isTitle)
        m_titleAt = -m_lines;
    if (m_titleAt == 1 - m_lines && form.cells > 1) { // a drawn table directly below it
        m_title.assign(trimmed(kept));
        m_title.pop_back();
        m_titleAt = m_lines - 1;
    }
    if (!form.mayBe)
        keepRule(line, form);
    const bool isBelow = !kept.empty();
    if (!form.mayBe || (isBelow && form.isRemark && keptForm.hasGap)
        || (isBelow && keptForm.isMarked && m_lines - m_keptAt <= nearRemark
            && isMarkedRemark(line, kept)))
        return;
    if (!m_unjoined.empty()) // above another heading its words are names of groups
        kept = std::exchange(m_unjoined, {});
    above.swap(kept);
    kept.assign(line);
    const bool isJoined = joinUnits(kept);
    if (isJoined)
        m_unjoined.assign(line);
    aboveForm = std::exchange(keptForm, isJoined ? headingFormOf(kept) : form);
    m_aboveAt = std::exchange(m_keptAt, m_lines);
}

void HeadingLines::clear()
{
    opened.swap(kept);
    kept.clear();
    m_unjoined.clear();
    above.clear();
}

std::string HeadingLines::takeTitle()
{
    const bool isNear = m_titleAt > 0 && m_keptAt > m_titleAt && m_keptAt - m_titleAt <= 2;
    m_titleAt = 0;
    return isNear ? m_title : std::string();
}

/// "---------------- ----- -----------------" below a heading shows how wide its columns are.
void HeadingLines::keepRule(std::string_view line, const HeadingForm& form)
{
    constexpr size_t leastGroups = 3;
    if (kept.empty() || m_keptAt + 1 != m_lines || !form.isRule)
        return;
    Cells groups;
    const size_t count = spacedCells(line, 1, groups);
    if (count < leastGroups)
        return;
    m_ruledAt = m_lines;
    m_groups = spansOf(line, groups, count);
}

/// The words of a line by the groups of dashes that they stand below or above. False: one of them
/// stands at none.
bool HeadingLines::takeRuled(std::string_view line, std::vector<std::string>& texts) const
{
    texts.assign(m_groups.size(), {});
    Cells words;
    const size_t count = spacedCells(line, 1, words);
    for (size_t w = 0; w < count; ++w) {
        const auto begin = static_cast<size_t>(words[w].data() - line.data());
        const size_t end = begin + words[w].size();
        const auto group = std::find_if(m_groups.begin(), m_groups.end(),
            [&](const Span& span) { return begin < span.end && end > span.begin; });
        if (group == m_groups.end())
            return false;
        std::string& text = texts[size_t(group - m_groups.begin())];
        text.append(text.empty() ? "" : " ").append(words[w]);
    }
    return count > 0;
}

bool HeadingLines::join(size_t count, std::array<std::string, mostCells>& names) const
{
    if (m_keptAt != m_aboveAt + 1 || above.empty() || aboveForm.cells != count
        || keptForm.cells != count)
        return false;
    Cells first, second;
    borderedCells(above, first);
    borderedCells(kept, second);
    bool isPart = false;
    for (size_t i = 0; i < count; ++i) {
        isPart = isPart || second[i].empty()
            || std::find(second.begin(), second.begin() + i, second[i]) != second.begin() + i;
        names[i] = first[i];
        names[i] += (first[i].empty() || second[i].empty() ? "" : " ") + std::string(second[i]);
    }
    return isPart;
}

} // namespace slipway::table
