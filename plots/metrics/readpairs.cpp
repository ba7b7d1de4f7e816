// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/readpairs.h"

#include "plots/metrics/linecursor.h"
#include "plots/metrics/namelist.h"
#include "plots/metrics/namewords.h"
#include "plots/metrics/placereader.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/valuereader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slipway {

namespace {

/// LineReader walks through one line; see readPairs().
class LineReader {
public:
    LineReader(std::string_view text, const MetricNames& names, LinePairs& out)
        : m_line(text, names, out)
        , m_places(m_line)
        , m_values(m_line)
    {
    }

    void read()
    {
        while (!m_line.rest.empty()) {
            const char c = m_line.rest[0];
            if (startsName(c) || c == '\'' || c == '"' || (c == '|' && behindNorm(m_line.rest) > 0)
                || (c == '(' && behindExpression(m_line.rest) > 0)
                || (c == '<' && behindProduct(m_line.rest) > 0))
                readName();
            else if (isDigit(c) && skipOrdinalOfPercentile())
                readName();
            else if (isDigit(c) || c == '+' || (c == '-' && !isDash()))
                readNumber();
            else if (c == '[')
                m_places.readBracket();
            else if (c != '(' || !(skipSet() || skipRemark())) {
                if (c == ']')
                    m_line.group = {};
                if (c == '.' && m_line.out.count == 0 && m_line.rest.starts_with(". "))
                    m_line.out.strayWords = std::min(m_line.out.strayWords, 1); // a sentence before
                m_line.rest.remove_prefix(1);
            }
        }
        nameApart();
        placeByFirstNumber();
        assignListed();
        leadWithCondition();
    }

private:
    /// "r (abs) = 0.5 (tol = 1e-6) r (rel) = 0.1": what stands in parentheses tells two from each
    /// other.
    void nameApart()
    {
        const auto end = m_line.out.pairs.begin() + static_cast<std::ptrdiff_t>(m_line.out.count);
        for (auto pair = m_line.out.pairs.begin(); pair != end; ++pair) {
            if (pair->qualified.empty())
                continue;
            const std::string_view name = pair->name;
            for (auto other = pair + 1; other != end; ++other) {
                if (other->name != name || other->qualified.empty())
                    continue;
                other->name = other->qualified;
                pair->name = pair->qualified;
            }
        }
    }

    /// "time: 0.0057 for token_len: 16": under which condition that was measured, as where it
    /// stands in front.
    void leadWithCondition()
    {
        LinePairs& out = m_line.out;
        constexpr size_t fewPairs = 3;
        if (out.count < 2 || out.count > fewPairs || out.placeCount != out.count)
            return;
        LinePair condition = out.pairs[out.count - 1];
        const bool isCount = condition.assigned && !condition.isFraction && condition.total == 0
            && !condition.unit && condition.value >= 0;
        if (!isCount || !(skip(condition.name, "for ") || skip(condition.name, "with ")))
            return;
        std::move_backward(out.pairs.begin(), out.pairs.begin() + long(out.count) - 1,
            out.pairs.begin() + long(out.count));
        out.pairs[0] = condition;
        out.isLearnable = false;
    }

    /// "The dist entropy 3.62, the value loss 0.92, the action loss 1.25": fractions behind their
    /// names, and nothing else.
    void assignListed()
    {
        constexpr size_t fewListed = 3;
        const auto isListed = [](const LinePair& pair) {
            return !pair.assigned && !pair.isBehind && pair.isFraction && pair.total == 0
                && !pair.name.empty();
        };
        const auto end = m_line.out.pairs.begin() + static_cast<std::ptrdiff_t>(m_line.out.count);
        const bool isNumbered = m_leading > 1 && m_line.out.strayWords == m_leading && m_first >= 0
            && m_line.out.position.done < 0;
        if (m_line.out.count < fewListed || (m_line.out.strayWords > 0 && !isNumbered)
            || !std::all_of(m_line.out.pairs.begin(), end, isListed))
            return;
        for (auto pair = m_line.out.pairs.begin(); pair != end; ++pair)
            pair->assigned = true;
        if (!isNumbered)
            return;
        m_line.out.strayWords = 0; // "288,  1.000,  0, En 7.5935E+01, CFL  0.00123, SL -7.9976E+01"
        m_line.standAt(m_first, m_firstPlace);
    }

    /// "   1 F= -.371E+02 E0= -.371E+02": a number before nothing but names with theirs counts the
    /// lines. One name is not enough: code that is printed with its line numbers looks like it.
    void placeByFirstNumber()
    {
        if (m_first < 0 || m_line.out.count == 0 || m_line.out.strayWords != 1
            || m_line.out.position.done >= 0)
            return;
        bool allAssigned = true;
        for (size_t i = 0; i < m_line.out.count; ++i)
            allAssigned = allAssigned && (m_line.out.pairs[i].assigned || m_line.out.pairs[i].unit);
        m_line.out.isMonitor = m_firstLeads == Lead::Space && isMonitored(m_line.out.pairs[0]);
        m_line.out.isLearnable = m_line.out.isLearnable && m_line.out.pairs[0].assigned;
        const bool counts =
            m_firstLeads == Lead::Piped || (m_firstLeads != Lead::None && allAssigned);
        if (!m_line.out.isMonitor && (!counts || m_line.out.count < 2))
            return;
        m_line.out.strayWords = 0;
        m_line.standAt(m_first, m_firstPlace);
    }

    /// "  3 KSP Residual norm 2.4e-02": what a solver prints in each iteration. A fraction behind
    /// several words, for code that is printed with its line numbers looks like one word.
    static bool isMonitored(const LinePair& pair)
    {
        if (pair.total > 0 || pair.name.find(' ') == std::string_view::npos)
            return false;
        if (pair.assigned)
            return pair.name.ends_with('|') && pair.isFraction; // "  3 Nonlinear |R| = 1.0e+00"
        return pair.value != std::floor(pair.value);
    }

    /// "Epoch[ 2 of 4]-Minibatch[  11-  20]": it parts two names.
    bool isDash() const
    {
        const std::string_view behind = m_line.rest.substr(1);
        return m_line.rest.data() > m_line.start && m_line.rest.data()[-1] == ']'
            && behind.size() > 1 && isLetter(behind[0]);
    }

