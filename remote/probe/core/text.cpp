// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace slipway::probe {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r\n\v\f";
    const size_t begin = text.find_first_not_of(space);
    return begin == text.npos ? std::string_view()
                              : text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty())
            parts.emplace_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string valueOf(std::string_view text, std::string_view key)
{
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with(key))
            continue;
        line = trimmed(line.substr(key.size()));
        if (line.starts_with(':') || line.starts_with('='))
            line = trimmed(line.substr(1));
        return std::string(line);
    }
    return {};
}

std::optional<long long> wholeNumber(std::string_view text)
{
    text = trimmed(text);
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
        ? std::optional(value)
        : std::nullopt;
}

std::optional<double> decimalNumber(std::string_view text)
{
    const std::string copy(trimmed(text));
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    return !copy.empty() && *end == '\0' && std::isfinite(value) ? std::optional(value)
                                                                 : std::nullopt;
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != text.npos;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return result;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator)
{
    std::string text;
    for (const std::string& part : parts)
        (text.empty() ? text : text += separator) += part;
    return text;
}

std::string counted(long long count, std::string_view one, std::string_view many)
{
    std::string text = std::to_string(count) + ' ';
    if (count == 1)
        return text += one;
    return many.empty() ? (text += one) += 's' : text += many;
}

std::string numberText(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, std::fabs(value) >= 999.5 ? "%.0f" : "%.3g", value);
    return text;
}

std::string sizeText(double bytes)
{
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    for (; std::fabs(bytes) >= 1024 && unit + 1 < std::size(units); ++unit)
        bytes /= 1024;
    return numberText(bytes) + ' ' + units[unit];
}

Version Version::of(std::string_view text)
{
    Version version;
    text = trimmed(text);
    while (!text.empty() && text[0] >= '0' && text[0] <= '9' && version.numbers.size() < 6) {
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc())
            break;
        version.numbers.push_back(value);
        text.remove_prefix(size_t(end - text.data()));
        if (!text.starts_with('.'))
            break;
        text.remove_prefix(1);
    }
    return version;
}

std::string Version::shortText() const
{
    return numbers.size() < 2 ? text()
                              : std::to_string(numbers[0]) + '.' + std::to_string(numbers[1]);
}

std::string Version::text() const
{
    std::string text;
    for (const int number : numbers) {
        // Drivers write their third number with two digits: 580.65.06.
        char digits[16];
        std::snprintf(digits, sizeof digits,
            text.empty()                                   ? "%d"
                : numbers.size() == 3 && numbers[0] >= 300 ? ".%02d"
                                                           : ".%d",
            number);
        text += digits;
    }
    return text;
}

bool operator<(const Version& a, const Version& b)
{
    for (size_t i = 0; i < std::max(a.numbers.size(), b.numbers.size()); ++i) {
        if (a.part(i) != b.part(i))
            return a.part(i) < b.part(i);
    }
    return false;
}

} // namespace slipway::probe
