// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::probe {

std::string_view trimmed(std::string_view text);
/// The parts between the separators, trimmed, empty ones left out.
std::vector<std::string> split(std::string_view text, char separator);
/// The text after `key` on the first line that begins with it, without separators (":", "=",
/// spaces).
std::string valueOf(std::string_view text, std::string_view key);
/// The whole text as a number; none if it is not a number.
std::optional<long long> wholeNumber(std::string_view text);
std::optional<double> decimalNumber(std::string_view text);
bool contains(std::string_view text, std::string_view part);
std::string lower(std::string_view text);
std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ");
/// "1 GPU", "2 GPUs"
std::string counted(long long count, std::string_view one, std::string_view many = {});
/// "79.6 GiB", "512 MiB"
std::string sizeText(double bytes);
/// "3", "2.5", "0.12": at most three digits that count
std::string numberText(double value);

/// "580.65.06", "12.4", "11.0.3-1": numbers between dots; what follows them is dropped.
struct Version {
    std::vector<int> numbers;

    static Version of(std::string_view text);
    explicit operator bool() const { return !numbers.empty(); }
    int part(size_t i) const { return i < numbers.size() ? numbers[i] : 0; }
    int major() const { return part(0); }
    int minor() const { return part(1); }
    /// "12.4" of "12.4.1"
    std::string shortText() const;
    std::string text() const;
    /// Missing parts are zero: 12.4 is 12.4.0.
    friend bool operator<(const Version& a, const Version& b);
    friend bool operator>=(const Version& a, const Version& b) { return !(a < b); }
    friend bool operator==(const Version& a, const Version& b) { return !(a < b) && !(b < a); }
};

} // namespace slipway::probe
