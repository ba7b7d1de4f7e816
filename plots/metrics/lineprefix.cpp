// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineprefix.h"

#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr int mostPieces = 16;
constexpr size_t longestPiece = 80;

bool isLevelWord(std::string_view word)
{
    switch (toLowerCase(word.empty() ? ' ' : word[0])) {
    case 'i':
    case 'd':
    case 'w':
    case 'n':
    case 't':
        return isOneOf(word, {"info", "debug", "warning", "warn", "notice", "trace"});
    default:
        return false;
    }
}

/// As loggers print it, and nobody writes in a sentence.
bool isLoudLevel(std::string_view word)
{
    return word == "INFO" || word == "DEBUG" || word == "WARNING";
}

bool isMonth(std::string_view word)
{
    return word.size() == 3
        && isOneOf(word,
            {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"});
}

/// "train.py:160", "logging.cc:96:log"
bool isSourcePlace(std::string_view word)
{
    const size_t dot = word.find('.');
    const size_t colon = dot == std::string_view::npos ? dot : word.find(':', dot);
    return colon != std::string_view::npos && colon + 1 < word.size() && isDigit(word[colon + 1])
        && isLetter(word[0]);
}

bool isCounterWord(std::string_view word)
{
    return isOneOf(word, {"epoch", "iter", "iteration", "step", "batch", "update", "round"});
}

/// The number at the end of "rank3", "Rank 3", "GPU3", "default0" or "node-1:3"; -1: none.
int rankIn(std::string_view label)
{
    size_t digits = 0;
    while (digits < label.size() && isDigit(label[label.size() - 1 - digits]))
        ++digits;
    if (digits == 0 || digits > 6 || digits == label.size())
        return -1;
    if (digits > 1 && label[label.size() - digits] == '0')
        return -1; // "gpu01" is a host
    const auto rank = wholeCount(label.substr(label.size() - digits));
    constexpr double firstLine = 32; // "[trainer:768]" is a line of a source, "[node-1:768]" a host
    std::string_view before = trimmed(label.substr(0, label.size() - digits));
    const bool host = before.ends_with(':') && before.size() > 1
        && before.find_first_of(" .:") == before.size() - 1 && isLetter(before[0])
        && (*rank < firstLine
            || std::any_of(
                before.begin(), before.end(), [](char c) { return isDigit(c) || c == '-'; }))
        && !isCounterWord(before.substr(0, before.size() - 1)); // "Iter:3"
    if (!before.empty() && (before.back() == ':' || before.back() == '='))
        before.remove_suffix(1);
    if (!host && !isOneOf(before, {"rank", "gpu", "default", "global rank", "local rank"}))
        return -1;
    return int(*rank);
}

/// "GPU 1: epoch 1, loss 0.5", "Rank 3: done in 0.5 s"; -1: something else.
int rankInWords(std::string_view text, std::string_view first)
{
    if (!isOneOf(first, {"rank", "gpu", "process", "worker"}))
        return -1;
    std::string_view rest = text.substr(first.size());
    const auto rank = skip(rest, " ") ? takeWholeCount(rest) : std::nullopt;
    if (std::string_view all = rest; rank && skip(all, " of ") && takeWholeCount(all))
        rest = all; // "Process 0 of 4: pi = 3.14"
    const bool isApart = skip(rest, ": ") || skip(rest, " | ") || skip(rest, " - ");
    return rank && *rank < 1e6 && isApart && !rest.empty() && isLetter(rest[0]) ? int(*rank) : -1;
}

/// Digits, spaces, a slash and a percentage, "1,  2000": a counter, not a prefix.
bool isCounterText(std::string_view inside)
{
    const bool isList = inside.find(", ") != std::string_view::npos;
    return inside.find_first_not_of(isList ? "0123456789, " : "0123456789/ ().%")
        == std::string_view::npos;
}

/// "[Epoch 6] accuracy=0.9", "[ITER 7000] PSNR 25.2", "[Epoch 1/200] [Batch 10/50]"
bool isNamedCounter(std::string_view inside)
{
    // "[epoch:207, iter:  20,100, lr:(1.000e-04,)]"
    const size_t colon = inside.find(':');
    if (colon != std::string_view::npos && inside.find(", ") != std::string_view::npos
        && isOneOf(inside.substr(0, colon), {"epoch", "iter", "step"}))
        return true;
    const size_t space = inside.find_last_of(" :");
    if (space == std::string_view::npos)
        return false;
    const std::string_view number = inside.substr(space + 1);
    const size_t slash = std::min(number.find('/'), number.size());
    if (!wholeCount(number.substr(0, slash))
        || (slash < number.size() && !wholeCount(number.substr(slash + 1))))
        return false;
    std::string_view word = trimmed(inside.substr(0, space));
    if (word.ends_with(':'))
        word.remove_suffix(1);
    // "[Level 1 step 3]"
    if (const size_t last = word.rfind(' '); last != std::string_view::npos) {
        const size_t before = word.rfind(' ', last - 1);
        if (before != std::string_view::npos
            && wholeCount(word.substr(before + 1, last - before - 1)))
            word.remove_prefix(last + 1);
    }
    if (isCounterWord(word))
        return true;
    const NameMeaning meaning = MetricNames::builtIn().meaning(word);
    return meaning.kind == NameMeaning::Counter && meaning.use == NameMeaning::Anywhere;
}

/// "[4 threads] 0.5 s"
bool isSize(std::string_view inside)
{
    const bool isCount = takeWholeCount(inside).has_value();
    skipSpaces(inside);
    return isCount && !inside.empty() && MetricNames::builtIn().meaning(inside).isSize();
}

/// "[ 5s ] tps: 269.67"
bool isSecondsAlone(std::string_view inside)
{
    skipSpaces(inside);
    return takeWholeCount(inside) && trimmed(inside) == "s";
}

/// "[1024 x 1024]"
bool isShape(std::string_view inside)
{
    const bool isCount = takeWholeCount(inside).has_value();
    skipSpaces(inside);
    if (!isCount || !(skip(inside, "x") || skip(inside, "*") || skip(inside, "×")))
        return false;
    skipSpaces(inside);
    return !inside.empty() && isDigit(inside[0]);
}

/// "[    1.234567]", "[1763672491.123]": seconds since a start or since 1970, and no count.
bool isClockAlone(std::string_view inside)
{
    constexpr size_t ofEpoch = 10, ofMicroseconds = 6;
    inside = trimmed(inside);
    const size_t point = inside.find('.');
    return point != std::string_view::npos && wholeCount(inside.substr(0, point))
        && wholeCount(inside.substr(point + 1))
        && (point >= ofEpoch || inside.size() - point - 1 == ofMicroseconds);
}

/// "[INFO]", "[rank0]:", "[2024-03-12 08:22:45]", "[logging.py:96:log_dist]"
bool takeBracket(LinePrefix& prefix)
{
    const std::string_view text = prefix.text;
    const size_t close = text.substr(0, longestPiece).find(']');
    if (close == std::string_view::npos || close == 1)
        return false;
    if (trimmed(text.substr(close + 1)).empty())
        return false; // "[iter 1 : loss : 7.02]": there is nothing else
    const std::string_view inside = text.substr(1, close - 1);
    if ((isCounterText(inside) && !isClockAlone(inside))
        || inside.find_first_of("='\"{[") != std::string_view::npos || !setInBracket(inside).empty()
        || isNamedCounter(inside) || isSize(inside) || isShape(inside) || isSecondsAlone(inside))
        return false;
    if (const int rank = rankIn(inside); rank >= 0)
        prefix.rank = rank;
    else
        prefix.dated = true;
    prefix.text.remove_prefix(close + 1);
    skip(prefix.text, ":");
    return true;
}

/// "[ Info: ", "┌ Info: ", and "└ " or "│   " before the values below it: Julia's logger.
bool takeJulia(LinePrefix& prefix)
{
    for (const std::string_view begin :
        {"[ Info: ", "[ Warning: ", "┌ Info: ", "┌ Warning: ", "└   ", "│   "}) {
        std::string_view rest = prefix.text;
        if (!skip(rest, begin) || rest.find("│") != std::string_view::npos)
            continue; // or the row of a table
        prefix.text = rest;
        prefix.dated = true;
        return true;
    }
    return false;
}

/// "MD| Temperature", "OPT| Step number": the part of a program that prints.
bool takePart(LinePrefix& prefix, std::string_view word)
{
    constexpr size_t longestPart = 12;
    const auto isOfPart = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
    if (word.size() < 3 || word.size() > longestPart || word.back() != '|'
        || !std::all_of(word.begin(), word.end() - 1, isOfPart))
        return false;
    std::string_view rest = prefix.text.substr(word.size());
    skipSpaces(rest);
    if (rest.empty() || !isLetter(rest[0]))
        return false;
    prefix.text = rest;
    return true;
}

/// "(RayTrainWorker pid=123) ", "(PID.TID 0000.0001) "
bool takeProcess(LinePrefix& prefix)
{
    const size_t close = prefix.text.substr(0, longestPiece).find(')');
    if (close == std::string_view::npos
        || (prefix.text.substr(0, close).find("pid=") == std::string_view::npos
            && !prefix.text.starts_with("(PID.TID ")))
        return false;
    prefix.text.remove_prefix(close + 1);
    return true;
}

/// "I0521 12:00:00.123456 1234 train.py:160] ", "I20240521 12:00:00 1234 name train.py:160] "
bool takeGlog(LinePrefix& prefix)
{
    std::string_view rest = prefix.text;
    const std::string_view first = takeWord(rest);
    if ((first.size() != 5 && first.size() != 9) || !wholeCount(first.substr(1))
        || !isTimeStamp(takeWord(rest)))
        return false;
    const size_t close = rest.substr(0, longestPiece).find("] ");
    if (close == std::string_view::npos)
        return false;
    prefix.text = rest.substr(close + 2);
    prefix.dated = true;
    return true;
}

/// "19:45-INFO-[Epoch", "12:00:01,123-INFO-loss": a time and a level that no space separates. The
/// time may be without seconds behind a date.
bool takeDashedLevel(LinePrefix& prefix, std::string_view word)
{
    constexpr size_t shortTime = 5;
    for (size_t dash = word.find('-'); dash != std::string_view::npos;
         dash = word.find('-', dash + 1)) {
        const size_t end = word.find('-', dash + 1);
        if (end == std::string_view::npos)
            return false;
        const std::string_view time = word.substr(0, dash);
        if (!isLoudLevel(word.substr(dash + 1, end - dash - 1)) || !isTimeStamp(time)
            || (time.size() == shortTime && !prefix.dated))
            continue;
        prefix.text.remove_prefix(end + 1);
        prefix.dated = true;
        return true;
    }
    return false;
}

/// "INFO:tensorflow:loss": the name of a logger directly after a level.
void takeLogger(std::string_view& rest)
{
    size_t end = 0;
    while (end < rest.size() && (isWordCharacter(rest[end]) || rest[end] == '.'))
        ++end;
    if (end > 0 && end + 1 < rest.size() && rest[end] == ':' && !isSpace(rest[end + 1]))
        rest.remove_prefix(end + 1);
}

bool takeLevel(LinePrefix& prefix, std::string_view word)
{
    const size_t colon = word.find(':');
    const std::string_view level = word.substr(0, colon);
    if (!isLevelWord(level))
        return false;
    prefix.text.remove_prefix(level.size());
    prefix.dated = true;
    if (skip(prefix.text, ":"))
        takeLogger(prefix.text);
    return true;
}

/// "277: " behind "log_hooks.py:"
bool takeLineNumber(std::string_view& rest)
{
    std::string_view at = rest;
    skipSpaces(at);
    if (!takeWholeCount(at) || !at.starts_with(": "))
        return false;
    rest = at.substr(1);
    return true;
}

/// What is a prefix only behind another one: "mmengine - ", "metrics.py:341] ", "-", "|".
bool takeFollower(LinePrefix& prefix, std::string_view word)
{
    if (word == "-" || word == "|" || word == ":") {
        prefix.text.remove_prefix(1);
        return true;
    }
    const bool isLine = word.size() > 2 && word.front() == '{' && word.back() == '}'
        && wholeCount(word.substr(1, word.size() - 2)); // "{2219}"
    if (isLine) {
        prefix.text.remove_prefix(word.size());
        return true;
    }
    std::string_view rest = prefix.text.substr(word.size());
    const bool source = isSourcePlace(word)
        && (word.ends_with(']') || word.ends_with(':') || rest.starts_with(" -")
            || rest.starts_with(" |"));
    if (word.ends_with(".py:") && takeLineNumber(rest)) {
        prefix.text = rest;
        return true;
    }
    // "node01:0\tolmo.train:951\tINFO\t", also with spaces
    const bool column = rest.starts_with('\t') || rest.starts_with("  ");
    if (column && word.find_first_of("=,([") == std::string_view::npos) {
        if (const int rank = rankIn(word); rank >= 0)
            prefix.rank = rank;
        else if (!isSourcePlace(word))
            return false;
        prefix.text = rest;
        return true;
    }
    // "flower 2022-01-06 09:21:15,045 | ", "P590 INFO "
    std::string_view behind = rest;
    const std::string_view next = takeWord(behind);
    constexpr size_t shortestStamp = 8;
    if (isLetter(word[0]) && word.find_first_of("=:,([") == std::string_view::npos
        && ((next.size() >= shortestStamp && isTimeStamp(next)) || isLoudLevel(next))) {
        prefix.text = rest;
        return true;
    }
    const bool logger = rest.starts_with(" - ") && isLetter(word[0]) | (word[0] == '_')
        && word.find_first_of("=,([") == std::string_view::npos;
    if (!source && !logger)
        return false;
    prefix.text = rest;
    return true;
}

/// "<DFT>  Uele = -4.17": the part of a program that prints; no element of XML.
bool takeTag(LinePrefix& prefix)
{
    constexpr size_t longestTag = 24;
    const size_t close = prefix.text.substr(0, longestTag).find('>');
    const auto isOfTag = [](char c) { return isLetter(c) || c == '_'; };
    if (close == std::string_view::npos || close < 3
        || !std::all_of(prefix.text.begin() + 1, prefix.text.begin() + close, isOfTag)
        || prefix.text.find("</") != std::string_view::npos)
        return false;
    std::string_view rest = prefix.text.substr(close + 1);
    skipSpaces(rest);
    if (rest.empty() || !isLetter(rest[0]) || rest.data() == prefix.text.data() + close + 1)
        return false;
    prefix.text = rest;
    return true;
}

/// "I | 05-10 22:37:41 |  train   | ": a level of one letter before the time.
bool takeLetter(LinePrefix& prefix)
{
    constexpr std::string_view levels = "DIWEF";
    std::string_view rest = prefix.text.substr(1);
    if (levels.find(prefix.text[0]) == levels.npos || !skip(rest, " | ")
        || !isTimeStamp(rest.substr(0, rest.find(' '))))
        return false;
    prefix.text = rest;
    prefix.dated = true;
    return true;
}

bool isWeekday(std::string_view word)
{
    if (word.ends_with(','))
        word.remove_suffix(1);
    return isOneOf(word, {"mon", "tue", "wed", "thu", "fri", "sat", "sun"});
}

bool isYear(std::string_view word)
{
    return word.size() == 4 && (word.starts_with("19") || word.starts_with("20"))
        && wholeCount(word);
}

/// "UTC", "CEST", "+0200", "PM"
void skipZone(std::string_view& text)
{
    std::string_view rest = text;
    const std::string_view word = takeWord(rest);
    const bool isName = word.size() >= 2 && word.size() <= 4
        && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const bool isOffset = word.size() == 5 && (word[0] == '+' || word[0] == '-')
        && wholeCount(word.substr(1)).has_value();
    if (isName || isOffset)
        text = rest;
}

/// "Aug 28 10:10:24 2023", "Aug 28 10:10:24 UTC 2023" of date and ctime, "26 Nov 2023 18:53:58
/// +0200" of a mail, behind the day of the week.
bool takeDate(LinePrefix& prefix, std::string_view behindWeekday)
{
    std::string_view rest = behindWeekday;
    const std::string_view first = takeWord(rest), second = takeWord(rest);
    std::string_view third = takeWord(rest);
    if (isMonth(first) && wholeCount(second) && isTimeStamp(third)) {
        skipZone(rest);
        skipZone(rest); // "08:14:21 PM EST 2025"
        std::string_view behind = rest;
        std::string_view year = takeWord(behind);
        if (year.ends_with(':'))
            year.remove_suffix(1);
        rest = isYear(year) ? behind : rest;
    } else if (wholeCount(first) && isMonth(second) && isYear(third)
        && isTimeStamp(third = takeWord(rest))) {
        skipZone(rest);
    } else {
        return false;
    }
    prefix.text = rest;
    prefix.dated = true;
    return true;
}

bool takeWordPiece(LinePrefix& prefix)
{
    const std::string_view text = prefix.text;
    size_t end = 0;
    while (end < text.size() && !isSpace(text[end]) && end < longestPiece)
        ++end;
    const std::string_view word = text.substr(0, end);
    if (end == 1)
        return takeLetter(prefix) || (prefix.dated && takeFollower(prefix, word));
    if (isTimeStamp(word)) {
        if (word.size() == 5) { // "05-20" is one only before a time
            std::string_view rest = text.substr(end);
            if (const std::string_view next = takeWord(rest); next.size() < 8 || !isTimeStamp(next))
                return false;
        }
        prefix.text.remove_prefix(end);
        prefix.dated = true;
        return true;
    }
    if (takeLevel(prefix, word) || takePart(prefix, word))
        return true;
    if (isDigit(word[0]) && takeDashedLevel(prefix, word))
        return true;
    if (prefix.dated && takeFollower(prefix, word))
        return true;
    if ((word.size() == 5 || word.size() == 9) && isDigit(word[1]) && isDigit(word[4])
        && takeGlog(prefix))
        return true;
    if (isWeekday(word))
        return takeDate(prefix, text.substr(end));
    if (isMonth(word)) {
        std::string_view rest = text.substr(end);
        if (!wholeCount(takeWord(rest)) || !isTimeStamp(takeWord(rest)))
            return false;
        prefix.text = rest;
        prefix.dated = true;
        return true;
    }
    if (const int rank = rankInWords(text, word); rank >= 0) {
        prefix.rank = rank;
        prefix.text = text.substr(text.find_first_of(":|-") + 1);
        return true;
    }
    if (!word.ends_with(':') || word.size() < 6 || !isDigit(word[word.size() - 2]))
        return false;
    // "rank3:", or a host: "nid001234:"
    const std::string_view label = word.substr(0, word.size() - 1);
    const int rank = rankIn(label);
    const auto digits = std::count_if(label.begin(), label.end(), isDigit);
    const bool isHost = digits >= 3 && !isDigit(label[0]) // "16x16: 0.5 s"
        && label.find_first_of("_/@=(") == std::string_view::npos;
    if (rank < 0 && !isHost)
        return false;
    prefix.rank = rank >= 0 ? rank : prefix.rank;
    prefix.text.remove_prefix(end);
    return true;
}

} // namespace

bool isTimeStamp(std::string_view word)
{
    constexpr size_t longestStamp = 40; // "0.25,0.0017,0.25,49.0,0,2025-11-07" is a row of values
    if (word.size() < 5 || word.size() > longestStamp || !isDigit(word[0]))
        return false;
    int marks = 0, slashes = 0;
    for (const char c : word) {
        const bool mark = c == ':' || c == '-' || c == '/';
        marks += mark ? 1 : 0;
        slashes += c == '/' ? 1 : 0;
        if (!mark && !isDigit(c) && c != '.' && c != ',' && c != 'T' && c != 'Z' && c != '+')
            return false;
    }
    return word.size() == 5 ? (word[2] == '-' || word[2] == '/' || word[2] == ':')
                            : marks >= 1 && word.size() >= 8
            && !(slashes == 1 && marks == (word.back() == ':' ? 2 : 1)); // "100/1000:" is a place
}

std::string_view setInBracket(std::string_view inside)
{
    const MetricNames& names = MetricNames::builtIn();
    if (const std::string_view whole = inside.substr(inside.find(':') + 1); names.set(whole))
        return whole;
    const std::string_view first = takeWord(inside);
    skipSpaces(inside);
    const bool isFollowed = isOneOf(inside, {"data", "set", "phase"})
        || (takeWholeCount(inside) && inside.starts_with('/'));
    return isFollowed && names.set(first) ? first : std::string_view();
}

LinePrefix peelPrefix(std::string_view line)
{
    LinePrefix prefix{line};
    bool any = skip(prefix.text, "#> "); // of R's reprex and knitr
    for (int i = 0; i < mostPieces; ++i) {
        skipSpaces(prefix.text);
        if (prefix.text.empty())
            break;
        const char first = prefix.text[0];
        const bool mayBeJulia = first == '\xe2' || prefix.text.starts_with("[ ");
        const bool taken = mayBeJulia && takeJulia(prefix) ? true
            : first == '['                                 ? takeBracket(prefix)
            : first == '('                                 ? takeProcess(prefix)
            : first == '<'                                 ? takeTag(prefix)
                                                           : takeWordPiece(prefix);
        if (!taken)
            break;
        any = true;
    }
    if (!any)
        prefix.text = line; // the columns of a table are counted from the start of the line
    return prefix;
}

} // namespace slipway
