// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/commandtimes.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <optional>

namespace slipway {

namespace {

/// Digits and a point, with anything behind them.
std::optional<double> takePlain(std::string_view& text)
{
    const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto value = wholeNumber(text.substr(0, end));
    if (value)
        text.remove_prefix(end);
    return value;
}

/// "5.47", "0:05.47", "1:02:05" in s.
std::optional<double> takeElapsed(std::string_view& text)
{
    const size_t end = std::min(text.find_first_not_of("0123456789.:"), text.size());
    const std::string_view clock = text.substr(0, end);
    const size_t point = std::min(clock.find('.'), end);
    const std::string_view before = clock.substr(0, point);
    const auto whole = before.find(':') == before.npos ? wholeCount(before) : clockTime(before);
    const auto fraction = point < end ? wholeNumber(clock.substr(point)) : std::optional(0.0);
    if (!whole || !fraction)
        return {};
    text.remove_prefix(end);
    return *whole + *fraction;
}

/// "OMP_NUM_THREADS=4 ./a.out in.txt" → "OMP_NUM_THREADS=4"
std::string_view settingsOf(std::string_view command)
{
    std::string_view rest = command;
    size_t end = 0;
    for (std::string_view word = takeWord(rest); word.find('=') != word.npos; word = takeWord(rest))
        end = command.size() - rest.size();
    return command.substr(0, end);
}

/// "./build/a.out in.txt" → "a.out"
std::string_view programOf(std::string_view command)
{
    const std::string_view program = takeWord(command);
    return program.substr(program.rfind('/') + 1);
}

std::string inWordsOfBash(double real, double user, double system)
{
    const auto seconds = [](double value) {
        std::string text = std::to_string(value);
        text.erase(text.find_last_not_of('0') + 1);
        return text + (text.ends_with('.') ? "0 s" : " s");
    };
    return "real " + seconds(real) + ", user " + seconds(user) + ", sys " + seconds(system);
}

/// "0.02user 0.51system 0:05.47elapsed 9%CPU (0avgtext+…)k", "0.020u 0.510s 0:05.47 9.6% …"
std::string timesBeforeShare(std::string_view text)
{
    const auto user = takePlain(text);
    const bool isLong = user && skip(text, "user ");
    if (!user || (!isLong && !skip(text, "u ")))
        return {};
    const auto system = takePlain(text);
    if (!system || !skip(text, isLong ? "system " : "s "))
        return {};
    const auto real = takeElapsed(text);
    if (!real || !skip(text, isLong ? "elapsed " : " ") || !takePlain(text) || !skip(text, "%"))
        return {};
    return inWordsOfBash(*real, *user, *system);
}

/// "./a.out  0.02s user 0.51s system 9% cpu 5.471 total"
std::string timesBehindCommand(std::string_view text)
{
    const size_t cpu = text.rfind("% cpu ");
    const size_t end = text.substr(0, cpu).rfind("s user ");
    if (cpu == std::string_view::npos || end == std::string_view::npos)
        return {};
    const size_t begin = text.rfind(' ', end) + 1;
    std::string_view rest = text.substr(begin);
    const auto user = takePlain(rest);
    if (!user || !skip(rest, "s user "))
        return {};
    const auto system = takePlain(rest);
    rest = text.substr(cpu + 6);
    const auto real = takeElapsed(rest);
    const std::string_view command = text.substr(0, begin);
    const std::string_view settings = settingsOf(command);
    if (!system || !real || trimmed(rest) != "total")
        return {};
    const std::string took = inWordsOfBash(*real, *user, *system);
    const std::string_view program = programOf(command);
    if (!settings.empty())
        return std::string(settings) + ": " + took;
    const bool isWord = !program.empty() && std::all_of(program.begin(), program.end(), [](char c) {
        return isLetter(c) || c == '_' || c == '.';
    });
    return isWord ? "times for " + std::string(program) + ", " + took : took;
}

} // namespace

std::string timesOfCommand(std::string_view line)
{
    constexpr size_t longest = 300;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.size() > longest)
        return {};
    // Asked about each line: what does not end like one of them is known by a byte.
    switch (text.back()) {
    case 'k':
    case 'w':
        return isDigit(text[0]) ? timesBeforeShare(text) : std::string();
    case 'l':
        return text.ends_with(" total") ? timesBehindCommand(text) : std::string();
    default:
        return {};
    }
}

} // namespace slipway
