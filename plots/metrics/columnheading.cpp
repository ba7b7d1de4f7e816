// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/columnheading.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tableheading.h"

#include <algorithm>
#include <string>

namespace slipway::table {

namespace {

/// "2e-ENERGY" and "10block" are names, "106.1 seconds" and "Time= 0.68" are none.
bool isName(std::string_view text, const MetricNames& names)
{
    constexpr size_t longest = 60;
    const bool isNumber = isNumberLike(text) && !isNumberedName(text, names)
        && (!hasWord(text.substr(1)) || text.find(' ') != std::string_view::npos);
    return !isNumber && !isNamed(text) && text.size() <= longest;
}

std::string_view unquoted(std::string_view heading)
{
    const bool isQuoted = heading.size() > 2 && heading.front() == '"' && heading.back() == '"';
    return isQuoted ? heading.substr(1, heading.size() - 2) : heading; // "Step","Time (ps)"
}

/// Without marks around the name, and with a name for those that are only marks.
std::string_view nameIn(std::string_view heading)
{
    if (heading.ends_with(':'))
        heading.remove_suffix(1);
    if (heading.size() > 1 && heading[0] == '#' && isLetter(heading[1]))
        heading.remove_prefix(1);
    if (heading == "#")
        return "step";
    return heading == "|step|" ? "step_norm" : heading; // how far it goes, and not which it is
}

/// Whether another heading has the same name without its parentheses, or with others: "rms(c)"
/// beside "rms", "rms[U]" beside "rms[P]".
bool hasSibling(const Cells& headings, size_t count, size_t own, size_t open)
{
    const std::string_view heading = headings[own], before = trimmed(heading.substr(0, open));
    return std::any_of(headings.begin(), headings.begin() + count, [&](std::string_view other) {
        return other.starts_with(before)
            && (other.size() == before.size()
                || (other != heading && other[before.size()] == heading[open]));
    });
}

/// Takes a unit in parentheses, "size (bytes)", and the parentheses of a name that is known without
/// them.
void takeParentheses(std::string_view& name, const Cells& headings, size_t count, size_t own,
    NameCache& cache, const MetricUnit*& unit)
{
    const size_t open = parenthesisAt(name);
    if (open == std::string_view::npos || open == 0)
        return;
    const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
    const std::string_view before = trimmed(name.substr(0, open));
    const MetricUnit* ofName = cache.names().unit(inside);
    if (ofName && inside.size() == 1 && ofName->unit == QLatin1String("B"))
        ofName = nullptr; // "V(G)"
    if (ofName)
        unit = ofName;
    const bool isShared = inside.starts_with('%') // "Step (% Done)" above "8590 (28.63%)"
        && cache.find(before).kind == NameMeaning::Counter;
    if (ofName || isShared
        || (!hasSibling(headings, count, own, open)
            && (cache.find(name).kind == NameMeaning::Unknown
                || cache.find(before).kind == NameMeaning::Metric)
            && std::all_of(inside.begin(), inside.end(), isLetter)))
        name = before;
}

/// "9.1 s" below "Time": the unit of the column is behind its numbers.
void takeUnitOfCells(ColumnHeading& column, std::string_view cell, const MetricNames& names)
{
    if (column.unit)
        return;
    column.unit = unitOfCell(cell, names);
    column.isUnitOfCells = column.unit != nullptr;
}

bool readColumnHeading(const Cells& headings, size_t count, size_t own, std::string_view cell,
    bool bordered, NameCache& cache, ColumnHeading& column)
{
    const MetricNames& names = cache.names();
    std::string_view name = unquoted(headings[own]);
    const bool isIndex = own == 0 && name.empty() && count > 1 && wholeCount(cell);
    if (isIndex)
        name = "row"; // ",loss,acc" of a data frame
    if (!isName(name, names))
        return false;
    name = nameIn(name);
    column = {};
    column.unit = name.size() > 1 || name == "%" ? names.unit(name) : nullptr; // "t/s"; "M  N  K"
    takeParentheses(name, headings, count, own, cache, column.unit);
    if (name.size() > 1 && name.ends_with(')') && name.find('(') == std::string_view::npos)
        name.remove_suffix(1); // "Box(P R mAP50 mAP50-95)"
    column.meaning = &cache.find(name);
    const bool isTimed = column.unit && column.unit->unit == QLatin1String("s");
    if (isTimed && column.meaning->kind == NameMeaning::Setting) { // "GPU(ms)"
        column.meaning = &cache.find(std::string(name) + " time");
        column.isDevice = true;
    }
    if (isTimed && own == 0 && startsWithIgnoringCase(name, "sec")
        && column.meaning->kind != NameMeaning::Counter) // "sec  ops  avg MB/s"
        column.meaning = &cache.find("time");
    takeUnitOfCells(column, cell, names);
    const NameMeaning::Kind kind = column.meaning->kind;
    // What a document's table is about has units as well.
    column.tells = column.unit && !(bordered && column.isUnitOfCells);
    column.isCount =
        isIndex || (kind == NameMeaning::Unknown && wholeCount(cell) && names.isNumberOf(name));
    column.isWord = kind == NameMeaning::Metric || kind == NameMeaning::Counter || column.isCount;
    return true;
}

/// "TOTAL" among energies is theirs.
void useTotal(ColumnHeadings& found, size_t count, const Cells& headings, NameCache& cache)
{
    const auto isEnergy = [](const ColumnHeading& column) {
        const MetricQuantity* quantity = column.meaning->quantity;
        return quantity && quantity->id == QLatin1String("energy");
    };
    if (std::count_if(found.begin(), found.begin() + count, isEnergy) < 3)
        return;
    for (size_t i = 0; i < count; ++i) {
        if (equalsIgnoringCase(headings[i], "total"))
            found[i].meaning = &cache.find("total_energy");
    }
}

/// "PP | TG | B", "PP | TG | N_KV": of llama.cpp, letters that mean something else elsewhere.
void nameBatches(ColumnHeadings& found, size_t count, const Cells& headings, NameCache& cache)
{
    if (count <= 3 || headings[0] != "PP" || headings[1] != "TG")
        return;
    found[0].meaning = &cache.find("n_prompt");
    found[1].meaning = &cache.find("n_gen");
    if (headings[2] == "B")
        found[2].meaning = &cache.find("batch size");
}

/// "N | p | Time": beside the size of a problem, p is how many processes worked on it.
void nameProcesses(ColumnHeadings& found, const Cells& cells, size_t count, const Cells& headings,
    NameCache& cache)
{
    const auto has = [&](std::string_view name) {
        return std::any_of(headings.begin(), headings.begin() + count,
            [name](std::string_view heading) { return equalsIgnoringCase(heading, name); });
    };
    if (!has("n") || has("q")) // "N  NB  P  Q": a grid of them
        return;
    for (size_t i = 0; i < count; ++i) {
        if (equalsIgnoringCase(headings[i], "p") && wholeCount(cells[i]))
            found[i].meaning = &cache.find("processes");
    }
}

/// "P  R  F1", "Box(P  R  mAP50": precision and recall, which are other things elsewhere.
void namePrecision(ColumnHeadings& found, size_t count, const Cells& headings, NameCache& cache)
{
    for (size_t i = 0; i + 2 < count; ++i) {
        const std::string_view third = headings[i + 2];
        const bool isPrecision =
            equalsIgnoringCase(headings[i], "p") || headings[i].ends_with("(P");
        if (!isPrecision || !equalsIgnoringCase(headings[i + 1], "r")
            || !(equalsIgnoringCase(third, "f") || equalsIgnoringCase(third, "f1")
                || startsWithIgnoringCase(third, "map")))
            continue;
        found[i].meaning = &cache.find("precision");
        found[i + 1].meaning = &cache.find("recall");
        if (toLowerCase(third[0]) == 'f')
            found[i + 2].meaning = &cache.find("f1");
        for (size_t own = i; own < i + 3; ++own)
            found[own].isWord = true;
    }
}

} // namespace

bool isNumberedName(std::string_view text, const MetricNames& names)
{
    constexpr size_t shortest = 3; // "4x", "10k"
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
    return text.size() >= shortest && std::all_of(text.begin(), text.end(), isLetter)
        && !names.unit(text);
}

bool readColumnHeadings(const Cells& headings, const Cells& cells, size_t count, bool bordered,
    NameCache& cache, ColumnHeadings& found)
{
    static_assert(mostCells * 3 < NameCache::mostEntries); // none is forgotten before the last
    for (size_t i = 0; i < count; ++i) {
        if (!readColumnHeading(headings, count, i, cells[i], bordered, cache, found[i]))
            return false;
    }
    useTotal(found, count, headings, cache);
    nameBatches(found, count, headings, cache);
    nameProcesses(found, cells, count, headings, cache);
    namePrecision(found, count, headings, cache);
    return true;
}

} // namespace slipway::table