    /// See NameList.
    bool readList()
    {
        NameList list;
        if (!list.take(m_line.rest, m_line.names))
            return false;
        if (!list.set.empty())
            m_line.section = list.set;
        for (size_t i = 0; i < list.count; ++i) {
            m_line.noteText(LinePairs::Place::Value, list.texts[i]);
            m_line.addNoted(list.pairs[i]);
        }
        m_line.out.isLearnable = m_line.out.isLearnable && !list.isShared();
        return true;
    }

    void readName()
    {
        if (readList())
            return;
        NameWords words;
        const char quote = m_line.rest[0] == '\'' || m_line.rest[0] == '"' ? m_line.rest[0] : '\0';
        if (quote) {
            const size_t close = m_line.rest.substr(0, 80).find(quote, 1);
            if (close == std::string_view::npos) {
                m_line.rest.remove_prefix(1);
                return;
            }
            words.text = words.last = m_line.rest.substr(1, close - 1);
            words.count = 1;
            m_line.rest.remove_prefix(close + 1);
        } else {
            words = takeNameWords(m_line.rest, m_line.names);
            if (m_percentile)
                takePercentile(words);
            if (skipSaving(words))
                return;
            takeTop(words);
            dropVerb(words);
            skipUnitInBrackets(words);
            if (skipWindow(words))
                m_line.out.isLearnable = false;
            if (words.text.data() > m_line.start && words.text.data()[-1] == '{'
                && (m_line.rest.starts_with("}=") || m_line.rest.starts_with("}:")))
                m_line.rest.remove_prefix(1); // "{Test loss}=2.98"
            if (words.text.data() > m_line.start && words.text.data()[-1] == '('
                && (m_line.rest.starts_with("):") || m_line.rest.starts_with(")=")))
                m_line.rest.remove_prefix(1); // "(delta): 2641.34"
        }
        if (m_line.rest.starts_with("|=") && words.text.data() > m_line.start
            && words.text.data()[-1] == '|')
            m_line.rest.remove_prefix(1); // "|g|= 0.3"
        if (m_line.rest.starts_with("#:"))
            m_line.rest.remove_prefix(1); // "step#: 115"
        skipSpaces(m_line.rest);
        const bool below = m_line.rest.starts_with("< ");
        const bool led = skipLeaders();
        const bool assigned = led || below || skipArrow() || skip(m_line.rest, ":")
            || skip(m_line.rest, "=") || (quote ? skipComma(words) : skipSymbolComma(words))
            || skipSeparator() || (!quote && skipNameComma(words))
            || (quote && skip(m_line.rest, "reached ")); // "'val_wer' reached 0.5 (best 0.5)"
        if (below)
            m_line.rest.remove_prefix(1);
        skipSpaces(m_line.rest);
        if (!assigned)
            dropCompany(words);
        const bool isLed = (assigned && startsWithIgnoringCase(words.text, "after "))
            || startsWithIgnoringCase(words.text, "running ");
        if (words.count == 2 && isLed
            && m_line.names.meaning(words.last).kind == NameMeaning::Counter)
            words.text = words.last; // "after cycle=5", "Running generation 5"
        if (assigned && !quote && skipNamedByValue(words))
            return;
        if (!assigned && (skipIndex(words) || m_values.readMean(words)))
            return;
        skip(m_line.rest, "#");
        skipSpaces(m_line.rest);
        if (assigned)
            m_values.skipMark();
        const std::string_view from = m_line.rest;
        if (assigned && m_values.skipClock()) {
            m_line.note(LinePairs::Place::Clock, from);
            return;
        }
        if (assigned && m_places.readOrdinalOf(words.text))
            return;
        if (assigned && (m_values.readVector(words.text) || m_values.readComponents(words.text)))
            return;
        LinePair pair{words.text};
        pair.assigned = assigned;
        pair.isQuoted = quote != '\0';
        pair.qualified = words.qualified;
        if (!(assigned && m_values.takePower(pair))
            && !takeValue(m_line.rest, m_line.names, pair)) {
            if (assigned && m_values.skipSettings(words.last))
                m_line.out.isLearnable = false;
            else if (assigned && quote && takeLabel())
                m_line.out.isLearnable = false;
            else if (assigned && m_line.out.count == 0)
                m_line.out.subject = words.text;
            else if (assigned && m_line.isSet(words.last)) // "[Epoch 6] validation: accuracy=0.9"
                m_line.section = words.last;
            else if (words.unit && words.unit->unit == QLatin1String("s")
                && m_line.rest.starts_with(
                    "| ")) // "time (ms) | forward: 653.17 | backward: 2163.84"
                m_times = words.unit;
            else if (opensGroup(words) || (assigned && leadsBracket(words)))
                m_line.group = words.text;
            else if (opensSection(words))
                m_line.section = words.text;
            else if (m_line.rest.starts_with(',')
                && words.text.find(" for ") != std::string_view::npos)
                m_line.out.about = words.last;
            else
                m_line.out.strayWords += words.count;
            return;
        }
        if (assigned && m_values.splitQuotient(pair, from))
            return;
        m_values.takeUnitAtEnd(pair);
        m_line.note(LinePairs::Place::Value, from);
        pair.isFraction = isFraction(m_line.readFrom(from));
        if (assigned)
            m_values.leaveLimit(pair, from);
        m_values.takeLetterBehind(pair);
        if (!assigned)
            dropPreposition(pair);
        readChange(pair);
        pair.assigned = assigned || (pair.isFraction && isInCell(words.text));
        if (skipCountedNoun() || m_places.countsSteps(pair) || m_places.readAtPlace(pair, from)
            || m_places.readPlaceBehind(pair, words.last) || m_places.readDuration(pair, words)
            || m_places.readBehindCount(pair))
            return;
        if (assigned && m_line.out.count == 0)
            takeIterations(pair);
        if (!assigned && readSolverIterations(pair))
            return;
        if (readValueOfPlace(pair, words))
            return;
        if (!pair.unit)
            pair.unit = words.unit;
        // "epoch 1 is 752.9 sec, avg 87.0 samples/sec": the rate has no other name.
        if (pair.unit && pair.unit->quantity && isMean(words.text))
            pair.name = {};
        pair.isStated = words.isStated && m_line.out.count == 0 && m_line.rest.empty();
        pair.isTimed = !pair.unit && m_times;
        if (pair.isTimed)
            pair.unit = m_times;
        const std::optional<LinePair> second = secondOf(pair, words);
        pair.hasMean = pair.hasMean && !second;
        m_line.addNoted(pair);
        if (second) {
            m_line.addNoted(*second);
            m_line.out.isLearnable = false;
        }
        m_values.skipMeanInColumns(pair);
        m_values.skipOtherUnit(pair);
    }

