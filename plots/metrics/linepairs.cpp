// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linepairs.h"

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/namelist.h"
#include "plots/metrics/namewords.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// LineReader walks through one line; see readPairs().
class LineReader {
public:
    LineReader(std::string_view text, const MetricNames& names, LinePairs& out)
        : m_rest(text)
        , m_start(text.data())
        , m_names(names)
        , m_out(out)
    {
    }

    void read()
    {
        while (!m_rest.empty()) {
            const char c = m_rest[0];
            if (startsName(c) || c == '\'' || c == '"' || (c == '|' && behindNorm(m_rest) > 0)
                || (c == '(' && behindExpression(m_rest) > 0)
                || (c == '<' && behindProduct(m_rest) > 0))
                readName();
            else if (isDigit(c) || c == '+' || (c == '-' && !isDash()))
                readNumber();
            else if (c == '[')
                readBracket();
            else if (c != '(' || !skipRemark()) {
                if (c == ']')
                    m_group = {};
                m_rest.remove_prefix(1);
            }
        }
        nameApart();
        placeByFirstNumber();
        assignListed();
    }

private:
    /// "r (abs) = 0.5 (tol = 1e-6) r (rel) = 0.1": what stands in parentheses tells two from each
    /// other.
    void nameApart()
    {
        const auto end = m_out.pairs.begin() + static_cast<std::ptrdiff_t>(m_out.count);
        for (auto pair = m_out.pairs.begin(); pair != end; ++pair) {
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

    /// "The dist entropy 3.62, the value loss 0.92, the action loss 1.25": fractions behind their
    /// names, and nothing else.
    void assignListed()
    {
        constexpr size_t fewListed = 3;
        const auto isListed = [](const LinePair& pair) {
            return !pair.assigned && !pair.isBehind && pair.isFraction && pair.total == 0
                && !pair.name.empty();
        };
        const auto end = m_out.pairs.begin() + static_cast<std::ptrdiff_t>(m_out.count);
        const bool isNumbered = m_leading > 1 && m_out.strayWords == m_leading && m_first >= 0
            && m_out.position.done < 0;
        if (m_out.count < fewListed || (m_out.strayWords > 0 && !isNumbered)
            || !std::all_of(m_out.pairs.begin(), end, isListed))
            return;
        for (auto pair = m_out.pairs.begin(); pair != end; ++pair)
            pair->assigned = true;
        if (!isNumbered)
            return;
        m_out.strayWords = 0; // "288,  1.000,  0, En 7.5935E+01, CFL  0.00123, SL -7.9976E+01"
        m_out.position = {m_first, 0, true, false, false};
        setPosition(m_firstPlace);
    }

    /// "   1 F= -.371E+02 E0= -.371E+02": a number before nothing but names with theirs counts the
    /// lines. One name is not enough: code that is printed with its line numbers looks like it.
    void placeByFirstNumber()
    {
        if (m_first < 0 || m_out.count == 0 || m_out.strayWords != 1 || m_out.position.done >= 0)
            return;
        bool allAssigned = true;
        for (size_t i = 0; i < m_out.count; ++i)
            allAssigned = allAssigned && (m_out.pairs[i].assigned || m_out.pairs[i].unit);
        m_out.isMonitor = m_firstLeads == Lead::Space && isMonitored(m_out.pairs[0]);
        m_out.isLearnable = m_out.isLearnable && m_out.pairs[0].assigned;
        const bool counts =
            m_firstLeads == Lead::Piped || (m_firstLeads != Lead::None && allAssigned);
        if (!m_out.isMonitor && (!counts || m_out.count < 2))
            return;
        m_out.strayWords = 0;
        m_out.position = {m_first, 0, true, false, false};
        setPosition(m_firstPlace);
    }

    /// What was read from `from` up to here.
    std::string_view readFrom(std::string_view from) const
    {
        return from.substr(0, from.size() - m_rest.size());
    }

    void note(LinePairs::Place::Kind kind, std::string_view from)
    {
        noteText(kind, readFrom(from));
    }

    void noteText(LinePairs::Place::Kind kind, std::string_view text)
    {
        if (m_out.placeCount == m_out.places.size())
            m_out.isLearnable = false;
        else
            m_out.places[m_out.placeCount++] = {kind, text};
    }

    void setPosition(size_t place)
    {
        for (size_t i = 0; i < m_out.placeCount; ++i)
            m_out.places[i].isPosition = i == place;
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
        const std::string_view behind = m_rest.substr(1);
        return m_rest.data() > m_start && m_rest.data()[-1] == ']' && behind.size() > 1
            && isLetter(behind[0]);
    }

    /// See NameList.
    bool readList()
    {
        NameList list;
        if (!list.take(m_rest, m_names))
            return false;
        if (!list.set.empty())
            m_section = list.set;
        for (size_t i = 0; i < list.count; ++i) {
            noteText(LinePairs::Place::Value, list.texts[i]);
            addNoted(list.pairs[i]);
        }
        m_out.isLearnable = m_out.isLearnable && !list.isShared();
        return true;
    }

    void readName()
    {
        if (readList())
            return;
        NameWords words;
        const char quote = m_rest[0] == '\'' || m_rest[0] == '"' ? m_rest[0] : '\0';
        if (quote) {
            const size_t close = m_rest.substr(0, 80).find(quote, 1);
            if (close == std::string_view::npos) {
                m_rest.remove_prefix(1);
                return;
            }
            words.text = words.last = m_rest.substr(1, close - 1);
            words.count = 1;
            m_rest.remove_prefix(close + 1);
        } else {
            words = takeNameWords(m_rest, m_names);
            dropVerb(words);
            skipUnitInBrackets(words);
            if (skipWindow(words))
                m_out.isLearnable = false;
            if (words.text.data() > m_start && words.text.data()[-1] == '{'
                && (m_rest.starts_with("}=") || m_rest.starts_with("}:")))
                m_rest.remove_prefix(1); // "{Test loss}=2.98"
            if (words.text.data() > m_start && words.text.data()[-1] == '('
                && (m_rest.starts_with("):") || m_rest.starts_with(")=")))
                m_rest.remove_prefix(1); // "(delta): 2641.34"
        }
        if (m_rest.starts_with("|=") && words.text.data() > m_start && words.text.data()[-1] == '|')
            m_rest.remove_prefix(1); // "|g|= 0.3"
        if (m_rest.starts_with("#:"))
            m_rest.remove_prefix(1); // "step#: 115"
        skipSpaces(m_rest);
        const bool below = m_rest.starts_with("< ");
        const bool assigned = below || skip(m_rest, ":") || skip(m_rest, "=")
            || (quote ? skipComma(words.text) : skipSymbolComma(words)) || skipSeparator();
        if (below)
            m_rest.remove_prefix(1);
        skipSpaces(m_rest);
        if (assigned && !quote && skipNamedByValue(words))
            return;
        if (!assigned && (skipIndex(words) || readMean(words)))
            return;
        skip(m_rest, "#");
        skipSpaces(m_rest);
        const std::string_view from = m_rest;
        if (assigned && skipClock()) {
            note(LinePairs::Place::Clock, from);
            return;
        }
        if (assigned && readVector(words.text))
            return;
        LinePair pair{words.text};
        pair.assigned = assigned;
        pair.isQuoted = quote != '\0';
        pair.qualified = words.qualified;
        if (!takeValue(m_rest, m_names, pair)) {
            if (assigned && skipSettings(words.last))
                m_out.isLearnable = false;
            else if (assigned && m_out.count == 0)
                m_out.subject = words.text;
            else if (assigned && isSet(words.last)) // "[Epoch 6] validation: accuracy=0.9"
                m_section = words.last;
            else if (words.unit && words.unit->unit == QLatin1String("s")
                && m_rest.starts_with("| ")) // "time (ms) | forward: 653.17 | backward: 2163.84"
                m_times = words.unit;
            else if (opensGroup(words))
                m_group = words.text;
            else if (opensSection(words))
                m_section = words.text;
            else if (m_rest.starts_with(',') && words.text.find(" for ") != std::string_view::npos)
                m_out.about = words.last;
            else
                m_out.strayWords += words.count;
            return;
        }
        if (assigned && splitQuotient(pair, from))
            return;
        takeUnitAtEnd(pair);
        note(LinePairs::Place::Value, from);
        pair.isFraction = isFraction(readFrom(from));
        pair.assigned = assigned || (pair.isFraction && isInCell(words.text));
        if (skipCountedNoun() || countsSteps(pair) || readAtPlace(pair, from)
            || readPlaceBehind(pair, words.last) || readDuration(pair, words)
            || readBehindCount(pair))
            return;
        if (assigned && m_out.count == 0)
            takeIterations(pair);
        if (!pair.unit)
            pair.unit = words.unit;
        pair.isStated = words.isStated && m_out.count == 0 && m_rest.empty();
        pair.isTimed = !pair.unit && m_times;
        if (pair.isTimed)
            pair.unit = m_times;
        addNoted(pair);
        skipMeanInColumns(pair);
        skipOtherUnit(pair);
    }

    /// "eigenvalue: [-20.51 -26.17 -27.64]", "U_max=(1.19e-02, 5.22e-03)": the numbers of an array
    /// as NumPy prints it, or of a tuple, each of which is a measurement of its own. Of a list with
    /// commas the first counts: see takeValue().
    bool readVector(std::string_view name)
    {
        constexpr int mostNumbers = 8;
        std::array<std::string_view, mostNumbers> texts;
        std::string_view at = m_rest;
        const bool isTuple = at.starts_with('(');
        if (!isTuple && !at.starts_with('['))
            return false;
        at.remove_prefix(1);
        const char close = isTuple ? ')' : ']', between = isTuple ? ',' : ' ';
        int count = 0;
        bool anyFraction = false;
        for (skipSpaces(at); !at.empty() && at[0] != close; skipSpaces(at)) {
            const std::string_view from = at;
            if (count == mostNumbers || !takeNumber(at) || at.empty()
                || (at[0] != between && at[0] != close))
                return false;
            texts[static_cast<size_t>(count)] = from.substr(0, from.size() - at.size());
            anyFraction = anyFraction || isFraction(texts[static_cast<size_t>(count)]);
            ++count;
            if (isTuple && at[0] == ',' && !skip(at, ", "))
                return false; // "(+2.03,-1.17)" is one number
        }
        if (at.empty() || count < 2 || !anyFraction)
            return false;
        m_rest = at.substr(1);
        for (int i = 0; i < count; ++i) {
            std::string_view text = texts[static_cast<size_t>(i)];
            noteText(LinePairs::Place::Value, text);
            LinePair pair{name, takeNumber(text).value_or(0)};
            pair.part = i + 1;
            pair.assigned = pair.isFraction = true;
            addNoted(pair);
        }
        return true;
    }

    /// "D(G(z)): 0.6982 / 0.0046": two fractions are two measurements, before and after.
    bool splitQuotient(LinePair pair, std::string_view from)
    {
        const std::string_view text = readFrom(from);
        const size_t slash = text.find(" / ");
        if (slash == std::string_view::npos || pair.unit || pair.hasMean
            || !isFraction(text.substr(0, slash)) || !isFraction(text.substr(slash + 3))
            || m_names.meaning(pair.name).kind == NameMeaning::Counter)
            return false;
        std::string_view behind = text.substr(slash + 3);
        const auto second = takeNumber(behind);
        if (!second || !behind.empty())
            return false;
        m_out.isLearnable = false; // what is learnt of a number has its total
        pair.total = 0;
        pair.assigned = pair.isFraction = true;
        pair.part = 1;
        noteText(LinePairs::Place::Value, text.substr(0, slash));
        addNoted(pair);
        pair.value = *second;
        pair.part = 2;
        noteText(LinePairs::Place::Value, text.substr(slash + 3));
        addNoted(pair);
        return true;
    }

    /// "n=10000000 arg=true: 62710590.4": a number behind a setting, which does not name it.
    bool skipNamedByValue(const NameWords& words)
    {
        LinePair number;
        const bool isValue =
            words.count == 1 && words.text.data() > m_start && words.text.data()[-1] == '=';
        if (!isValue || !takeValue(m_rest, m_names, number))
            return false;
        m_out.isLearnable = false;
        m_out.strayWords += words.count + 1;
        return true;
    }

    /// "Train net output #0: accuracy = 0.5": which of several, and no measurement.
    bool skipIndex(const NameWords& words)
    {
        std::string_view at = m_rest;
        if (!skip(at, "#") || !takeWholeCount(at) || !skip(at, ": "))
            return false;
        if (m_out.count == 0)
            m_out.subject = words.text;
        m_rest = at;
        return true;
    }

    /// "and parameters: {'n_layers': 1, 'lr': 0.0022}": what was tried, and not what was measured.
    bool skipSettings(std::string_view name)
    {
        static constexpr std::string_view words[] = {
            "parameters", "params", "hyperparameters", "hparams", "config", "configuration"};
        if (!m_rest.starts_with('{')
            || std::none_of(std::begin(words), std::end(words),
                [name](std::string_view word) { return equalsIgnoringCase(name, word); }))
            return false;
        int depth = 0;
        size_t end = 0;
        for (; end < m_rest.size() && (end == 0 || depth > 0); ++end)
            depth += m_rest[end] == '{' ? 1 : m_rest[end] == '}' ? -1 : 0;
        m_rest.remove_prefix(end);
        if (m_rest.starts_with(". Best is ")) // another trial, which was read before
            m_rest = {};
        return true;
    }

    /// "Time (0.476)": a running mean, without the number of this step before it.
    bool readMean(const NameWords& words)
    {
        if (m_rest.size() < 4 || m_rest[0] != '(' || !isDigit(m_rest[1]))
            return false;
        std::string_view at = m_rest.substr(1);
        const std::string_view from = at;
        LinePair pair{words.text};
        if (!takeValue(at, m_names, pair) || !at.starts_with(')') || pair.total > 0
            || !isFraction(from.substr(0, from.size() - at.size())))
            return false;
        m_rest = at;
        note(LinePairs::Place::Value, from);
        m_rest.remove_prefix(1);
        pair.isFraction = true;
        addNoted(pair);
        return true;
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

    /// "Potential energy [hartree]      -0.17E+02": set in columns.
    void skipUnitInBrackets(NameWords& words)
    {
        constexpr size_t longestInside = 16;
        std::string_view at = m_rest;
        skipSpaces(at);
        const size_t close = at.starts_with('[') ? at.substr(0, longestInside).find(']') : 0;
        if (close < 2 || close == std::string_view::npos || !isLetter(at[1])
            || at.substr(0, close).find_first_of(" =:,") != std::string_view::npos)
            return;
        const std::string_view behind = at.substr(close + 1);
        const size_t value = behind.find_first_not_of(' ');
        if (value == std::string_view::npos || value < 2
            || !(isDigit(behind[value]) || behind[value] == '-'))
            return;
        if (!words.unit)
            words.unit = m_names.unit(at.substr(1, close - 1));
        m_rest = behind;
    }

    /// "(epoch 3)" behind what was measured then.
    bool countsIn(std::string_view inside) const
    {
        const size_t space = inside.find(' ');
        return space != std::string_view::npos && wholeCount(inside.substr(space + 1))
            && m_names.meaning(inside.substr(0, space)).kind == NameMeaning::Counter;
    }

    /// "12.34 (no gain for 0 iter)": a remark without names or measurements at the end of a line.
    bool skipRemark()
    {
        const size_t end = behindParenthesis(m_rest);
        if (m_out.count == 0 || end == std::string_view::npos
            || !trimmed(m_rest.substr(end)).empty() || m_rest.size() < 2 || !isLetter(m_rest[1])
            || m_rest.substr(0, end).find_first_of("=:.") != std::string_view::npos
            || countsIn(m_rest.substr(1, end - 2)))
            return false;
        m_out.isLearnable =
            m_out.isLearnable && std::none_of(m_rest.begin(), m_rest.begin() + end, isDigit);
        m_rest = {};
        return true;
    }

    /// "-855.525306                   eV": set in columns.
    void takeUnitAtEnd(LinePair& pair)
    {
        const std::string_view rest = trimmed(m_rest);
        if (pair.unit || pair.total > 0 || rest.empty() || rest.data() < m_rest.data() + 2)
            return;
        pair.unit = m_names.unit(rest);
        if (pair.unit)
            m_rest = {};
    }

    /// "Temperature [K]      298.12      298.02": the mean so far stands behind the value.
    void skipMeanInColumns(const LinePair& pair)
    {
        std::string_view at = m_rest;
        skipSpaces(at);
        const std::string_view from = at;
        if (m_out.count != 1 || m_out.strayWords > 0 || pair.assigned || !pair.isFraction
            || at.data() < m_rest.data() + 2 || !takeNumber(at) || !trimmed(at).empty()
            || !isFraction(from.substr(0, from.size() - at.size())))
            return;
        m_rest = at;
        note(LinePairs::Place::Value, from);
    }

    /// "('average_q', 0.03)"
    bool skipComma(std::string_view quoted)
    {
        const bool isTuple = quoted.data() > m_start + 1 && quoted.data()[-2] == '(';
        return isTuple && skip(m_rest, ",");
    }

    /// "(:epoch, 0, :trn, 0.7053912f0, :tst, 0.7054187f0)": Julia's symbols before their values.
    bool skipSymbolComma(NameWords& words)
    {
        const char* const name = words.text.data();
        const bool isSymbol =
            name > m_start + 1 && name[-1] == ':' && (name[-2] == '(' || name[-2] == ' ');
        if (!isSymbol || !skip(m_rest, ", "))
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
        std::string_view at = m_rest;
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
        m_rest = at;
        return true;
    }

    /// "dice_loss - 0.35, iou_score - 0.56"; "CrossEntropy3d |  4.65" at the end of a line that
    /// counts.
    bool skipSeparator()
    {
        std::string_view at = m_rest;
        if (skip(at, "- ")) {
            if (at.empty() || !isDigit(at[0]))
                return false;
        } else if (m_out.count == 0 || !skip(at, "| ") || !wholeNumber(at)) {
            return false;
        }
        m_rest = at;
        return true;
    }

    /// "Latency of step 2: 1.9 ms", "loss at epoch 3: 0.5": what counts stands before the number.
    bool readAtPlace(const LinePair& counter, std::string_view from)
    {
        static constexpr std::string_view counted[] = {
            " iterations", " steps", " epochs", " updates", " batches", " episodes"};
        size_t noun = 0;
        for (const std::string_view each : counted) {
            if (m_rest.starts_with(each))
                noun = each.size(); // "loss after 100 iterations: 0.5"
        }
        const std::string_view tail = m_rest.substr(noun);
        const size_t sign = tail.starts_with(": ") ? 1 : tail.starts_with(" is ") ? 3 : 0;
        if (counter.assigned || sign == 0
            || !wholeCount(from.substr(0, from.size() - m_rest.size())))
            return false;
        static constexpr std::string_view words[] = {" of ", " at ", " in ", " for ", " after "};
        size_t at = std::string_view::npos, behind = 0;
        for (const std::string_view word : words) {
            const bool isLast = noun > 0 && counter.name.ends_with(word.substr(0, word.size() - 1));
            const size_t found =
                isLast ? counter.name.size() - word.size() + 1 : counter.name.rfind(word);
            if (found != std::string_view::npos && found > 0
                && (at == std::string_view::npos || found > at)) {
                at = found;
                behind = found + word.size();
            }
        }
        if (at == std::string_view::npos || (noun == 0 && behind >= counter.name.size()))
            return false;
        std::string_view rest = tail.substr(sign);
        skipSpaces(rest);
        from = rest;
        LinePair measured{counter.name.substr(0, at)};
        measured.assigned = true;
        if (!takeValue(rest, m_names, measured))
            return false;
        LinePair place = counter;
        place.name = noun > 0 ? m_rest.substr(1, noun - 1) : counter.name.substr(behind);
        addNoted(place);
        m_rest = rest;
        note(LinePairs::Place::Value, from);
        measured.isFraction = isFraction(readFrom(from));
        addNoted(measured);
        return true;
    }

    /// "return 93.2 after 1000 steps": where the program is.
    bool readPlaceBehind(const LinePair& place, std::string_view last)
    {
        static constexpr std::string_view nouns[] = {
            " steps", " epochs", " updates", " batches", " episodes"}; // iterations are a solver's
        if (place.assigned || place.isFraction || place.unit || place.total > 0 || place.value < 0
            || m_out.position.done >= 0)
            return false;
        const auto* const noun = std::find_if(std::begin(nouns), std::end(nouns),
            [this](std::string_view each) { return m_rest.starts_with(each); });
        if (m_out.count == 0 || !equalsIgnoringCase(last, "after") || noun == std::end(nouns))
            return false;
        m_rest.remove_prefix(noun->size());
        m_out.position = {place.value, 0, true, false, false};
        setPosition(m_out.placeCount - 1);
        return true;
    }

    /// "Query 3: 0.52 sec", "Run 3: 18.5 s": how long the one of this number took, and nothing else
    /// on the line.
    bool readDuration(const LinePair& number, const NameWords& words)
    {
        if (number.assigned || number.isFraction || number.unit || number.total > 0
            || number.value < 0 || words.count != 1 || words.text.data() != m_start
            || m_out.position.done >= 0 || !m_rest.starts_with(": ")
            || m_names.meaning(words.text).kind == NameMeaning::Counter
            || !std::all_of(words.text.begin(), words.text.end(), isLetter))
            return false;
        std::string_view rest = m_rest.substr(2);
        skipSpaces(rest);
        const std::string_view from = rest;
        static constexpr std::string_view duration = "duration";
        LinePair measured{duration};
        if (!takeValue(rest, m_names, measured) || !measured.unit || measured.unit->quantity
            || measured.unit->unit != QLatin1String("s") || !trimmed(rest).empty())
            return false;
        m_out.position = {number.value, 0, true, false, false};
        setPosition(m_out.placeCount - 1);
        m_out.about = words.text;
        m_out.isLearnable = false;
        m_rest = rest;
        note(LinePairs::Place::Value, from);
        measured.assigned = true;
        addNoted(measured);
        return true;
    }

    /// "0.5189 Ha/Bohr," behind a name: a unit that nobody converts is no stray word.
    void skipOtherUnit(const LinePair& pair)
    {
        static constexpr std::string_view units[] = {"GPa", "MPa", "kPa", "Pa", "kbar", "atm", "nm",
            "mm", "cm", "m", "km", "kg", "g", "mol", "rad", "deg", "dB", "V", "A", "T", "J", "kJ",
            "N", "Hz", "kHz", "GHz", "C", "au", "Bohr", "Ang", "Angstrom", "degC"};
        constexpr size_t longest = 16;
        if (!pair.assigned || !pair.isFraction || pair.unit || pair.total > 0
            || !m_rest.starts_with(' '))
            return;
        std::string_view at = m_rest.substr(1);
        size_t end = 0;
        while (end < at.size() && end <= longest
            && (isLetter(at[end]) || at[end] == '/' || at[end] == '^' || isDigit(at[end])))
            ++end;
        const std::string_view unit = at.substr(0, end);
        const bool ends =
            end == at.size() || (end > 0 && std::string_view(",;|)").find(at[end]) != at.npos);
        if (unit.empty() || !isLetter(unit[0]) || !ends || end > longest
            || (unit.find('/') == std::string_view::npos
                && std::find(std::begin(units), std::end(units), unit) == std::end(units)))
            return;
        m_rest = at.substr(end);
    }

    /// "Train loss 0 48.220909 Grad Norm 13.5": a number between a measurement and its value
    /// counts.
    bool readBehindCount(const LinePair& counted)
    {
        if (counted.assigned || counted.isFraction || counted.total > 0 || counted.unit
            || m_out.count > 0 || m_out.position.done >= 0 || counted.value < 0
            || !m_rest.starts_with(' '))
            return false;
        std::string_view rest = m_rest.substr(1);
        const std::string_view from = rest;
        LinePair measured{counted.name};
        if (!takeValue(rest, m_names, measured) || measured.total > 0
            || !isFraction(from.substr(0, from.size() - rest.size()))
            || m_names.meaning(counted.name).kind != NameMeaning::Metric)
            return false;
        m_out.position = {counted.value, 0, true, false, false};
        setPosition(m_out.placeCount - 1);
        m_rest = rest;
        note(LinePairs::Place::Value, from);
        measured.isFraction = measured.assigned = true;
        addNoted(measured);
        return true;
    }

    /// "| mse 49.55 | mre 1.54 |": nothing but a name of one word and its fraction between two
    /// bars.
    bool isInCell(std::string_view name) const
    {
        const char* before = name.data();
        while (before > m_start && before[-1] == ' ')
            --before;
        if (before == m_start || before[-1] != '|' || m_out.count == 0
            || name.find(' ') != std::string_view::npos)
            return false;
        std::string_view behind = m_rest;
        skipSpaces(behind);
        return behind.empty() || behind[0] == '|';
    }

    /// "1.34 secs, 2 evals, 1 steps, fitness=6684.1", "CG: 614 iterations, <r,r> = 4.6": as many as
    /// there were, before what was measured then. The number is that of the last place.
    bool countsSteps(const LinePair& counted)
    {
        static constexpr std::string_view words[] = {" iterations, ", " steps, ", " iters, "};
        if (counted.isFraction || counted.unit || counted.total > 0 || counted.value < 0
            || m_out.position.done >= 0 || counted.value != std::floor(counted.value))
            return false;
        for (const std::string_view word : words) {
            if (!m_rest.starts_with(word) || m_rest.find_first_of(":=") == std::string_view::npos)
                continue;
            m_rest.remove_prefix(word.size());
            m_out.position = {counted.value, 0, true, false, false};
            setPosition(m_out.placeCount - 1);
            return true;
        }
        return false;
    }

    /// "  5 % =      100 | time elapsed: …": as many steps as the share in front.
    bool takeCountOfShare(const LinePair& share)
    {
        std::string_view at = m_rest;
        skipSpaces(at);
        if (m_out.count > 0 || m_out.strayWords > 0 || m_out.placeCount > 1 || !share.unit
            || share.unit->unit != QLatin1String("%") || !skip(at, "= "))
            return false;
        skipSpaces(at);
        const std::string_view from = at;
        const auto count = takeWholeCount(at);
        if (!count || !at.starts_with(" |"))
            return false;
        m_rest = at;
        note(LinePairs::Place::Value, from);
        m_out.position = {*count, 0, true, false, false};
        setPosition(m_out.placeCount - 1);
        return true;
    }

    /// "-2.5882  = Validation score   (-root_mean_squared_error)": nothing but a number and, behind
    /// the sign, its name.
    bool takeNameBehindSign(LinePair pair, std::string_view from)
    {
        constexpr size_t longest = 40;
        std::string_view name = m_rest;
        skipSpaces(name);
        if (m_out.count > 0 || m_out.strayWords > 0 || m_out.placeCount > 1 || pair.total > 0
            || name.data() == m_rest.data() || !skip(name, "= "))
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
        pair.isFraction = isFraction(readFrom(from));
        m_rest = {};
        addNoted(pair);
        return true;
    }

    /// "5988 src tok/s; 6500 tgt tok/s": a word between a number and its unit tells two from each
    /// other.
    bool readNamedRate(LinePair pair)
    {
        constexpr size_t longestWord = 12;
        if (pair.unit || pair.total > 0 || !m_rest.starts_with(' '))
            return false;
        std::string_view at = m_rest.substr(1);
        size_t end = 0;
        while (end < at.size() && end <= longestWord && isLetter(at[end]))
            ++end;
        if (end == 0 || end > longestWord || end == at.size() || at[end] != ' ')
            return false;
        const std::string_view from = at;
        at.remove_prefix(end + 1);
        pair.unit = takeMetricUnit(at, m_names);
        if (!pair.unit || !pair.unit->quantity || pair.unit->unit.endsWith(u"B/s")
            || (!at.empty() && std::string_view(";,|)").find(at[0]) == std::string_view::npos))
            return false;
        pair.group = from.substr(0, end);
        pair.name = from.substr(end + 1, from.size() - at.size() - (end + 1));
        pair.assigned = true;
        m_rest = at;
        addNoted(pair);
        return true;
    }

    /// "20th train Loss: 0.3"
    bool readOrdinal()
    {
        static constexpr std::string_view endings[] = {"th ", "st ", "nd ", "rd "};
        const std::string_view from = m_rest;
        std::string_view at = m_rest;
        const auto value = m_rest.data() == m_start ? takeWholeCount(at) : std::nullopt;
        if (!value
            || std::none_of(std::begin(endings), std::end(endings),
                [at](std::string_view ending) { return at.starts_with(ending); }))
            return false;
        m_rest = at;
        note(LinePairs::Place::Value, from);
        m_rest.remove_prefix(3);
        m_out.position = {*value, 0, true, false, false};
        setPosition(m_out.placeCount - 1);
        return true;
    }

    /// "Benchmark time: 8 CPUs 0.02 s/step": the number counts these.
    bool skipCountedNoun()
    {
        static constexpr std::string_view nouns[] = {
            " CPUs", " GPUs", " cores", " nodes", " ranks", " procs", " processes", " threads"};
        for (const std::string_view noun : nouns) {
            if (m_rest.starts_with(noun)
                && (m_rest.size() == noun.size() || !isNamePart(m_rest[noun.size()]))) {
                m_rest.remove_prefix(noun.size());
                return true;
            }
        }
        return false;
    }

    /// "eta: 1:02:03", "time: 12:03": of the day or of a run, which nobody can tell; "model time:
    /// 2021-01-01T00:01:00.000".
    bool skipClock()
    {
        constexpr size_t datedStamp = 19;
        const std::string_view stamp = m_rest.substr(0, m_rest.find_first_of(" ,;|)]"));
        if (stamp.size() >= datedStamp && isTimeStamp(stamp)) {
            m_rest.remove_prefix(stamp.size());
            return true;
        }
        std::string_view at = m_rest; // "1 day, 8:02:35"
        if (takeWholeCount(at) && (skip(at, " days, ") || skip(at, " day, ")) && !at.empty()
            && isDigit(at[0]))
            m_rest = at;
        size_t end = 0;
        int colons = 0;
        while (end < m_rest.size() && (isDigit(m_rest[end]) || m_rest[end] == ':')) {
            if (m_rest[end] == ':'
                && (end == 0 || end + 2 >= m_rest.size() || !isDigit(m_rest[end + 1])
                    || !isDigit(m_rest[end + 2])))
                return false;
            colons += m_rest[end] == ':' ? 1 : 0;
            ++end;
        }
        if (colons == 0 || colons > 2)
            return false;
        while (end < m_rest.size() && (isDigit(m_rest[end]) || m_rest[end] == '.'))
            ++end;
        m_rest.remove_prefix(end);
        return true;
    }

    /// "loss[loss=0.3, ctc_loss=0.2]": the names in the brackets belong to the one before.
    bool opensGroup(const NameWords& words) const
    {
        if (words.count != 1 || m_rest.size() < 4 || m_rest[0] != '[' || !isLetter(m_rest[1]))
            return false;
        const size_t equals = m_rest.substr(0, 64).find('=');
        return equals != std::string_view::npos
            && m_rest.substr(0, equals).find_first_of(" ]") == std::string_view::npos;
    }

    /// "Train - Loss: 0.3", "train | loss 0.3", "valid >> loss 0.3", "epoch 0 training [loss: 0.3]"
    bool opensSection(const NameWords& words) const
    {
        if (m_rest.size() > 1 && m_rest[0] == '[' && isLetter(m_rest[1]) && isSet(words.text))
            return true;
        const bool isProgram = m_out.count == 0 && m_rest.starts_with("| ")
            && words.text.data() == m_start && isUpper(words.text); // "GA | iter = 1 | Mean = -2.9"
        return words.count == 1 && (isSet(words.text) || isProgram)
            && (m_rest.starts_with("- ") || m_rest.starts_with("@ ") || m_rest.starts_with("| ")
                || m_rest.starts_with("> ") || m_rest.starts_with(">> ")
                || m_rest.starts_with("-> "));
    }

    static bool isUpper(std::string_view word)
    {
        return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    }

    bool isSet(std::string_view word) const { return m_names.set(word) != nullptr; }

    void add(LinePair pair)
    {
        pair.section = m_section;
        if (pair.group.empty())
            pair.group = m_group;
        if (m_isForeign)
            return;
        if (m_out.count < LinePairs::most)
            m_out.pairs[m_out.count++] = pair;
    }

    /// The value of what was noted last.
    void addNoted(const LinePair& pair)
    {
        const size_t before = m_out.count;
        add(pair);
        if (m_out.count > before && m_out.isLearnable)
            m_out.places[m_out.placeCount - 1].pair = static_cast<int>(before);
    }

    /// "1epoch", "1-500batch": a number directly before what it counts, of a range the last one.
    bool readCounted()
    {
        std::string_view at = m_rest;
        auto value = takeWholeCount(at);
        if (at.size() > 1 && at[0] == '-' && isDigit(at[1])) {
            at.remove_prefix(1);
            value = takeWholeCount(at);
        }
        static constexpr std::string_view words[] = {"epoch", "batch", "iter", "step", "update"};
        for (const std::string_view word : words) {
            if (!value || !at.starts_with(word)
                || (at.size() > word.size() && isWordCharacter(at[word.size()])))
                continue;
            LinePair pair{at.substr(0, word.size()), *value};
            pair.assigned = true;
            add(pair);
            m_rest = at.substr(word.size());
            skip(m_rest, ":");
            return true;
        }
        return false;
    }

    /// Something stands before the number that parts it from the words further in front.
    bool isParted() const
    {
        const char* at = m_rest.data();
        while (at > m_start && isSpace(at[-1]))
            --at;
        return at > m_start && std::string_view(",|;(").find(at[-1]) != std::string_view::npos;
    }

    /// "| 48.3% bf16 MFU |", ", 2.5 avg loss,": up to three words that something parts from what
    /// follows.
    bool takeNameBehind(LinePair& pair)
    {
        constexpr int mostBehind = 3;
        if (m_rest.size() < 2 || m_rest[0] != ' ' || !isLetter(m_rest[1]))
            return false;
        std::string_view at = m_rest.substr(1);
        const NameWords words = takeNameWords(at, m_names);
        skipSpaces(at);
        const bool ends =
            at.empty() || std::string_view(",|;)").find(at[0]) != std::string_view::npos;
        if (!ends || words.count > mostBehind || words.unit)
            return false;
        pair.name = words.text;
        pair.isBehind = true;
        m_rest = at;
        return true;
    }

    /// "9 CG iterations for temperature.", "u-equation: 8 CG iterations.": a solver's, and of what.
    bool takeIterations(LinePair& pair)
    {
        constexpr int mostBehind = 3;
        if (pair.total > 0 || pair.unit || pair.value != std::floor(pair.value) || m_rest.size() < 2
            || m_rest[0] != ' ' || !isLetter(m_rest[1]))
            return false;
        size_t end = 1;
        int words = 1;
        const auto isOfWord = [](char c) { return isLetter(c) || c == '-'; };
        for (; end < m_rest.size() && (isOfWord(m_rest[end]) || m_rest[end] == ' '); ++end) {
            if (m_rest[end] == ' ' && m_rest.substr(1, end - 1).ends_with("iterations"))
                break;
            words += m_rest[end] == ' ' ? 1 : 0;
        }
        const std::string_view name = m_rest.substr(1, end - 1);
        std::string_view behind = m_rest.substr(end), about = pair.name;
        if (words < 2 || words > mostBehind || !name.ends_with(" iterations"))
            return false;
        if (skip(behind, " for ")) {
            about = behind.substr(0, behind.find_first_of(".,"));
            behind.remove_prefix(about.size());
        }
        skip(behind, ".");
        if (!trimmed(behind).empty() || about.empty() || about.size() > 40)
            return false;
        m_out.about = about;
        pair.name = name;
        pair.assigned = true;
        m_rest = {};
        return true;
    }

    /// "Validation @ 500: {'rmse': 0.68}": where the program is.
    bool readAtSign(const LinePair& place, std::string_view from)
    {
        const bool isBehind =
            from.data() >= m_start + 2 && from.data()[-2] == '@' && from.data()[-1] == ' ';
        if (!isBehind || !m_rest.starts_with(": ") || place.unit || place.total > 0
            || place.value != std::floor(place.value) || place.value < 0)
            return false;
        LinePair step{"step", place.value};
        step.assigned = true;
        addNoted(step);
        return true;
    }

    /// "1 (QN/Block)  Elapsed: 7.451": how the iteration was done.
    void takeMethod()
    {
        constexpr size_t longest = 16;
        const size_t close = m_rest.starts_with(" (") ? m_rest.substr(0, longest).find(')') : 0;
        if (close < 3 || close == std::string_view::npos
            || !m_rest.substr(close + 1).starts_with(' '))
            return;
        const std::string_view method = m_rest.substr(2, close - 2);
        if (!std::all_of(method.begin(), method.end(),
                [](char c) { return isLetter(c) || c == '/' || c == '-'; }))
            return;
        m_out.about = method;
        m_rest.remove_prefix(close + 1);
    }

    /// What stands behind the number that a line begins with.
    enum class Lead { None, Space, Piped };
    static Lead leadOf(std::string_view behind)
    {
        if (behind.starts_with(" | "))
            return Lead::Piped;
        return behind.starts_with(' ') || behind.starts_with(": ") || behind.starts_with(":\t")
                || behind.starts_with(", ")
            ? Lead::Space
            : Lead::None;
    }

    void readNumber()
    {
        if (readCounted() || readOrdinal())
            return;
        const bool signedNumber = !isDigit(m_rest[0]);
        const bool leads = m_rest.data() == m_start;
        const bool parted = isParted();
        LinePair pair;
        std::string_view at = m_rest;
        if (takeValue(at, m_names, pair) && at.data() != m_rest.data()) {
            const std::string_view from = m_rest;
            m_rest = at;
            note(LinePairs::Place::Value, from);
            if (leads && pair.total == 0 && !pair.unit)
                takeMethod();
            if (readAtSign(pair, from))
                return;
            if (countsSteps(pair) || takeCountOfShare(pair) || takeNameBehindSign(pair, from)
                || readNamedRate(pair))
                return;
            if ((parted && pair.total == 0 && !(pair.unit && pair.unit->quantity)
                    && takeNameBehind(pair))
                || (m_out.count == 0 && m_out.strayWords == 0 && takeIterations(pair))) {
                addNoted(pair);
                return;
            }
            if (pair.total > 0 && !pair.unit && pair.value <= pair.total) {
                if (m_out.position.done < 0) {
                    m_out.position = {pair.value, pair.total, false, true, false};
                    setPosition(m_out.placeCount - 1);
                }
            } else if (pair.unit && pair.unit->quantity) {
                addNoted(pair);
            } else if (pair.unit && parted && (m_rest.empty() || m_rest.starts_with(" |"))) {
                addNoted(pair); // "| 7367.57ms"
            } else {
                m_leading += m_out.count == 0 && m_leading == m_out.strayWords ? 1 : 0;
                if (m_out.count == 0 && m_out.strayWords == 0 && !signedNumber && !pair.unit) {
                    m_out.places[m_out.placeCount - 1].isFirst = true;
                    if (pair.value == std::floor(pair.value)) {
                        m_firstLeads = leadOf(m_rest);
                        m_first = m_firstLeads == Lead::None ? -1 : pair.value;
                        m_firstPlace = m_out.placeCount - 1;
                    }
                }
                ++m_out.strayWords;
            }
            return;
        }
        m_out.strayWords += signedNumber ? 0 : 1;
        skipToken();
    }

    void readBracket()
    {
        const bool leads = m_rest.data() == m_start;
        m_rest.remove_prefix(1);
        if (leads && readEpoch())
            return;
        const size_t close = m_rest.substr(0, 32).find(']');
        const std::string_view inside =
            close == std::string_view::npos ? std::string_view() : m_rest.substr(0, close);
        const std::string_view named = inside.substr(inside.find(':') + 1);
        if (isSet(named)) { // "[valid] loss=0.3", "[Eval:valid] map=0.3"
            m_section = named;
            m_isForeign = false;
            m_rest.remove_prefix(close + 1);
            return;
        }
        if (!m_section.empty() && !inside.empty() && isLetter(inside[0])
            && inside.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos) {
            m_isForeign = true; // "[att_plot] time=0.3" behind "[valid] loss=0.3"
            m_rest.remove_prefix(close + 1);
            return;
        }
        const std::string_view from = m_rest;
        if (isTime(inside)) { // "[26/11 12:03:14]"
            m_rest.remove_prefix(close + 1);
            note(LinePairs::Place::Clock, from);
            return;
        }
        LinePosition position;
        if (!takeInBrackets(m_rest, ']', position))
            return;
        note(LinePairs::Place::Bracket, from);
        position.leads = leads;
        const bool better = m_out.position.done < 0 || m_out.position.total == 0;
        if (better && (position.total > 0 || leads)) {
            m_out.position = position;
            setPosition(m_out.placeCount - 1);
        }
    }

    /// "[0/5][50/1583]", "[2][10/800]", "[0/30][6]", "[1,  2000]": the first of two counts the
    /// epochs.
    bool readEpoch()
    {
        const std::string_view from = m_rest;
        std::string_view at = m_rest;
        LinePair epoch{"epoch"};
        if (at.empty() || !isDigit(at[0]) || !takeValue(at, m_names, epoch) || epoch.unit
            || !wholeCount(from.substr(0, from.find_first_of("/],"))))
            return false;
        const std::string_view behindEpoch = at;
        bool isPair = epoch.total == 0 && skip(at, ", ");
        if (isPair) {
            skipSpaces(at);
        } else {
            isPair = skip(at, "]");
            if (epoch.total > 0)
                skip(at, " ");
            isPair = isPair && skip(at, "[");
        }
        const std::string_view fromStep = at;
        LinePosition step;
        const bool isPlain = behindEpoch.starts_with(',');
        if (!isPair || !takeInBrackets(at, ']', step)
            || (step.total <= 0 && epoch.total <= 0 && !isPlain))
            return false;
        m_rest = behindEpoch;
        note(LinePairs::Place::Value, from);
        epoch.assigned = true;
        addNoted(epoch);
        m_rest = at;
        note(LinePairs::Place::Bracket, fromStep);
        m_out.position = step;
        setPosition(m_out.placeCount - 1);
        return true;
    }

    static bool isTime(std::string_view inside)
    {
        return inside.find(':') != std::string_view::npos && isDigit(inside[0])
            && inside.find_first_not_of("0123456789:/-., ") == std::string_view::npos;
    }

    void skipToken()
    {
        size_t end = 1;
        while (end < m_rest.size() && !isSpace(m_rest[end]) && m_rest[end] != ','
            && m_rest[end] != '|' && m_rest[end] != ']')
            ++end;
        m_rest.remove_prefix(end);
    }

    std::string_view m_rest;
    const char* m_start;
    Lead m_firstLeads = Lead::None;
    double m_first = -1; ///< the number that the line begins with; -1: it does not
    size_t m_firstPlace = 0;
    int m_leading = 0; ///< numbers before all words
    std::string_view m_section; ///< see LinePair
    std::string_view m_group;
    bool m_isForeign = false; ///< the numbers are of something else than a data set
    const MetricUnit* m_times = nullptr; ///< of all numbers behind "time (ms) |"
    const MetricNames& m_names;
    LinePairs& m_out;
};

/// "x   Potential Energy:   -855.525306   eV     x": a line of a box that is drawn with signs.
std::string_view withoutBorder(std::string_view text)
{
    constexpr size_t least = 8;
    const std::string_view line = trimmed(text);
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
    out.count = 0;
    out.position = {};
    out.subject = {};
    out.about = {};
    out.strayWords = 0;
    out.isMonitor = false;
    out.placeCount = 0;
    out.isLearnable = true;
    if (!readElement(text, out))
        LineReader(withoutBorder(text), names, out).read();
}

} // namespace slipway
