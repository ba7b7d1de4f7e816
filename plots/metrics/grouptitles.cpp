// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/grouptitles.h"

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/metricnames.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace slipway {

namespace {

constexpr ByteSet frames("=-*#~_+<>|[] \t");

bool isWordy(char c)
{
    return isOfKind(c, bytekind::letter | bytekind::digit | bytekind::beyond);
}

bool hasWords(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), isWordy);
}

/// Removes from both ends what frames a title. Whether there was more than a space.
bool takeFrame(std::string_view& text)
{
    const size_t begin = std::min(frames.firstNotIn(text), text.size());
    const size_t end = frames.lastNotIn(text);
    const std::string_view before = text.substr(0, begin);
    text = end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
    return before.find_first_not_of(" \t") != std::string_view::npos;
}

/// "2", "2/5", "3:"
bool isNumber(std::string_view word)
{
    constexpr std::string_view marks = ":.-)/";
    while (!word.empty() && marks.find(word.back()) != std::string_view::npos)
        word.remove_suffix(1);
    if (!takeWholeCount(word))
        return false;
    return word.empty() || (skip(word, "/") && wholeCount(word));
}

/// "Task 3: Filter sizes", "Fold 2/5", "Exp 1 - n=10000", "Training with seed 7"
bool isNumbered(std::string_view first, std::string_view second, std::string_view last)
{
    return !first.empty() && std::all_of(first.begin(), first.end(), isLetter)
        && (isNumber(second) || isNumber(last));
}

/// "== Run your program": a stage of the job script, which is above all that follows.
bool isStage(std::string_view text)
{
    return text.starts_with("== ") && !text.ends_with('=');
}

/// "Elapsed time for work = 1.61 s", of which a recogniser may not know yet whether it is one.
bool mayBeResult(std::string_view text)
{
    const size_t at = std::min(text.find(" = "), text.find(": "));
    const size_t point = text.find('.', std::min(at, text.size()));
    return point != std::string_view::npos && point + 1 < text.size() && isDigit(text[point - 1])
        && isDigit(text[point + 1]);
}

/// "fs" of "fs=3": by what it begins with, a title is of the same level as another.
std::string_view kindOf(std::string_view title)
{
    const auto isNoLetter = [](char c) { return !isLetter(c); };
    const auto end = std::find_if(title.begin(), title.end(), isNoLetter);
    const auto length = size_t(end - title.begin());
    return length > 0 || title.empty() ? title.substr(0, length)
        : isDigit(title.front())       ? std::string_view("0")
                                       : title.substr(0, 1);
}

/// "64", "numpy", "gt:gpu": a value without a name.
bool isBare(std::string_view title)
{
    return title.find_first_of(" =") == std::string_view::npos;
}

} // namespace

GroupTitle groupTitle(std::string_view line)
{
    constexpr size_t longestTitle = 48, mostWords = 6;
    std::string_view text = peelPrefix(line).text;
    const bool framed = takeFrame(text);
    const bool announces = text.ends_with(':');
    if (announces)
        text.remove_suffix(1);
    text = trimmed(text);
    if (text.empty() || text.size() > longestTitle || text.ends_with("..") || text.ends_with('!'))
        return {};
    const bool isInColumns = text.find("  ") != std::string_view::npos // a heading
        || text.find('\t') != std::string_view::npos || text.find('|') != std::string_view::npos;
    if (isInColumns)
        return {};
    const MetricNames& names = MetricNames::builtIn();
    std::array<std::string_view, mostWords> words;
    size_t count = 0;
    for (std::string_view rest = text; !rest.empty(); skipSpaces(rest)) {
        const std::string_view word = takeWord(rest);
        const bool isTime = word.find(':') != std::string_view::npos && isTimeStamp(word);
        if (count == mostWords || isTime || names.isReport(word))
            return {};
        words[count++] = word;
    }
    const bool isCutOff = text.ends_with(']') && text.find('[') == std::string_view::npos;
    const bool isFraction = count == 1 && text.find('.') != std::string_view::npos
        && wholeNumber(text); // a part of what is printed over several lines
    if (isCutOff || isFraction)
        return {};
    const bool isPair = text.find('=') != std::string_view::npos;
    constexpr size_t fewWords = 4; // a sentence ends with a number as well
    const bool numbered =
        count > 1 && isNumbered(words[0], words[1], words[count <= fewWords ? count - 1 : 1]);
    const bool isWord = count == 1 && text.find(',') == std::string_view::npos // "name,12"
        && !text.ends_with('.');
    const bool starts =
        startsWithIgnoringCase(text, "start") || startsWithIgnoringCase(text, "begin");
    if (numbered || (!starts && (isWord || isPair || framed || announces)))
        return {text, numbered};
    return {};
}