    /// "epoch 0, batch 3: 5.0646": one number is measured there, and nothing says what it is.
    bool readValueOfPlace(const LinePair& place, const NameWords& words)
    {
        static constexpr std::string_view name = "value";
        std::string_view at = m_line.rest;
        if (place.assigned || place.isFraction || place.total > 0 || place.unit || !skip(at, ": "))
            return false;
        const std::string_view number = at.substr(0, at.find(" (")); // of what, stands behind it
        if (!isFraction(number) || !wholeNumber(trimmed(number))
            || m_line.names.meaning(words.text).kind != NameMeaning::Counter)
            return false;
        m_line.addNoted(place);
        const std::string_view from = at;
        LinePair value{name, *wholeNumber(trimmed(number))};
        value.assigned = value.isFraction = true;
        m_line.rest = at.substr(number.size());
        m_line.note(LinePairs::Place::Value, from);
        m_line.addNoted(value);
        m_line.out.isLearnable = false;
        return true;
    }

    /// "Val loss (acc): 0.51 (91.0)": what is in parentheses is another measurement, if its name
    /// is.
    std::optional<LinePair> secondOf(const LinePair& pair, const NameWords& words) const
    {
        const size_t open = words.qualified.find('(');
        if (!pair.hasMean || open == std::string_view::npos || !words.qualified.ends_with(')'))
            return {};
        LinePair second = pair;
        second.name = words.qualified.substr(open + 1, words.qualified.size() - open - 2);
        const NameMeaning meaning = m_line.names.meaning(second.name);
        if (meaning.kind != NameMeaning::Metric || isMean(second.name))
            return {};
        second.value = pair.mean;
        second.hasMean = false;
        second.qualified = {};
        second.unit = nullptr;
        const size_t last = words.text.rfind(' ');
        if (last != std::string_view::npos)
            second.group = words.text.substr(0, last);
        return second;
    }

    static bool isMean(std::string_view name)
    {
        return equalsIgnoringCase(name, "avg") || equalsIgnoringCase(name, "average")
            || equalsIgnoringCase(name, "mean");
    }

    /// "n=10000000 arg=true: 62710590.4": a number behind a setting, which does not name it.
    bool skipNamedByValue(const NameWords& words)
    {
        LinePair number;
        const bool isValue =
            words.count == 1 && words.text.data() > m_line.start && words.text.data()[-1] == '=';
        if (!isValue || !takeValue(m_line.rest, m_line.names, number))
            return false;
        m_line.out.isLearnable = false;
        m_line.out.strayWords += words.count + 1;
        return true;
    }

    /// "Train net output #0: accuracy = 0.5": which of several, and no measurement.
    bool skipIndex(const NameWords& words)
    {
        std::string_view at = m_line.rest;
        if (!skip(at, "#") || !takeWholeCount(at) || !skip(at, ": ")
            || m_line.names.meaning(words.text).kind == NameMeaning::Counter) // "Epoch #1: …"
            return false;
        if (m_line.out.count == 0)
            m_line.out.subject = words.text;
        m_line.rest = at;
        return true;
    }

    /// "95th percentile: 0.07 ms": up to the word that the number belongs to.
    bool skipOrdinalOfPercentile()
    {
        std::string_view at = m_line.rest;
        while (!at.empty() && (isDigit(at[0]) || at[0] == '.'))
            at.remove_prefix(1);
        const bool isOrdinal =
            skip(at, "th") || skip(at, "st") || skip(at, "nd") || skip(at, "rd") || skip(at, "%");
        if (!isOrdinal)
            return false;
        skip(at, "-");
        skipSpaces(at);
        if (!startsWithIgnoringCase(at, "percentile"))
            return false;
        m_percentile = m_line.rest.data();
        m_line.rest = at;
        m_line.out.isLearnable = false; // the name has digits
        return true;
    }

    void takePercentile(NameWords& words)
    {
        const char* const begin = std::exchange(m_percentile, nullptr);
        words.text = {begin, size_t(words.text.data() + words.text.size() - begin)};
    }

    /// "…, saving model to 'epoch=3.ckpt' as top 3": what a program does behind what it measured.
    bool skipSaving(const NameWords& words)
    {
        const bool isSaving = m_line.out.count > 0
            && (startsWithIgnoringCase(words.text, "saving model")
                || startsWithIgnoringCase(words.text, "saving checkpoint"));
        if (!isSaving)
            return false;
        m_line.out.isLearnable =
            m_line.out.isLearnable && std::none_of(m_line.rest.begin(), m_line.rest.end(), isDigit);
        m_line.rest = {};
        return true;
    }

    /// "top 1 acc: 0.0354": the number belongs to the name.
    void takeTop(NameWords& words)
    {
        std::string_view rest = m_line.rest;
        skipSpaces(rest);
        if (!equalsIgnoringCase(words.text, "top") || !takeWholeCount(rest) || !skip(rest, " ")
            || !startsWithIgnoringCase(rest, "acc"))
            return;
        const std::string_view last = rest.substr(0, rest.find_first_of(" :="));
        m_line.rest = rest.substr(last.size());
        const auto size = static_cast<size_t>(m_line.rest.data() - words.text.data());
        words.text = std::string_view(words.text.data(), size);
        words.last = last;
        words.count = 3;
    }

    /// "the cost is  -81.2": article and verb are no part of the name.
    static void dropVerb(NameWords& words)
    {
        if (words.count > 1 && startsWithIgnoringCase(words.text, "the ")) {
            words.text.remove_prefix(4);
            --words.count;
        }
        for (const std::string_view verb : {" is", " are", " was"}) {
            if (words.count > 1 && words.text.ends_with(verb)) {
                words.text.remove_suffix(verb.size());
                words.last = words.text.substr(words.text.rfind(' ') + 1);
                --words.count;
                words.isStated = true;
            }
        }
    }

