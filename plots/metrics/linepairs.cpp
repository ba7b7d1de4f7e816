// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linepairs.h"

#include "plots/metrics/scan.h"

#include <cmath>

namespace slipway {

namespace {

constexpr int mostWords = 10; ///< of a name

bool startsName(char c)
{
    return isOfKind(c, bytekind::letter | bytekind::underscore) || c == '%';
}

bool isNamePart(char c)
{
    return isOfKind(c,
        bytekind::letter | bytekind::digit | bytekind::underscore | bytekind::joiner
            | bytekind::mark);
}

/// Words up to a colon, an equals sign or a number: "elapsed time per iteration (ms)".
struct Words {
    std::string_view text;
    std::string_view last; ///< the last one
    int count = 0;
    const MetricUnit* unit = nullptr; ///< in parentheses behind them
};

/// "(ms)" behind a name is its unit, "(train)" belongs to the name.
bool takeParentheses(std::string_view& at, Words& words, const MetricNames& names)
{
    const size_t end = behindParenthesis(at);
    if (end == std::string_view::npos || end < 3)
        return false;
    std::string_view inside = trimmed(at.substr(1, end - 2));
    const MetricUnit* unit = takeMetricUnit(inside, names);
    if (unit && inside.empty())
        words.unit = unit;
    else if (!startsName(at[1]))
        return false;
    at.remove_prefix(end);
    return true;
}

Words takeWords(std::string_view& rest, const MetricNames& names)
{
    std::string_view at = rest;
    Words words;
    for (;;) {
        const char* const start = at.data();
        size_t end = 0;
        while (end < at.size() && isNamePart(at[end]))
            ++end;
        at.remove_prefix(end);
        if (!at.empty() && at[0] == '(')
            takeParentheses(at, words, names);
        words.last = std::string_view(start, static_cast<size_t>(at.data() - start));
        words.text = std::string_view(rest.data(), static_cast<size_t>(at.data() - rest.data()));
        ++words.count;
        if (at.size() < 2 || at[0] != ' ')
            break;
        if (at[1] == '(' && !words.unit) {
            std::string_view behind = at.substr(1);
            if (takeParentheses(behind, words, names)) {
                at = behind;
                break;
            }
            words.unit = nullptr;
            break;
        }
        if (!startsName(at[1]) || at[1] == '%')
            break;
        const char c = at[1];
        if ((c == 'n' || c == 'N' || c == 'i' || c == 'I')) { // "loss nan"
            std::string_view number = at.substr(1);
            const bool word = takeNumber(number) && number.size() > 1 && number[0] == ' '
                && isLetter(number[1]); // "number of nan iterations"
            if (number.size() + 1 != at.size() && !word)
                break;
        }
        if (words.count >= mostWords)
            break;
        at.remove_prefix(1);
    }
    rest = at;
    return words;
}

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
            if (startsName(c) || c == '\'' || c == '"')
                readName();
            else if (isDigit(c) || c == '-' || c == '+')
                readNumber();
            else if (c == '[')
                readBracket();
            else
                m_rest.remove_prefix(1);
        }
        placeByFirstNumber();
    }

private:
    /// "   1 F= -.371E+02 E0= -.371E+02": a number before nothing but names with theirs counts the
    /// lines. One name is not enough: code that is printed with its line numbers looks like it.
    void placeByFirstNumber()
    {
        if (m_first < 0 || m_out.count < 2 || m_out.strayWords != 1 || m_out.position.done >= 0)
            return;
        for (size_t i = 0; i < m_out.count; ++i) {
            if (!m_out.pairs[i].assigned)
                return;
        }
        m_out.strayWords = 0;
        m_out.position = {m_first, 0, true, false, false};
    }

    void readName()
    {
        Words words;
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
            words = takeWords(m_rest, m_names);
        }
        skipSpaces(m_rest);
        const bool below = m_rest.starts_with("< ");
        const bool assigned = below || skip(m_rest, ":") || skip(m_rest, "=");
        if (below)
            m_rest.remove_prefix(1);
        skipSpaces(m_rest);
        skip(m_rest, "#");
        skipSpaces(m_rest);
        LinePair pair{words.text};
        pair.assigned = assigned;
        pair.isQuoted = quote != '\0';
        if (!takeValue(m_rest, m_names, pair)) {
            if (assigned && m_out.count == 0)
                m_out.subject = words.text;
            else if (m_rest.starts_with(',') && words.text.find(" for ") != std::string_view::npos)
                m_out.about = words.last;
            else
                m_out.strayWords += words.count;
            return;
        }
        if (!pair.unit)
            pair.unit = words.unit;
        add(pair);
    }

    void add(const LinePair& pair)
    {
        if (m_out.count < LinePairs::most)
            m_out.pairs[m_out.count++] = pair;
    }

    void readNumber()
    {
        const bool signedNumber = !isDigit(m_rest[0]);
        LinePair pair;
        std::string_view at = m_rest;
        if (takeValue(at, m_names, pair) && at.data() != m_rest.data()) {
            m_rest = at;
            if (pair.total > 0 && !pair.unit) {
                if (m_out.position.done < 0)
                    m_out.position = {pair.value, pair.total, false, true, false};
            } else if (pair.unit && pair.unit->quantity) {
                add(pair);
            } else {
                if (m_out.count == 0 && m_out.strayWords == 0 && !signedNumber && !pair.unit
                    && pair.value == std::floor(pair.value) && m_rest.starts_with(' '))
                    m_first = pair.value;
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
        LinePosition position;
        if (!takeInBrackets(m_rest, ']', position))
            return;
        position.leads = leads;
        const bool better = m_out.position.done < 0 || m_out.position.total == 0;
        if (better && (position.total > 0 || leads))
            m_out.position = position;
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
    double m_first = -1; ///< the number that the line begins with; -1: it does not
    const MetricNames& m_names;
    LinePairs& m_out;
};

} // namespace

void readPairs(std::string_view text, const MetricNames& names, LinePairs& out)
{
    out.count = 0;
    out.position = {};
    out.subject = {};
    out.about = {};
    out.strayWords = 0;
    LineReader(text, names, out).read();
}

} // namespace slipway
