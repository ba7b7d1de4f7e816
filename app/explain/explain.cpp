// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/ranklabel.h"
#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

// What slipway.sh writes into the log when a step begins, and when it ends as expected.
constexpr std::string_view stepSign = "== ";
constexpr std::string_view endedWord = "ended with exit code ";
constexpr std::string_view meantWord = ", which is what this step shows";
constexpr size_t longestTitle = 500, mostMeantSteps = 10'000;

constexpr size_t bytesBefore = 1000,
                 bytesBehind = 1000; ///< bytes around an anchor that are passed to a regex

/// A piece of a line, cut at character boundaries.
QString piece(std::string_view text, size_t from, size_t length)
{
    const auto isInner = [&](size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
    };
    while (from > 0 && isInner(from))
        --from;
    size_t end = std::min(text.size(), from + length);
    while (isInner(end))
        ++end;
    return QString::fromUtf8(text.data() + from, qsizetype(end - from));
}

QString evidenceOf(std::string_view text, size_t at)
{
    const size_t most = Explainer::longestEvidence;
    const size_t from = at > most / 2 && text.size() > most ? at - most / 2 : 0;
    QString evidence = piece(text, from, most).trimmed();
    if (from > 0)
        evidence.prepend(u'…');
    if (from + most < text.size())
        evidence.append(u'…');
    return evidence;
}

/// A line that slipway-probe writes of a check ("warn  disk.tmp  …"). It is about the node and not
/// about the job's program; the rows behind these lines have explanations of their own.
bool isCheckLine(std::string_view text)
{
    static constexpr std::string_view states[] = {"ok    ", "warn  ", "fail  ", "skip  "};
    if (std::none_of(std::begin(states), std::end(states),
            [text](std::string_view state) { return text.starts_with(state); }))
        return false;
    const std::string_view id = text.substr(6, text.find(' ', 6) - 6);
    return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    });
}

/// Removes what PyTorch and Ray put before the lines of a process: "[rank3]: ", "[rank3]:E1120 …",
/// "(train pid=12) ".
void takeProcessLabel(std::string_view& text)
{
    size_t end = 0;
    if (text.starts_with("[rank"))
        end = text.find("]:");
    else if (text.starts_with('(') && text.substr(0, 120).find("pid=") != std::string_view::npos)
        end = text.find(") ");
    if (end == 0 || end == std::string_view::npos || end > 120)
        return;
    text.remove_prefix(end + 2);
    skipSpaces(text);
}

/// "ERROR    ", "ERROR - ", "ERROR:root:"
bool takeErrorLevel(std::string_view& text)
{
    std::string_view rest = text;
    if (!skip(rest, "ERROR") && !skip(rest, "CRITICAL") && !skip(rest, "FATAL"))
        return false;
    if (skip(rest, ":")) {
        const size_t logger = rest.find_first_of(": ");
        if (logger == std::string_view::npos || rest[logger] != ':')
            return false; // "ERROR: " is the program's own
        rest.remove_prefix(logger + 1);
    } else if (!rest.starts_with(' ')) {
        return false;
    }
    skipSpaces(rest);
    if (skip(rest, "-") || skip(rest, "|"))
        skipSpaces(rest);
    text = rest;
    return true;
}

/// "stderr: ", "[3] ", "worker-0  | ", "node1 slurmstepd[42]: "
bool takeStreamLabel(std::string_view& text)
{
    constexpr size_t longestLabel = 60;
    if (skip(text, "stderr: ") || skip(text, "stdout: "))
        return true;
    if (std::string_view rest = text; skip(rest, "[") && takeWholeCount(rest) && skip(rest, "] ")) {
        text = rest; // a counter or a rank: no matter
        return true;
    }
    const std::string_view begin = text.substr(0, longestLabel);
    size_t end = begin.find("]: ");
    if (end != std::string_view::npos && end > 0 && isDigit(begin[end - 1])) {
        text.remove_prefix(end + 3);
        return true;
    }
    end = begin.find(" | ");
    const std::string_view name = trimmed(begin.substr(0, std::min(end, begin.size())));
    if (end == std::string_view::npos || name.empty() || name.find(' ') != std::string_view::npos)
        return false;
    text.remove_prefix(end + 3);
    return true;
}