    /// "23 timesteps with total reward 3.5": what stands in front is of another number.
    static void dropCompany(NameWords& words)
    {
        static constexpr std::string_view between = " with ";
        const size_t at = words.text.find(between);
        if (at == std::string_view::npos)
            return;
        words.text.remove_prefix(at + between.size());
        words.count = 1 + static_cast<int>(std::count(words.text.begin(), words.text.end(), ' '));
    }

    /// "accuracy of 0.53": what is measured, without the word behind it.
    void dropPreposition(LinePair& pair) const
    {
        static constexpr std::string_view word = " of";
        if (!pair.name.ends_with(word) || !(pair.isFraction || pair.unit))
            return;
        const std::string_view name = pair.name.substr(0, pair.name.size() - word.size());
        if (m_line.names.meaning(name).kind == NameMeaning::Metric)
            pair.name = name;
    }

    /// "score improved from 0.5 to 0.6": what it is now.
    void readChange(LinePair& pair)
    {
        static constexpr std::string_view words[] = {
            " improved from", " decreased from", " increased from", " reduced from"};
        const auto* const found = std::find_if(std::begin(words), std::end(words),
            [&pair](std::string_view word) { return pair.name.ends_with(word); });
        std::string_view at = m_line.rest;
        LinePair next;
        if (found == std::end(words) || !skip(at, " to ") || !takeValue(at, m_line.names, next))
            return;
        pair.name.remove_suffix(found->size());
        pair.value = next.value;
        pair.unit = next.unit;
        m_line.rest = at;
        m_line.out.isLearnable = false;
    }

    /// "Potential energy [hartree]      -0.17E+02": set in columns.
    void skipUnitInBrackets(NameWords& words)
    {
        constexpr size_t longestInside = 16;
        std::string_view at = m_line.rest;
        skipSpaces(at);
        const size_t close = at.starts_with('[') ? at.substr(0, longestInside).find(']') : 0;
        if (close < 2 || close == std::string_view::npos || !isLetter(at[1])
            || at.substr(0, close).find_first_of(" =:,") != std::string_view::npos)
            return;
        const std::string_view behind = at.substr(close + 1);
        const size_t value = behind.find_first_not_of(' ');
        if (value == std::string_view::npos)
            return;
        const MetricUnit* const unit = m_line.names.unit(at.substr(1, close - 1));
        const bool isSigned = unit && value > 0
            && (behind[value] == '=' || behind[value] == ':'); // "TEMPERATURE [K]   =  300.5"
        if (!isSigned && (value < 2 || !(isDigit(behind[value]) || behind[value] == '-')))
            return;
        if (!words.unit)
            words.unit = unit;
        m_line.rest = behind;
    }

    /// "(epoch 3)" behind what was measured then.
    bool countsIn(std::string_view inside) const
    {
        const size_t space = inside.find(' ');
        return space != std::string_view::npos && wholeCount(inside.substr(space + 1))
            && m_line.names.meaning(inside.substr(0, space)).kind == NameMeaning::Counter;
    }

    /// "(val) loss: 0.3": what the rest of the line is about.
    bool skipSet()
    {
        const size_t close = m_line.rest.substr(0, 16).find(')');
        if (m_line.out.count > 0 || close == std::string_view::npos
            || !m_line.isSet(m_line.rest.substr(1, close - 1)))
            return false;
        m_line.section = m_line.rest.substr(1, close - 1);
        m_line.isForeign = false;
        m_line.rest.remove_prefix(close + 1);
        return true;
    }

    /// "12.34 (no gain for 0 iter)": a remark without names or measurements at the end of a line.
    bool skipRemark()
    {
        const size_t end = behindParenthesis(m_line.rest);
        if (m_line.out.count == 0 || end == std::string_view::npos
            || !trimmed(m_line.rest.substr(end)).empty() || m_line.rest.size() < 2
            || !isLetter(m_line.rest[1])
            || m_line.rest.substr(0, end).find_first_of("=:.") != std::string_view::npos
            || countsIn(m_line.rest.substr(1, end - 2)))
            return false;
        m_line.out.isLearnable = m_line.out.isLearnable
            && std::none_of(m_line.rest.begin(), m_line.rest.begin() + end, isDigit);
        m_line.rest = {};
        return true;
    }

    /// "('average_q', 0.03)", "('Episode #', 0, '\\tfinished with reward', -90.5)": a tuple as
    /// Python prints it, with what stands around a name in it.
    bool skipComma(NameWords& words)
    {
        const char* const name = words.text.data();
        const bool isFirst = name > m_line.start + 1 && name[-2] == '(';
        const bool isFurther =
            m_line.start[0] == '(' && name > m_line.start + 2 && name[-2] == ' ' && name[-3] == ',';
        if ((!isFirst && !isFurther) || !skip(m_line.rest, ","))
            return false;
        skip(words.text, "\\t");
        words.text = trimmed(words.text);
        while (!words.text.empty()
            && std::string_view("#:= ").find(words.text.back()) != std::string_view::npos)
            words.text.remove_suffix(1);
        dropCompany(words);
        words.last = words.text;
        return true;
    }

    /// "step 10, loss_train, 0.838": a comma, where the name is known and what follows is a
    /// fraction. It is none where a number stands directly in front: "0.9 loss, 0.1 accuracy".
    bool skipNameComma(const NameWords& words)
    {
        std::string_view at = m_line.rest;
        const char* before = words.text.data();
        while (before > m_line.start && isSpace(before[-1]))
            --before;
        if (before == m_line.start || isDigit(before[-1]) || !skip(at, ", ") || !isFraction(at)
            || m_line.names.meaning(words.text).kind != NameMeaning::Metric)
            return false;
        std::string_view behind = at;
        if (!takeNumber(behind) || (!behind.empty() && behind[0] != ','))
            return false;
        m_line.rest = at;
        return true;
    }

