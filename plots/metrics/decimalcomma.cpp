// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/decimalcomma.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

/// Digits with points and commas between them, in a text.
struct Run {
    size_t begin = 0, end = 0;
    size_t comma = 0; ///< the only one, with digits on both sides
};

bool isOfRun(char c)
{
    return isDigit(c) || c == ',' || c == '.';
}

/// The next run with one comma from `from` on; false: there is none.
bool nextRun(std::string_view text, size_t from, Run& run)
{
    for (size_t comma = text.find(',', from); comma != std::string_view::npos;
         comma = text.find(',', run.end)) {
        run = {comma, comma, comma};
        while (run.begin > from && isOfRun(text[run.begin - 1]))
            --run.begin;
        while (run.end < text.size() && isOfRun(text[run.end]))
            ++run.end;
        const size_t written = run.end;
        while (run.end > comma && !isDigit(text[run.end - 1]))
            --run.end; // "0,5," in a list of such numbers
        const std::string_view all = text.substr(run.begin, run.end - run.begin);
        const char before = run.begin > 0 ? text[run.begin - 1] : ' ';
        const bool isPart = isWordCharacter(before) || before == '['; // "v1,2", "[0,512]"
        if (!isPart && comma > run.begin && run.end > comma + 1 && isDigit(text[comma - 1])
            && isDigit(text[comma + 1]) && std::count(all.begin(), all.end(), ',') == 1
            && text.substr(comma, run.end - comma).find('.') == std::string_view::npos)
            return true;
        run.end = std::max(written, comma + 1);
    }
    return false;
}

/// Whether the point in front parts thousands: "123.526,57".
bool hasGroups(std::string_view whole)
{
    constexpr size_t group = 3;
    const size_t first = whole.find('.');
    if (first == std::string_view::npos || first == 0 || first > group)
        return false;
    for (size_t at = first; at < whole.size(); at += group + 1) {
        if (whole[at] != '.' || at + group >= whole.size()
            || !std::all_of(whole.begin() + at + 1, whole.begin() + at + group + 1, isDigit))
            return false;
    }
    return true;
}

/// "1;12,5;0,61": where semicolons part the numbers, commas do not.
bool isCell(std::string_view text, const Run& run)
{
    constexpr size_t group = 3;
    const bool isParted =
        text[run.begin - 1] == ';' && (run.end == text.size() || text[run.end] == ';');
    return isParted && run.end - run.comma - 1 != group;
}

/// Whether the number can be nothing else: "0,166139", "1,5123", "123.526,57".
bool isProof(std::string_view text, const Run& run)
{
    constexpr size_t group = 3, fewDigits = 2, farthest = 1024;
    if (run.begin == 0 || run.begin > farthest)
        return false;
    if (isCell(text, run))
        return true;
    const std::string_view before = text.substr(0, run.begin);
    if (std::string_view(" :=\t-").find(before.back()) == std::string_view::npos
        || std::none_of(before.begin(), before.end(), isLetter))
        return false;
    const std::string_view whole = text.substr(run.begin, run.comma - run.begin);
    const size_t digits = run.end - run.comma - 1;
    return hasGroups(whole) || (whole == "0" && digits >= fewDigits)
        || (whole.size() <= group && digits > group && whole.find('.') == std::string_view::npos);
}

} // namespace

DecimalComma::Form DecimalComma::formOf(std::string_view text)
{
    std::string zeros(text); // of a number below 1 it matters that it is 0
    std::replace_if(zeros.begin(), zeros.end(), isDigit, '0');
    Form form = Form::None;
    Run run;
    for (size_t from = 0; form != Form::Proof && nextRun(zeros, from, run); from = run.end)
        form = isProof(zeros, run) ? Form::Proof : Form::Other;
    return form;
}

bool DecimalComma::apply(std::string_view text, Form form, std::string& out)
{
    if (form == Form::None || (form == Form::Other && !m_isKnown))
        return false;
    Run run;
    for (size_t from = 0; !m_isKnown && nextRun(text, from, run); from = run.end)
        m_isKnown = isProof(text, run);
    if (!m_isKnown)
        return false;
    size_t done = 0;
    out.clear();
    while (nextRun(text, done, run)) {
        const std::string_view whole = text.substr(run.begin, run.comma - run.begin);
        const bool isPlain = whole.find('.') == std::string_view::npos || hasGroups(whole);
        out.append(text.substr(done, run.begin - done));
        std::copy_if(whole.begin(), whole.end(), std::back_inserter(out),
            [isPlain](char c) { return !isPlain || c != '.'; });
        out += isPlain ? '.' : ',';
        out.append(text.substr(run.comma + 1, run.end - run.comma - 1));
        done = run.end;
    }
    out.append(text.substr(done));
    return done > 0;
}

} // namespace slipway
