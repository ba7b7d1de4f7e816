// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/nccltable.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

bool isTime(std::string_view name)
{
    return name == "time" || name == "cputime";
}

std::optional<double> finite(std::string_view word)
{
    const auto value = wholeNumber(word);
    return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

/// Stores the value of the column; false when it is not a number.
bool readCell(NcclTiming& timing, std::string_view name, std::string_view word)
{
    if (name == "#wrong") {
        timing.wrong = wholeCount(word);
        return timing.wrong || word == "N/A";
    }
    if (name == "error") // a difference, of old versions
        return wholeNumber(word) || word == "N/A";
    const auto value = finite(word);
    if (isTime(name) && value) {
        timing.seconds = *value * 1e-6;
        timing.cpuTime = name == "cputime";
    } else if (name == "algbw" && value) {
        timing.algbw = *value * 1e9;
    } else if (name == "busbw" && value) {
        timing.busbw = *value * 1e9;
    } else if (name == "i_min" && value) {
        timing.low = *value * 1e-6;
    } else if (name == "i_max" && value) {
        timing.high = *value * 1e-6;
    } else {
        return name != "algbw" && name != "busbw" && !isTime(name);
    }
    return true;
}

} // namespace

std::optional<NcclColumns> NcclColumns::read(std::string_view header)
{
    NcclColumns columns;
    size_t times = 0, bandwidths = 0, fastest = 0, slowest = 0;
    for (std::string_view word = takeWord(header); !word.empty(); word = takeWord(header)) {
        if (columns.m_names.size() >= most || word.size() > 32)
            return {};
        if (isTime(word) && ++times == 2)
            columns.m_second = columns.m_names.size();
        bandwidths += word == "algbw" || word == "busbw";
        fastest += word == "i_min";
        slowest += word == "i_max";
        columns.m_names.emplace_back(word);
    }
    const auto& names = columns.m_names;
    if (times != 2 || bandwidths != 4 || names.size() < 4 || names[0] != "size"
        || names[1] != "count" || names[2] != "type")
        return {};
    columns.m_iterations = fastest == 2 && slowest == 2;
    return columns;
}

const NcclColumns& NcclColumns::usual()
{
    static const NcclColumns columns =
        *read("size count type redop root time algbw busbw #wrong time algbw busbw #wrong");
    return columns;
}

bool NcclColumns::isUsualRow(std::string_view line)
{
    static constexpr std::string_view types[] = {"float", "half", "double", "bfloat16", "int8",
        "uint8", "int32", "uint32", "int64", "uint64", "f8e4m3", "f8e5m2"};
    static constexpr std::string_view operations[] = {
        "sum", "prod", "min", "max", "avg", "none", "all", "mulsum"};
    const auto isIn = [](std::string_view word, const auto& words) {
        return std::find(std::begin(words), std::end(words), word) != std::end(words);
    };
    return wholeCount(takeWord(line)) && wholeCount(takeWord(line)) && isIn(takeWord(line), types)
        && isIn(takeWord(line), operations);
}

std::optional<NcclRow> NcclColumns::readRow(std::string_view line) const
{
    std::array<std::string_view, most> words;
    size_t count = 0;
    for (std::string_view word = takeWord(line); !word.empty(); word = takeWord(line)) {
        if (count >= m_names.size() || (count == 0 && !wholeCount(word)))
            return {};
        if (m_names[count] == "timestamp" && word.size() == 10) { // a date; its time is one more
            const std::string_view time = takeWord(line);
            if (time.size() < 8 || time[2] != ':')
                return {};
        }
        words[count++] = word;
    }
    if (count != m_names.size())
        return {};
    const auto size = wholeCount(words[0]);
    if (!size || !wholeCount(words[1]) || !isLetter(words[2][0]))
        return {};
    NcclRow row{*size, {}};
    for (size_t i = 3; i < count; ++i) {
        if (m_names[i] == "redop" || m_names[i] == "root" || m_names[i] == "timestamp")
            continue;
        if (!readCell(row.timings[i >= m_second], m_names[i], words[i]))
            return {};
    }
    for (NcclTiming& timing : row.timings) {
        if (!m_iterations)
            timing.low = timing.high = std::nullopt;
    }
    return row;
}

std::string withoutTags(std::string_view line)
{
    std::string out;
    while (!line.empty()) {
        const size_t open = line.find('[');
        out += line.substr(0, open);
        if (open == std::string_view::npos)
            break;
        line.remove_prefix(open);
        size_t end = 1;
        while (end < line.size() && (isDigit(line[end]) || line[end] == ','))
            ++end;
        if (end == 1 || end >= line.size() || line[end] != ']') {
            out += '[';
            line.remove_prefix(1);
            continue;
        }
        line.remove_prefix(end + 1);
        if (!skip(line, "<stdout>:"))
            skip(line, "<stderr>:");
        out += ' ';
    }
    return out;
}

} // namespace slipway