    /// "(:epoch, 0, :trn, 0.7053912f0, :tst, 0.7054187f0)": Julia's symbols before their values.
    bool skipSymbolComma(NameWords& words)
    {
        const char* const name = words.text.data();
        const bool isSymbol =
            name > m_line.start + 1 && name[-1] == ':' && (name[-2] == '(' || name[-2] == ' ');
        if (!isSymbol || !skip(m_line.rest, ", "))
            return false;
        if (words.text == "tst")
            words.text = words.last = "test";
        return true;
    }

    /// "Avg return in last 50 episodes: -188.62": how many of the last are meant is no value, and
    /// does not belong to the name.
    bool skipWindow(NameWords& words)
    {
        std::string_view name = words.text;
        const bool isSet = name.ends_with(" on the") || name.ends_with(" of the")
            || name.ends_with(" over the"); // "Accuracy of the model on the 10000 test images: 95"
        if (name.ends_with(" last") || name.ends_with(" past"))
            name.remove_suffix(5);
        else if (!isSet)
            return false;
        std::string_view at = m_line.rest;
        skipSpaces(at);
        if (!takeWholeCount(at) || !skip(at, " "))
            return false;
        constexpr size_t longestNoun = 24;
        size_t end = 0;
        while (end < at.size() && end < longestNoun
            && (isLetter(at[end]) || (isSet && at[end] == ' ')))
            ++end;
        at.remove_prefix(end);
        if (end == 0 || !at.starts_with(':'))
            return false;
        for (const std::string_view word : {" the", " over", " on", " in", " of", " for"}) {
            if (name.ends_with(word))
                name.remove_suffix(word.size());
        }
        if (isSet)
            name = name.substr(0, name.find(" of the "));
        words.text = name;
        words.last = name.substr(name.rfind(' ') + 1);
        m_line.rest = at;
        return true;
    }

    /// "dice_loss - 0.35, iou_score - 0.56"; "CrossEntropy3d |  4.65" at the end of a line that
    /// counts.
    bool skipSeparator()
    {
        std::string_view at = m_line.rest;
        if (skip(at, "- ")) {
            if (at.empty() || !isDigit(at[0]))
                return false;
        } else if (m_line.out.count == 0 || !skip(at, "| ") || !wholeNumber(at)) {
            return false;
        }
        m_line.rest = at;
        return true;
    }

    /// "| mse 49.55 | mre 1.54 |": nothing but a name of one word and its fraction between two
    /// bars.
    bool isInCell(std::string_view name) const
    {
        const char* before = name.data();
        while (before > m_line.start && before[-1] == ' ')
            --before;
        if (before == m_line.start || before[-1] != '|' || m_line.out.count == 0
            || name.find(' ') != std::string_view::npos)
            return false;
        std::string_view behind = m_line.rest;
        skipSpaces(behind);
        return behind.empty() || behind[0] == '|';
    }

    /// "-2.5882  = Validation score   (-root_mean_squared_error)": nothing but a number and, behind
    /// the sign, its name.
    bool takeNameBehindSign(LinePair pair, std::string_view from)
    {
        constexpr size_t longest = 40;
        std::string_view name = m_line.rest;
        skipSpaces(name);
        if (m_line.out.count > 0 || m_line.out.strayWords > 0 || m_line.out.placeCount > 1
            || pair.total > 0 || name.data() == m_line.rest.data() || !skip(name, "= "))
            return false;
        const size_t open = name.find('(');
        if (open != std::string_view::npos && !trimmed(name).ends_with(')'))
            return false;
        name = trimmed(name.substr(0, open));
        const auto isPart = [](char c) { return isNamePart(c) || c == ' '; };
        if (name.empty() || name.size() > longest || !isLetter(name[0])
            || !std::all_of(name.begin(), name.end(), isPart))
            return false;
        pair.name = name;
        pair.assigned = true;
        pair.isFraction = isFraction(m_line.readFrom(from));
        m_line.rest = {};
        m_line.addNoted(pair);
        return true;
    }

    /// "5988 src tok/s; 6500 tgt tok/s": a word between a number and its unit tells two from each
    /// other.
    bool readNamedRate(LinePair pair)
    {
        constexpr size_t longestWord = 12;
        if (pair.unit || pair.total > 0 || !m_line.rest.starts_with(' '))
            return false;
        std::string_view at = m_line.rest.substr(1);
        size_t end = 0;
        while (end < at.size() && end <= longestWord && isLetter(at[end]))
            ++end;
        if (end == 0 || end > longestWord || end == at.size() || at[end] != ' ')
            return false;
        const std::string_view from = at;
        at.remove_prefix(end + 1);
        pair.unit = takeMetricUnit(at, m_line.names);
        if (!pair.unit || !pair.unit->quantity || pair.unit->unit.endsWith(u"B/s")
            || (!at.empty() && std::string_view(";,|)").find(at[0]) == std::string_view::npos))
            return false;
        pair.group = from.substr(0, end);
        pair.name = from.substr(end + 1, from.size() - at.size() - (end + 1));
        pair.assigned = true;
        m_line.rest = at;
        m_line.addNoted(pair);
        return true;
    }

    /// "Benchmark time: 8 CPUs 0.02 s/step": the number counts these.
    bool skipCountedNoun()
    {
        static constexpr std::string_view nouns[] = {
            " CPUs", " GPUs", " cores", " nodes", " ranks", " procs", " processes", " threads"};
        for (const std::string_view noun : nouns) {
            if (m_line.rest.starts_with(noun)
                && (m_line.rest.size() == noun.size() || !isNamePart(m_line.rest[noun.size()]))) {
                m_line.rest.remove_prefix(noun.size());
                return true;
            }
        }
        return false;
    }

    /// "loss[loss=0.3, ctc_loss=0.2]": the names in the brackets belong to the one before.
    bool opensGroup(const NameWords& words) const
    {
        if (words.count != 1 || m_line.rest.size() < 4)
            return false;
        if (m_line.rest.starts_with("{'"))
            return true; // "Losses {'ner': 172.9}"
        if (m_line.rest[0] != '[' || !isLetter(m_line.rest[1]))
            return false;
        const size_t equals = m_line.rest.substr(0, 64).find('=');
        return equals != std::string_view::npos
            && m_line.rest.substr(0, equals).find_first_of(" ]") == std::string_view::npos;
    }

