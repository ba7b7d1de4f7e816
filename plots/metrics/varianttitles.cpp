// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/varianttitles.h"

#include "plots/metrics/recogniser.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t longestTitle = 60;
constexpr int linesOfTitle = 40;

/// "Results:" says nothing of what follows.
bool isSummary(std::string_view title)
{
    static constexpr std::string_view words[] = {"result", "results", "output", "timing", "timings",
        "time", "times", "summary", "performance", "statistics", "stats", "average", "total"};
    return std::any_of(std::begin(words), std::end(words), [title](std::string_view word) {
        return title.size() >= word.size()
            && equalsIgnoringCase(title.substr(title.size() - word.size()), word);
    });
}

/// Words of a title that say nothing of what is compared.
constexpr std::string_view fillers[] = {"running", "run", "using", "on", "the", "with", "testing",
    "test", "benchmark", "benchmarking", "starting", "start", "computing", "compute", "now", "in",
    "mode", "device", "results", "for", "performance", "executing"};

/// Words of lines that name a device and are no titles: "GPU memory", "CUDA is available".
constexpr std::string_view others[] = {"not", "no", "available", "found", "error", "failed",
    "warning", "detected", "initialized", "loaded", "loading", "support", "enabled", "disabled",
    "is", "are", "memory", "usage", "utilization", "driver", "toolkit", "info", "information",
    "time", "speedup", "to", "from", "done", "finished", "memcpy"};

/// Without what is drawn around it: "=== CPU ===" → "CPU".
std::string_view withoutFrame(std::string_view text)
{
    const auto isEnd = [](char c) { return isLetter(c) || c == '(' || c == ')'; };
    while (!text.empty() && !isEnd(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && !isEnd(text.back()))
        text.remove_suffix(1);
    return text;
}

bool isTitleWord(std::string_view word)
{
    return std::all_of(word.begin(), word.end(),
        [](char c) { return isWordCharacter(c) || c == '-' || c == '(' || c == ')' || c == '+'; });
}

/// "cuda", and one of the words of "numba_serial".
bool namesImplementation(std::string_view word, const MetricNames& names)
{
    while (!word.empty()) {
        const size_t end = std::min(word.find('_'), word.size());
        if (names.isImplementation(word.substr(0, end)))
            return true;
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return false;
}

} // namespace

/// "loss 0.04 - acc 0.55" behind "TEST:": a fraction that has a name is a result, and nothing that
/// is compared.
bool VariantTitles::isResult(std::string_view value) const
{
    std::string_view rest = value;
    const std::string_view name = takeWord(rest);
    skipSpaces(rest);
    const size_t point = std::min(rest.find_first_not_of("0123456789"), rest.size());
    return point > 0 && rest.substr(point).starts_with('.')
        && m_cache.find(name).kind == NameMeaning::Metric;
}

/// "Operation: Matrix Addition", "Kernel: naive"
bool VariantTitles::takeNamed(std::string_view text)
{
    constexpr size_t mostNamed = 3;
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return false;
    const std::string_view name = trimmed(text.substr(0, colon));
    const std::string_view value = trimmed(text.substr(colon + 1));
    if (value.empty() || !isLetter(value[0]) || !m_cache.names().isVariant(name) || isResult(value))
        return false;
    const auto known = std::find_if(
        m_named.begin(), m_named.end(), [name](const auto& one) { return one.first == name; });
    if (known != m_named.end())
        m_named.erase(known, m_named.end()); // others may have been of this one
    if (m_named.size() < mostNamed)
        m_named.emplace_back(name, labelText(value));
    return true;
}

/// "Tiled:"
bool VariantTitles::isShortTitle(std::string_view text) const
{
    if (!text.ends_with(':') || std::any_of(text.begin(), text.end(), isDigit))
        return false;
    text = trimmed(text.substr(0, text.size() - 1));
    return text.find(':') == std::string_view::npos && table::hasWord(text) && !isSummary(text)
        && m_cache.find(text).kind == NameMeaning::Unknown;
}

/// "=== CPU ===" → "CPU", "Running on GPU..." → "GPU", "Device: cuda" → "cuda": what a line of a
/// few words says, one of which names a device or a way to compute; empty: it is none.
std::string VariantTitles::titleOf(std::string_view text) const
{
    constexpr size_t mostWords = 6;
    if (std::any_of(text.begin(), text.end(), isDigit))
        return {};
    text = withoutFrame(text);
    if (const size_t colon = text.find(": "); colon != std::string_view::npos) {
        if (!text.substr(0, colon).ends_with("evice"))
            return {}; // "GPU available: True"
        text = trimmed(text.substr(colon + 1));
    }
    std::string title;
    bool isNamed = false;
    size_t count = 0;
    for (; !text.empty(); skipSpaces(text)) {
        const std::string_view word = takeWord(text);
        if (++count > mostWords || !isTitleWord(word) || isOneOf(word, others))
            return {};
        isNamed = isNamed || namesImplementation(word, m_cache.names());
        if (!isOneOf(word, fillers))
            title.append(title.empty() ? "" : " ").append(word);
    }
    return isNamed ? title : std::string();
}

VariantTitles::Taken VariantTitles::keep(const QString& title, bool isWithin, qint64 line)
{
    if (isWithin && (m_title.isEmpty() || !m_below.isEmpty())) {
        m_below = title;
        return Taken::Variant;
    }
    m_title = title;
    m_end = line + linesOfTitle;
    return Taken::Title;
}

VariantTitles::Taken VariantTitles::take(std::string_view text, bool isWithin, qint64 line)
{
    if (text.size() > longestTitle)
        return Taken::None;
    if (isWithin && isShortTitle(text))
        return keep(labelText(trimmed(text.substr(0, text.size() - 1))), isWithin, line);
    if (takeNamed(text))
        return Taken::Variant;
    const std::string title = titleOf(text);
    return title.empty() ? Taken::None : keep(labelText(title), isWithin, line);
}

void VariantTitles::beginSize()
{
    m_below.clear();
}

void VariantTitles::goOn(qint64 line)
{
    if (line <= m_end)
        m_end = line + linesOfTitle;
}

QString VariantTitles::lane(qint64 line) const
{
    QString lane = line <= m_end ? m_title : QString();
    for (const auto& [name, value] : m_named)
        addToLane(lane, value);
    addToLane(lane, m_below);
    return lane;
}

} // namespace slipway
