// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/turnlanes.h"

#include "plots/metrics/recogniser.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <map>

namespace slipway {

namespace {

bool isOfWord(char c)
{
    return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.' || (c & 0x80) != 0;
}

/// The words of the line up to its last number, without numbers and their units: "conv1 loss rate"
/// of "conv1: loss 0.5s, rate 1e-3".
std::string wordsOf(std::string_view text)
{
    std::string words;
    words.reserve(text.size());
    size_t end = 0; // what is said behind the last number is no name
    for (size_t i = 0; i < text.size();) {
        const auto follows = [&](size_t at) { return at < text.size() && isOfWord(text[at]); };
        const bool isBegin = i == 0 || !isOfWord(text[i - 1]) || text[i - 1] == '-';
        if (isDigit(text[i]) && isBegin && (words.empty() || !isOfWord(words.back()))) {
            while (follows(i))
                ++i;
            end = words.size();
            continue;
        }
        const bool isJoint = text[i] == '.' || text[i] == '-';
        const bool isInWord =
            isJoint ? !words.empty() && words.back() != ' ' && follows(i + 1) : isOfWord(text[i]);
        if (isInWord)
            words += text[i];
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
        ++i;
    }
    constexpr size_t longestWords = 256; // further on nothing differs that could be a name
    words.resize(std::min({end, words.size(), longestWords}));
    return words;
}

bool hasSameNumbers(const std::vector<Sample>& samples, const std::vector<Sample>& others)
{
    return std::equal(samples.begin(), samples.end(), others.begin(), others.end(),
        [](const Sample& a, const Sample& b) { return a.y == b.y; });
}

bool isAtX(const Sample& sample)
{
    return sample.xName != QLatin1String("line");
}

} // namespace

/// Whether the lines that are held may be of several that take turns: no two of the first round are
/// equal, and those behind it come in the same order.
bool TurnLanes::mayTakeTurns(Form& form) const
{
    const std::vector<Line>& held = form.held;
    const size_t last = held.size() - 1;
    const auto isLast = [&](const Line& line) { return line.words == held[last].words; };
    if (held[last].form != held[0].form)
        return false; // other names as well: no other subject
    if (last == 1 && hasSameNumbers(held[0].samples, held[1].samples))
        return false; // two handlers of a logger
    if (form.inRound > 0)
        return isLast(held[last - form.inRound]);
    const auto same = std::find_if(held.begin(), held.end() - 1, isLast);
    if (same == held.end() - 1)
        return held.size() <= mostTurns;
    constexpr size_t fewest = 2;
    form.inRound = last;
    return same == held.begin() && last >= fewest;
}

/// Two lines may have different words by chance. They do not where each round stands at one place.
bool TurnLanes::isProven(const Form& form)
{
    const size_t inRound = form.inRound;
    if (inRound == 0)
        return false;
    const auto x = [&form](size_t i) { return form.held[i].samples.front().x; };
    const bool isPlaced =
        isAtX(form.held.front().samples.front()) && x(0) == x(inRound - 1) && x(0) != x(inRound);
    constexpr size_t fewTurns = 2;
    const size_t rounds = inRound > fewTurns || isPlaced ? 2 : 3;
    return form.held.size() >= rounds * inRound;
}

/// What differs in the words, as a person would say it; empty: nothing that names anything.
QString TurnLanes::laneOf(const Form& form, std::string_view words) const
{
    constexpr size_t longest = 40;
    if (words.size() <= form.before.size() + form.behind.size() || !words.starts_with(form.before)
        || !words.ends_with(form.behind))
        return {};
    words.remove_prefix(form.before.size());
    words.remove_suffix(form.behind.size());
    const auto isEdge = [](char c) { return !isLetter(c) && !isDigit(c) && !(c & 0x80); };
    while (!words.empty() && isEdge(words.front()))
        words.remove_prefix(1);
    while (!words.empty() && isEdge(words.back()) && words.back() != '+')
        words.remove_suffix(1);
    const bool isName = !words.empty() && words.size() <= longest && !m_names.unit(words);
    return isName ? labelText(words) : QString();
}

/// False: what differs are no names.
bool TurnLanes::nameTurns(Form& form) const
{
    const std::string& first = form.held.front().words;
    size_t before = first.size(), behind = first.size();
    for (size_t i = 1; i < form.inRound; ++i) {
        const std::string& other = form.held[i].words;
        const auto ends = std::mismatch(first.begin(), first.end(), other.begin(), other.end());
        before = std::min<size_t>(before, size_t(ends.first - first.begin()));
        const auto begins =
            std::mismatch(first.rbegin(), first.rend(), other.rbegin(), other.rend());
        behind = std::min<size_t>(behind, size_t(begins.first - first.rbegin()));
    }
    while (before > 0 && isOfWord(first[before - 1]))
        --before;
    while (behind > 0 && isOfWord(first[first.size() - behind]))
        --behind;
    form.before = first.substr(0, before);
    form.behind = first.substr(first.size() - behind);
    for (size_t i = 0; i < form.inRound; ++i) {
        const std::string& words = form.held[i].words;
        const QString lane = laneOf(form, words);
        const bool isOther = std::none_of(form.turns.begin(), form.turns.end(),
            [&lane](const Turn& turn) { return turn.lane == lane; });
        if (lane.isEmpty() || !isOther)
            return false;
        form.turns.push_back({words, lane});
    }
    return true;
}

void TurnLanes::give(Form& form, Line& line, MetricSink& sink)
{
    auto turn = std::find_if(form.turns.begin(), form.turns.end(),
        [&line](const Turn& each) { return each.words == line.words; });
    if (turn == form.turns.end() && !form.turns.empty() && form.turns.size() < mostTurns) {
        if (const QString lane = laneOf(form, line.words); !lane.isEmpty())
            turn = form.turns.insert(turn, {line.words, lane});
    }
    if (turn == form.turns.end()) {
        m_held.take(line.form, line.proof, line.samples, sink);
        return;
    }
    for (Sample& sample : line.samples)
        addToLane(sample.lane, turn->lane);
    const bool isUnsure = line.proof == Proof::Place || line.proof == Proof::Alone;
    m_held.take(line.form * 31 + qHash(turn->lane), isUnsure ? Proof::Turn : line.proof,
        line.samples, sink);
}

void TurnLanes::giveHeld(Form& form, MetricSink& sink)
{
    std::vector<Line> held = std::move(form.held);
    form.held = {};
    m_waiting -= held.size();
    for (Line& line : held)
        give(form, line, sink);
}

void TurnLanes::take(
    size_t form, std::string_view text, Proof proof, std::vector<Sample>& samples, MetricSink& sink)
{
    if (samples.empty())
        return;
    const size_t key = qHash(samples.front().series);
    const bool isFull = m_forms.size() >= mostForms && !m_forms.contains(key);
    Form* const turns = isFull ? nullptr : &m_forms[key];
    const bool isOfOne = samples.front().line == samples.back().line;
    if (!turns || turns->isNone || !isOfOne || !samples.front().lane.isEmpty()) {
        m_held.takeLines(form, proof, samples, sink);
        return;
    }
    Line line{wordsOf(text), form, proof, std::move(samples)};
    samples.clear();
    if (!turns->turns.empty()) {
        give(*turns, line, sink);
        return;
    }
    turns->held.push_back(std::move(line));
    ++m_waiting;
    turns->isNone = !mayTakeTurns(*turns) || (isProven(*turns) && !nameTurns(*turns));
    if (turns->isNone)
        turns->turns.clear();
    if (turns->isNone || !turns->turns.empty())
        giveHeld(*turns, sink);
}

void TurnLanes::pass(const Sample& first, MetricSink& sink)
{
    const auto found = m_waiting > 0 ? m_forms.find(qHash(first.series)) : m_forms.end();
    if (found == m_forms.end() || found->second.held.empty())
        return;
    found->second.isNone = true;
    giveHeld(found->second, sink);
}

void TurnLanes::finish(MetricSink& sink)
{
    std::map<qint64, size_t> byLine;
    for (const auto& [key, form] : m_forms) {
        if (!form.held.empty())
            byLine.insert_or_assign(form.held.front().samples.front().line, key);
    }
    for (const auto& [line, key] : byLine)
        giveHeld(m_forms[key], sink);
    m_forms.clear();
}

} // namespace slipway