    /// "[INSERT: Max=161791, Avg=426.72]" behind other measurements.
    bool leadsBracket(const NameWords& words) const
    {
        return words.count == 1 && m_line.out.count > 0 && words.text.data()[-1] == '['
            && !m_line.rest.empty() && isLetter(m_line.rest[0]);
    }

    /// "Train - Loss: 0.3", "train | loss 0.3", "valid >> loss 0.3", "epoch 0 training [loss: 0.3]"
    bool opensSection(const NameWords& words) const
    {
        if (m_line.rest.size() > 1 && m_line.rest[0] == '[' && isLetter(m_line.rest[1])
            && m_line.isSet(words.text))
            return true;
        const bool isProgram = m_line.out.count == 0 && m_line.rest.starts_with("| ")
            && words.text.data() == m_line.start
            && isUpper(words.text); // "GA | iter = 1 | Mean = -2.9"
        return words.count == 1 && (m_line.isSet(words.text) || isProgram)
            && (m_line.rest.starts_with("- ") || m_line.rest.starts_with("@ ")
                || m_line.rest.starts_with("| ") || m_line.rest.starts_with("> ")
                || m_line.rest.starts_with(">> ") || m_line.rest.starts_with("-> "));
    }

    static bool isUpper(std::string_view word)
    {
        return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    }

    /// Something stands before the number that parts it from the words further in front.
    bool isParted() const
    {
        const char* at = m_line.rest.data();
        while (at > m_line.start && isSpace(at[-1]))
            --at;
        if (at == m_line.start)
            return false;
        const char sign = *--at;
        if (sign == ':' || sign == '-') { // "epoch 1: 0.9 loss", "[1/5] - 0.9 loss"
            while (sign == '-' && at > m_line.start && (isSpace(at[-1]) || at[-1] == '-'))
                --at;
            return at > m_line.start && at + 1 < m_line.rest.data()
                && (isDigit(at[-1]) || at[-1] == ']' || (sign == '-' && m_isBehind));
        }
        return std::string_view(",|;(").find(sign) != std::string_view::npos;
    }

    /// "| 48.3% bf16 MFU |", ", 2.5 avg loss,": up to three words that something parts from what
    /// follows; of more words, the one that names a measurement: ", 24.3 perplexity estimate based
    /// on". `isUnsure`: only a name that is known counts. `isLast`: and only at the end of the
    /// line.
    bool takeNameBehind(LinePair& pair, std::string_view from, bool isUnsure, bool isLast)
    {
        constexpr int mostBehind = 3;
        if (m_line.rest.size() < 2 || m_line.rest[0] != ' ' || !isLetter(m_line.rest[1]))
            return false;
        std::string_view at = m_line.rest.substr(1);
        NameWords words = takeNameWords(at, m_line.names);
        static constexpr std::string_view conjunction = " and"; // "0.9 loss and 0.1 accuracy"
        if (words.count > 1 && words.text.ends_with(conjunction)) {
            words.text.remove_suffix(conjunction.size());
            --words.count;
        }
        skipSpaces(at);
        const bool ends = at.empty()
            || std::string_view(",|;)").find(at[0]) != std::string_view::npos || isBeforeName(at);
        if (words.unit || (isLast && !at.empty() && !isBeforeName(at)))
            return false;
        pair.name = words.text;
        if (!ends || words.count > mostBehind) {
            pair.name = words.text.substr(0, words.text.find(' '));
            if (!isMeasured(pair, from))
                return false;
            at = {};
        } else if (isUnsure && !isMeasured(pair, from)) {
            return false;
        }
        pair.isBehind = m_isBehind = true;
        pair.isFraction = isFraction(m_line.readFrom(from));
        m_line.rest = at;
        return true;
    }

    bool isBehindBracket(std::string_view from) const
    {
        const char* at = from.data();
        while (at > m_line.start && isSpace(at[-1]))
            --at;
        return at > m_line.start && at[-1] == ']';
    }

    bool isMeasured(const LinePair& pair, std::string_view from) const
    {
        return isFraction(m_line.readFrom(from))
            && m_line.names.meaning(pair.name).kind == NameMeaning::Metric;
    }

    /// "- 0.9 validation loss": another number before its name; without such a sign, nothing but a
    /// few numbers and the names behind them up to the end.
    bool isBeforeName(std::string_view text) const
    {
        constexpr int most = 8;
        const bool isParted = skip(text, "- ") || skip(text, "/ ");
        for (int names = 0; names < most; ++names) {
            if (!takeNumber(text) || !skip(text, " ") || text.empty() || !isLetter(text[0]))
                return false;
            if (isParted)
                return true;
            const NameWords words = takeNameWords(text, m_line.names);
            skipSpaces(text);
            if (m_line.names.meaning(words.text).kind != NameMeaning::Metric)
                return false;
            if (text.empty())
                return true;
        }
        return false;
    }

    /// "9 CG iterations for temperature.", "u-equation: 8 CG iterations.": a solver's, and of what.
    bool takeIterations(LinePair& pair)
    {
        constexpr int mostBehind = 3;
        if (pair.total > 0 || pair.unit || pair.value != std::floor(pair.value)
            || m_line.rest.size() < 2 || m_line.rest[0] != ' ' || !isLetter(m_line.rest[1]))
            return false;
        size_t end = 1;
        int words = 1;
        const auto isOfWord = [](char c) { return isLetter(c) || c == '-'; };
        for (; end < m_line.rest.size() && (isOfWord(m_line.rest[end]) || m_line.rest[end] == ' ');
             ++end) {
            if (m_line.rest[end] == ' ' && m_line.rest.substr(1, end - 1).ends_with("iterations"))
                break;
            words += m_line.rest[end] == ' ' ? 1 : 0;
        }
        const std::string_view name = m_line.rest.substr(1, end - 1);
        std::string_view behind = m_line.rest.substr(end), about = pair.name;
        if (words < 2 || words > mostBehind || !name.ends_with(" iterations"))
            return false;
        if (skip(behind, " for ")) {
            about = behind.substr(0, behind.find_first_of(".,"));
            behind.remove_prefix(about.size());
        }
        skip(behind, ".");
        if (!trimmed(behind).empty() || about.empty() || about.size() > 40)
            return false;
        m_line.out.about = about;
        pair.name = name;
        pair.assigned = true;
        m_line.rest = {};
        return true;
    }