/// What the program printed, without what launchers, loggers and container engines put before it.
std::string_view messageOf(std::string_view text)
{
    text = peelPrefix(text).text;
    const auto take = [&text](auto label) {
        skipSpaces(text);
        return label(text);
    };
    if (take(takeStreamLabel))
        text = peelPrefix(text).text;
    take(takeErrorLevel);
    return trimmed(text);
}

} // namespace

void Explainer::Seen::add(const Seen& later)
{
    for (const EvidenceLine& one : later.lines)
        if (lines.size() < mostEvidence)
            lines.push_back(one);
    count += later.count;
    lastLine = std::max(lastLine, later.lastLine);
    also = also || later.also;
    unless = unless || later.unless;
    armedUntil = later.armedUntil;
}

Explainer::Explainer(std::shared_ptr<const HintBook> book)
    : m_book(std::move(book))
    , m_seen(m_book->matches().size())
    , m_meant(m_seen)
    , m_step(m_seen)
{
}

void Explainer::restart()
{
    for (std::vector<Seen>* seen : {&m_seen, &m_meant, &m_step})
        seen->assign(seen->size(), {});
    m_touched.clear();
    m_title.clear();
    m_stepBegin = 0;
    m_meantLines.clear();
    m_armed.clear();
    m_tracebacks = {};
    m_lastLine = 0;
}

Explainer::Seen& Explainer::stepSeen(int match)
{
    Seen& seen = m_step[size_t(match)];
    if (!seen.touched)
        m_touched.push_back(match);
    seen.touched = true;
    return seen;
}

void Explainer::endStep(std::vector<Seen>& place)
{
    for (int match : m_touched) {
        place[size_t(match)].add(m_step[size_t(match)]);
        m_step[size_t(match)] = {};
    }
    m_touched.clear();
    m_title.clear();
}

/// A line of the job itself about its steps. True: a step ended as expected, and the line contains
/// nothing else.
bool Explainer::readStepLine(const LogLine& line)
{
    // "== PyTorch ==" is the banner of an image.
    if (!line.text.starts_with(stepSign) || line.text.ends_with("=="))
        return false;
    const std::string_view text = line.text.substr(stepSign.size());
    const bool ofStep = !m_title.empty() && text.size() > m_title.size() + 2
        && text.starts_with(m_title) && text.substr(m_title.size(), 2) == ": ";
    if (!ofStep) {
        endStep(m_seen);
        m_title = text.substr(0, longestTitle);
        m_stepBegin = line.number;
        return false;
    }
    if (!text.substr(m_title.size() + 2).starts_with(endedWord) || !text.ends_with(meantWord))
        return false;
    endStep(m_meant);
    if (m_meantLines.size() < mostMeantSteps)
        m_meantLines.emplace_back(m_stepBegin, line.number);
    m_stepBegin = line.number;
    return true;
}

bool Explainer::matches(const HintMatch& match, std::string_view text, size_t at) const
{
    if (!match.regex)
        return true; // the anchor is the text
    const QString pattern = match.regex->pattern();
    const size_t from = at > bytesBefore ? at - bytesBefore : 0;
    if (from > 0 && pattern.startsWith(u'^'))
        return false;
    if (match.regex->match(piece(text, from, bytesBefore + bytesBehind)).hasMatch())
        return true;
    // Where it counts that the line begins there, labels in front of it do not.
    const std::string_view message = pattern.contains(u'^') ? messageOf(text) : text;
    return message.size() < text.size()
        && match.regex->match(piece(message, 0, bytesBefore + bytesBehind)).hasMatch();
}

void Explainer::note(Seen& seen, qint64 line, std::string_view text, size_t at)
{
    ++seen.count;
    seen.lastLine = line;
    if (seen.lines.size() < mostEvidence)
        seen.lines.push_back({line, evidenceOf(text, at)});
}

void Explainer::readTraceback(const LogLine& line, std::string_view text)
{
    const std::string_view label = line.text.substr(0, line.text.size() - text.size());
    for (const AnchorScan::Hit& hit : m_hits) {
        if (m_book->roles()[size_t(hit.anchor)].kind == HintBook::Role::Traceback) {
            m_tracebacks.begin(
                line.number, label, text, hit.position - std::min(hit.position, label.size()));
            return;
        }
    }
    if (m_tracebacks.isReading())
        m_tracebacks.read(line.number, label, text);
}