TitleForm GroupTitles::formOf(std::string_view line)
{
    using Kind = TitleForm::Kind;
    std::string_view text = line;
    const bool framed = line.size() > longest && takeFrame(text);
    if (text.size() > longest)
        return {Kind::Long};
    if (!hasWords(text) || isStage(text)) // blank, or a rule
        return {Kind::None};
    const bool isFramed = text.size() > 4 && text.starts_with("==") && text.ends_with("==");
    if (!isFramed && mayBeResult(text))
        return {Kind::Result};
    return {Kind::Title, framed, static_cast<size_t>(text.data() - line.data()), text.size()};
}

TitleForm GroupTitles::readFormOf(std::string_view line)
{
    TitleForm form = formOf(line);
    if (form.kind != TitleForm::Kind::Title || std::any_of(line.begin(), line.end(), isDigit))
        return form;
    Kept kept;
    kept.set(line, form);
    const GroupTitle title = kept.title();
    form.isRead = true;
    form.isNumbered = title.isNumbered;
    form.titleSize = title.text.size();
    form.titleBegin =
        title.text.empty() ? 0 : static_cast<size_t>(title.text.data() - kept.text.data());
    return form;
}

void GroupTitles::Kept::set(std::string_view line, const TitleForm& ofLine)
{
    form = ofLine;
    text.assign(form.isFramed ? "=" : "").append(line.substr(form.begin, form.size));
}

GroupTitle GroupTitles::Kept::title() const
{
    if (!form.isRead)
        return groupTitle(text);
    return {std::string_view(text).substr(form.titleBegin, form.titleSize), form.isNumbered};
}

void GroupTitles::keep(std::string_view line, TitleForm form, qint64 number)
{
    using Kind = TitleForm::Kind;
    if (form.kind == Kind::Unknown)
        form = formOf(line);
    if (form.kind == Kind::None)
        return;
    if (form.kind == Kind::Result) {
        m_hasResults = true;
        return;
    }
    if (m_count == 0) {
        m_keptAt = number;
        m_keptCount = 0;
        m_hasResults = false;
    }
    ++m_count;
    if (form.kind == Kind::Long)
        return;
    const size_t at =
        m_keptCount < mostTitles ? m_keptCount : mostTitles + m_keptCount % mostLevels;
    m_kept[at].set(line, form);
    ++m_keptCount;
}

size_t GroupTitles::readTitles(std::array<GroupTitle, mostTitles>& titles) const
{
    const bool isAmongOthers = m_count > mostTitles;
    size_t count = 0;
    const auto take = [&](size_t at, bool onlyNumbered) {
        titles[count] = m_kept[at].title();
        const bool isAgain = std::any_of(titles.begin(), titles.begin() + count,
            [&](const GroupTitle& title) { return title.text == titles[count].text; });
        if (!titles[count].text.empty() && !isAgain && (!onlyNumbered || titles[count].isNumbered))
            ++count;
    };
    for (size_t i = 0; i < std::min(m_keptCount, mostTitles); ++i)
        take(i, isAmongOthers);
    if (!isAmongOthers || count > 0)
        return count;
    for (size_t i = m_keptCount - std::min(m_keptCount, mostLevels); i < m_keptCount; ++i)
        take(i < mostTitles ? i : mostTitles + i % mostLevels, false);
    return count;
}

/// A single title is of the level on which another like it was. A bare one may be another of the
/// inner level: "weak" behind "1024".
void GroupTitles::makeRoomFor(std::string_view title)
{
    const auto like = std::find_if(m_levels.begin(), m_levels.end(),
        [kind = kindOf(title)](const std::string& level) { return kindOf(level) == kind; });
    if (like != m_levels.end())
        m_levels.erase(like, m_levels.end());
    else if (!m_levels.empty() && isBare(title) && isBare(m_levels.back()))
        m_levels.pop_back();
    else
        m_levels.clear();
}

void GroupTitles::beginGroup()
{
    std::array<GroupTitle, mostTitles> titles;
    const size_t count = readTitles(titles);
    if (count == 1)
        makeRoomFor(titles[0].text);
    else if (count > 1 || m_count > mostTitles)
        m_levels.clear(); // among so many lines none is known to be one
    for (size_t i = count > mostLevels ? count - mostLevels : 0; i < count; ++i)
        m_levels.emplace_back(titles[i].text);
    if (count > 0)
        m_counts = titles[count - 1].isNumbered;
    m_count = 0;
    QString group;
    for (const std::string& level : m_levels) {
        group += group.isEmpty() ? QString() : QStringLiteral(", ");
        group += QString::fromUtf8(level.data(), qsizetype(level.size()));
    }
    if (group != m_group) {
        m_before = std::exchange(m_group, group);
        m_begin = m_keptAt;
    }
}

} // namespace slipway