    /// "solved in 6 Newton iterations and 38 linear iterations": those of each solver.
    bool readSolverIterations(LinePair pair)
    {
        static constexpr std::string_view counted = " iterations";
        bool isRead = false;
        for (;;) {
            std::string_view at = m_line.rest;
            if (pair.total > 0 || pair.unit || pair.isFraction || !skip(at, " "))
                return isRead;
            size_t end = 0;
            while (end < at.size() && isLetter(at[end]))
                ++end;
            if (end == 0 || !at.substr(end).starts_with(counted))
                return isRead;
            pair.name = at.substr(0, end + counted.size());
            pair.assigned = isRead = true;
            m_line.rest = at.substr(end + counted.size());
            m_line.addNoted(pair);
            at = m_line.rest;
            LinePair next;
            if (!skip(at, " and ") || !takeValue(at, m_line.names, next))
                return true;
            m_line.note(LinePairs::Place::Value, m_line.rest.substr(5));
            m_line.out.isLearnable = false;
            m_line.rest = at;
            pair = next;
        }
    }

    /// "16 threads: time: 0.5 s", "4 MPI ranks took 0.5 s": the number that was taken is no
    /// counter.
    bool isOfSize() const
    {
        constexpr size_t longest = 24;
        std::string_view text = m_line.rest.substr(0, longest);
        if (!skip(text, " ") || text.empty() || !isLetter(text[0]))
            return false;
        size_t end = 0;
        while (end < text.size() && (isLetter(text[end]) || text[end] == ' '))
            ++end;
        for (text = trimmed(text.substr(0, end)); !text.empty();) {
            if (text.back() == 's' && m_line.names.meaning(text).isSize())
                return true;
            const size_t last = text.rfind(' ');
            text = last == std::string_view::npos ? std::string_view() : text.substr(0, last);
        }
        return false;
    }

    /// "gemm" of {"kernel": "gemm", "n": 128}: a text, and no name.
    bool takeLabel()
    {
        const char quote = m_line.rest.empty() ? ' ' : m_line.rest[0];
        if (!m_line.out.text.starts_with('{') || (quote != '"' && quote != '\''))
            return false;
        const size_t close = m_line.rest.find(quote, 1);
        const std::string_view text =
            m_line.rest.substr(1, close == m_line.rest.npos ? 0 : close - 1);
        const auto isWord = [](char c) { return isWordCharacter(c) || c == '-' || c == ' '; };
        if (text.empty() || !isLetter(text[0]) || !std::all_of(text.begin(), text.end(), isWord))
            return false;
        if (m_line.out.label.empty())
            m_line.out.label = text;
        m_line.rest.remove_prefix(close + 1);
        return true;
    }

    /// "Energy ............. -76.9", "Energy.......: -76.9": the dots lead to the number.
    bool skipLeaders()
    {
        constexpr size_t fewest = 4;
        const size_t end = m_line.rest.find_first_not_of('.');
        if (end == std::string_view::npos || end < fewest)
            return false;
        m_line.rest.remove_prefix(end);
        skipSpaces(m_line.rest);
        if (!skip(m_line.rest, ":"))
            skip(m_line.rest, "=");
        return true;
    }

    /// "loss -> 0.5"
    bool skipArrow()
    {
        const bool isArrow = m_line.rest.starts_with("-> ") || m_line.rest.starts_with("=> ");
        if (!isArrow || m_line.rest.size() < 4 || !isDigit(m_line.rest[3]))
            return false;
        m_line.rest.remove_prefix(3);
        return true;
    }

    /// "test accuracy: 20.78%, (512570/2466133)": how many of how many that is, and no place.
    bool isShareAgain(const LinePair& counts)
    {
        if (m_line.out.count == 0)
            return false;
        const LinePair& share = m_line.out.pairs[m_line.out.count - 1];
        if (!share.unit || share.unit->unit != QLatin1String("%")
            || m_line.names.meaning(share.name).kind != NameMeaning::Metric)
            return false;
        m_line.out.isLearnable = false;
        constexpr double rounded = 0.06; // of one decimal
        return std::abs(share.value - 100 * counts.value / counts.total) < rounded;
    }

    /// What stands behind the number that a line begins with.
    enum class Lead { None, Space, Piped };
    static Lead leadOf(std::string_view behind)
    {
        if (behind.starts_with(" | "))
            return Lead::Piped;
        return behind.starts_with(' ') || behind.starts_with('\t') || behind.starts_with(": ")
                || behind.starts_with(":\t") || behind.starts_with(", ") || behind.starts_with("; ")
            ? Lead::Space
            : Lead::None;
    }

    /// "( m^2/s )": of a unit, and no rate.
    bool skipExponent()
    {
        if (m_line.rest.data() == m_line.start || m_line.rest.data()[-1] != '^'
            || !takeNumber(m_line.rest))
            return false;
        ++m_line.out.strayWords;
        m_line.out.isLearnable = false;
        return true;
    }

    /// "99.9=10959" in brackets: a percentile, which has no name.
    bool skipNumberedValue()
    {
        std::string_view at = m_line.rest;
        const bool isBehind = m_line.out.count > 0 && m_line.rest.data() > m_line.start
            && std::string_view(" ,[").find(m_line.rest.data()[-1]) != std::string_view::npos;
        if (!isBehind || !takeNumber(at) || !skip(at, "=") || !takeNumber(at)
            || (!at.empty() && at[0] != ',' && at[0] != ']'))
            return false;
        m_line.rest = at;
        m_line.out.isLearnable = false;
        return true;
    }