/// Whether no anchor occurs in any line of this shape.
bool Explainer::isQuiet(const LogLine& line)
{
    const bool* quiet = m_quiet.find(line.shape);
    if (!quiet)
        quiet = m_quiet.learn(line.shape, [&] {
            m_book->shapeScan().scan(line.shape->text, m_hits);
            return std::make_unique<bool>(m_hits.empty());
        });
    return quiet && *quiet;
}

void Explainer::read(const LogLine& line)
{
    m_lastLine = line.number;
    if (readStepLine(line))
        return;
    if (isQuiet(line))
        m_hits.clear();
    else
        m_book->scan().scan(line.text, m_hits);
    if (m_hits.empty() && m_armed.empty() && !m_tracebacks.isReading())
        return;
    if (isCheckLine(line.text))
        return;
    std::string_view text = line.text;
    takeRankLabel(text);
    takeProcessLabel(text);
    readTraceback(line, text);
    if (!m_armed.empty())
        readArmed(line, text);
    if (!m_hits.empty())
        readHits(line, text);
}

void Explainer::readHits(const LogLine& line, std::string_view text)
{
    const size_t label = line.text.size() - text.size();
    int claimed = -1; // if several plain hints match one line, the first one counts
    size_t claimedAt = 0;
    for (const AnchorScan::Hit& hit : m_hits) {
        const HintBook::Role& role = m_book->roles()[size_t(hit.anchor)];
        if (role.kind == HintBook::Role::Traceback)
            continue;
        const HintMatch& match = *m_book->matches()[size_t(role.match)].match;
        const size_t at = hit.position >= label ? hit.position - label : 0;
        switch (role.kind) {
        case HintBook::Role::Traceback:
            break;
        case HintBook::Role::Also:
            stepSeen(role.match).also = true;
            break;
        case HintBook::Role::Unless:
            stepSeen(role.match).unless = true;
            break;
        case HintBook::Role::After:
            if (std::find(m_armed.begin(), m_armed.end(), role.match) == m_armed.end())
                m_armed.push_back(role.match);
            stepSeen(role.match).armedUntil = line.number + match.within;
            break;
        case HintBook::Role::Main:
            if (!(match.where & HintMatch::Log))
                break; // a message that only Slipway itself receives
            if (match.isConditional() && stepSeen(role.match).lastLine == line.number)
                break; // a second match in one line does not count
            if (!match.isConditional() && claimed >= 0 && claimed <= role.match)
                break;
            if (!matches(match, text, at))
                break;
            if (match.isConditional())
                note(stepSeen(role.match), line.number, text, at);
            else
                claimed = role.match, claimedAt = at;
            break;
        }
    }
    if (claimed >= 0)
        note(stepSeen(claimed), line.number, text, claimedAt);
}

/// The lines after a question: the answer itself is too short to be searched for everywhere.
void Explainer::readArmed(const LogLine& line, std::string_view text)
{
    std::erase_if(m_armed, [&](int number) {
        Seen& seen = stepSeen(number);
        if (line.number > seen.armedUntil)
            return true;
        if (!m_book->matches()[size_t(number)].match->occursIn(piece(text, 0, bytesBefore)))
            return false;
        note(seen, line.number, text, 0);
        return true;
    });
}

void Explainer::take(const MetricEvent& event)
{
    // An event may come after the lines that follow its own.
    const bool meant =
        std::any_of(m_meantLines.begin(), m_meantLines.end(), [&event](const auto& lines) {
            return event.line >= lines.first && event.line <= lines.second;
        });
    for (const size_t i : m_book->eventMatches()) {
        const HintMatch& match = *m_book->matches()[i].match;
        if (event.event == match.text) {
            const std::string text = event.text.toStdString();
            const bool now = event.line == 0 || event.line >= m_stepBegin;
            note(meant ? m_meant[i] : now ? stepSeen(int(i)) : m_seen[i], event.line, text, 0);
        }
    }
}

std::vector<Explanation> explain(
    const std::shared_ptr<const HintBook>& book, QByteArrayView log, const ExplainContext& context)
{
    Explainer explainer(book);
    LineAssembler assembler;
    const auto sink = [&explainer](const LogLine& line) { explainer.read(line); };
    assembler.feed(log, sink);
    assembler.finish(sink);
    return explainer.result(context);
}

} // namespace slipway