    void readNumber()
    {
        if (skipNumberedValue() || skipExponent() || m_places.readCounted()
            || m_places.readOrdinal())
            return;
        const bool signedNumber = !isDigit(m_line.rest[0]);
        const bool leads = m_line.rest.data() == m_line.start;
        const bool parted = isParted();
        LinePair pair;
        std::string_view at = m_line.rest;
        if (takeValue(at, m_line.names, pair) && at.data() != m_line.rest.data()) {
            const std::string_view from = m_line.rest;
            m_line.rest = at;
            m_line.note(LinePairs::Place::Value, from);
            if (leads && pair.total == 0 && !pair.unit) {
                if (skip(m_line.rest, " sec: ") || skip(m_line.rest, " s: ")) {
                    m_places.addTime(pair); // since the start
                    return;
                }
                m_places.takeMethod();
            }
            if (m_places.readAtSign(pair, from))
                return;
            if (m_places.countsSteps(pair) || m_places.takeCountOfShare(pair)
                || takeNameBehindSign(pair, from) || readNamedRate(pair))
                return;
            // "Episode 3 0.9 loss", "[Epoch 3] 0.9 loss"
            const bool isLast = !parted && (m_line.out.count > 0 || isBehindBracket(from));
            if (((parted || leads || isLast) && pair.total == 0
                    && !(pair.unit && pair.unit->quantity)
                    && takeNameBehind(pair, from, leads || isLast, isLast))
                || (m_line.out.count == 0 && m_line.out.strayWords == 0 && takeIterations(pair))) {
                m_line.addNoted(pair);
                return;
            }
            if (pair.total > 0 && !pair.unit && pair.value <= pair.total) {
                if (isShareAgain(pair))
                    return;
                if (m_line.out.position.done < 0) {
                    m_line.out.position = {pair.value, pair.total, false, true, false};
                    m_line.setPosition(m_line.out.placeCount - 1);
                }
            } else if (pair.unit && pair.unit->quantity) {
                m_line.addNoted(pair);
            } else if (pair.unit && m_line.out.count == 1 && m_line.out.strayWords == 0
                && m_line.rest.empty()) {
                m_line.addNoted(pair); // "k=64 0.5 s"
            } else if (pair.unit && parted
                && (m_line.rest.empty() || m_line.rest.starts_with(" |")
                    || m_line.rest.starts_with(", "))) {
                m_line.addNoted(pair); // "| 7367.57ms", "iter 1, 0.0865 sec, …"
            } else {
                m_leading += m_line.out.count == 0 && m_leading == m_line.out.strayWords ? 1 : 0;
                if (m_line.out.count == 0 && m_line.out.strayWords == 0 && !signedNumber
                    && !pair.unit) {
                    m_line.out.places[m_line.out.placeCount - 1].isFirst = true;
                    if (pair.value == std::floor(pair.value) && !isOfSize()) {
                        m_firstLeads = leadOf(m_line.rest);
                        m_first = m_firstLeads == Lead::None ? -1 : pair.value;
                        m_firstPlace = m_line.out.placeCount - 1;
                    }
                }
                ++m_line.out.strayWords;
            }
            return;
        }
        m_line.out.strayWords += signedNumber ? 0 : 1;
        skipToken();
    }

    void skipToken()
    {
        size_t end = 1;
        while (end < m_line.rest.size() && !isSpace(m_line.rest[end]) && m_line.rest[end] != ','
            && m_line.rest[end] != '|' && m_line.rest[end] != ']')
            ++end;
        m_line.rest.remove_prefix(end);
    }

    LineCursor m_line;
    PlaceReader m_places;
    ValueReader m_values;
    Lead m_firstLeads = Lead::None;
    double m_first = -1; ///< the number that the line begins with; -1: it does not
    size_t m_firstPlace = 0;
    const char* m_percentile = nullptr; ///< where the name begins that is read next: "95th …"
    int m_leading = 0; ///< numbers before all words
    bool m_isBehind = false; ///< the last name stands behind its number
    const MetricUnit* m_times = nullptr; ///< of all numbers behind "time (ms) |"
};

/// "x   Potential Energy:   -855.525306   eV     x": a line of a box that is drawn with signs;
/// "=====Epoch: 0/50, top 1 acc: 0.0354=====".
std::string_view withoutBorder(std::string_view text)
{
    constexpr size_t least = 8;
    const std::string_view line = trimmed(text);
    if (line.starts_with("## ") || line.starts_with("### ") || line.starts_with("#### "))
        return trimmed(line.substr(line.find(' '))); // a heading in Markdown
    if (line.starts_with("===") && line.ends_with("===")) {
        const size_t begin = line.find_first_not_of('=');
        const std::string_view inside = line.substr(std::min(begin, line.size()));
        return trimmed(inside.substr(0, inside.find_last_not_of('=') + 1));
    }
    if (line.size() < least || line.front() != line.back() || line[1] != ' '
        || line[line.size() - 2] != ' '
        || std::string_view("x*#!").find(line.front()) == std::string_view::npos)
        return text;
    return trimmed(line.substr(1, line.size() - 2));
}

/// "<etotal_int>  -12.57033253 </etotal_int>": an element of XML with nothing but a number in it.
bool readElement(std::string_view text, LinePairs& out)
{
    text = trimmed(text);
    const size_t close = text.starts_with('<') ? text.find('>') : std::string_view::npos;
    if (close == std::string_view::npos || close < 3 || !isLetter(text[1]))
        return false;
    const std::string_view name = text.substr(1, close - 1);
    std::string_view rest = text.substr(close + 1);
    const size_t end = rest.rfind("</");
    if (end == std::string_view::npos || rest.substr(end + 2, rest.size() - end - 3) != name
        || !std::all_of(name.begin(), name.end(), isNamePart))
        return false;
    const std::string_view inside = trimmed(rest.substr(0, end));
    const auto value = wholeNumber(inside);
    if (!value)
        return false;
    LinePair& pair = out.pairs[0];
    pair = {name, *value};
    pair.isFraction = isFraction(inside);
    pair.assigned = true;
    out.count = 1;
    out.isLearnable = false;
    return true;
}

} // namespace

void readPairs(std::string_view text, const MetricNames& names, LinePairs& out)
{
    out.text = text;
    out.count = 0;
    out.position = {};
    out.subject = {};
    out.about = {};
    out.label = {};
    out.strayWords = 0;
    out.isMonitor = false;
    out.placeCount = 0;
    out.isLearnable = true;
    if (!readElement(text, out))
        LineReader(withoutBorder(text), names, out).read();
    out.isLearnable = out.isLearnable && !hasFallingRange(text);
}

} // namespace slipway
