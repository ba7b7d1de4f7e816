// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"

#include "plots/metrics/ranklabel.h"
#include "remote/base/tr.h"

#include <QSet>

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

/// The title with the name that its line holds: of a module, for example.
QString titleOf(const Hint& hint, const QString& evidence)
{
    constexpr qsizetype longestName = 40;
    for (const HintMatch& match : hint.matches) {
        if (hint.namedTitle.isEmpty() || !match.regex)
            continue;
        const QString name = match.regex->match(evidence).captured(QStringLiteral("name"));
        if (!name.isEmpty() && name.size() <= longestName)
            return QString(hint.namedTitle).replace(QStringLiteral("{name}"), name);
    }
    return hint.title;
}

/// "QOSMax*" matches all words with that beginning.
bool fitsWord(const QString& pattern, const QString& word)
{
    if (pattern.endsWith(u'*'))
        return word.startsWith(QStringView(pattern).chopped(1), Qt::CaseInsensitive);
    return word.compare(pattern, Qt::CaseInsensitive) == 0;
}

bool fitsText(const HintMatch& match, const QString& text)
{
    return match.regex ? match.regex->match(text).hasMatch()
                       : text.contains(match.text, Qt::CaseInsensitive);
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

} // namespace

struct Explainer::Finding {
    int hint;
    qint64 line;
    QString evidence;
    bool meant = false;
};

void Explainer::Seen::add(const Seen& later)
{
    if (count == 0) {
        line = later.line;
        evidence = later.evidence;
    }
    count += later.count;
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
    const size_t from = at > bytesBefore ? at - bytesBefore : 0;
    if (from > 0 && match.regex->pattern().startsWith(u'^'))
        return false;
    return match.regex->match(piece(text, from, bytesBefore + bytesBehind)).hasMatch();
}

void Explainer::note(Seen& seen, qint64 line, std::string_view text, size_t at)
{
    if (seen.count++ > 0)
        return;
    seen.line = line;
    seen.evidence = evidenceOf(text, at);
}

void Explainer::read(const LogLine& line)
{
    if (readStepLine(line))
        return;
    m_book->scan().scan(line.text, m_hits);
    if ((m_hits.empty() && m_armed.empty()) || isCheckLine(line.text))
        return;
    std::string_view text = line.text;
    takeRankLabel(text);
    const size_t label = line.text.size() - text.size();
    if (!m_armed.empty())
        readArmed(line, text);
    int claimed = -1; // if several plain hints match one line, the first one counts
    size_t claimedAt = 0;
    for (const AnchorScan::Hit& hit : m_hits) {
        const HintBook::Role& role = m_book->roles()[size_t(hit.anchor)];
        const HintMatch& match = *m_book->matches()[size_t(role.match)].match;
        Seen& seen = stepSeen(role.match);
        const size_t at = hit.position >= label ? hit.position - label : 0;
        switch (role.kind) {
        case HintBook::Role::Also:
            seen.also = true;
            break;
        case HintBook::Role::Unless:
            seen.unless = true;
            break;
        case HintBook::Role::After:
            if (std::find(m_armed.begin(), m_armed.end(), role.match) == m_armed.end())
                m_armed.push_back(role.match);
            seen.armedUntil = line.number + match.within;
            break;
        case HintBook::Role::Main:
            if (match.isConditional() && seen.line == line.number)
                break; // a second match in one line does not count
            if (!match.isConditional() && claimed >= 0 && claimed <= role.match)
                break;
            if (!matches(match, text, at))
                break;
            if (match.isConditional())
                note(seen, line.number, text, at);
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
        if (!fitsText(*m_book->matches()[size_t(number)].match, piece(text, 0, bytesBefore)))
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
    for (size_t i = 0; i < m_seen.size(); ++i) {
        const HintMatch& match = *m_book->matches()[i].match;
        if ((match.where & HintMatch::Event) && event.event == match.text) {
            const std::string text = event.text.toStdString();
            const bool now = event.line == 0 || event.line >= m_stepBegin;
            note(meant ? m_meant[i] : now ? stepSeen(int(i)) : m_seen[i], event.line, text, 0);
        }
    }
}

void Explainer::lookAtScheduler(const ExplainContext& context, std::vector<Finding>& found) const
{
    const QStringList refusal = context.refusal.split(u'\n', Qt::SkipEmptyParts);
    QSet<QString> claimed;
    for (const HintBook::Match& one : m_book->matches()) {
        const HintMatch& match = *one.match;
        if (match.where & HintMatch::Submit) {
            for (const QString& line : refusal) {
                if (!claimed.contains(line) && match.after.isEmpty() && fitsText(match, line)) {
                    claimed.insert(line);
                    found.push_back({one.hint, 0, line.trimmed().left(longestEvidence)});
                }
            }
        }
        if ((match.where & HintMatch::Reason) && fitsWord(match.text, context.reason.trimmed()))
            found.push_back({one.hint, 0, context.reason.trimmed()});
        // "CANCELLED by 1001": the first word is the state.
        const QString state = context.state.trimmed().section(u' ', 0, 0);
        if ((match.where & HintMatch::State) && fitsWord(match.text, state))
            found.push_back({one.hint, 0, state});
    }
}

bool Explainer::holds(const HintMatch& match, const Seen& seen)
{
    return seen.count >= match.times && (match.also.isEmpty() || seen.also) && !seen.unless;
}

/// The matches of each hint, with the first line of the log that shows it.
std::vector<Explainer::Finding> Explainer::findings(const ExplainContext& context) const
{
    std::vector<Finding> found;
    for (size_t i = 0; i < m_seen.size(); ++i) {
        Seen seen = m_seen[i];
        seen.add(m_step[i]);
        if (holds(*m_book->matches()[i].match, seen))
            found.push_back({m_book->matches()[i].hint, seen.line, seen.evidence});
    }
    lookAtScheduler(context, found);
    std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
        const auto rank = [](const Finding& one) { return std::pair(one.line == 0, one.line); };
        return rank(a) < rank(b);
    });
    return found;
}

/// Failures shown by steps that were expected to fail, without weak hints.
std::vector<Explainer::Finding> Explainer::meantFindings() const
{
    std::vector<Finding> found;
    for (size_t i = 0; i < m_meant.size(); ++i) {
        const HintBook::Match& one = m_book->matches()[i];
        if (holds(*one.match, m_meant[i]) && !m_book->hints()[size_t(one.hint)].weak)
            found.push_back({one.hint, m_meant[i].line, m_meant[i].evidence, true});
    }
    return found;
}

Explanation Explainer::explanation(const Finding& finding, const ExplainContext& context) const
{
    const Hint& hint = m_book->hints()[size_t(finding.hint)];
    // GPU messages of a job without a GPU, expected failures of a step, and messages that did not
    // keep the job from ending well are notes, not faults.
    const bool harmless = finding.meant || (hint.gpu && context.gpus == 0)
        || (context.endedWell == true && !hint.endsWell);
    Explanation one{hint.id, finding.line, finding.evidence, titleOf(hint, finding.evidence),
        hint.cause, hint.remedy, harmless ? Explanation::Severity::Note : hint.severity,
        hint.change};
    if (finding.meant) {
        one.remedy = tr("Nothing to do: this step demonstrates the failure.");
        one.change.reset();
        return one;
    }
    one.remedy = hint.remedies.value(context.facts.value(QStringLiteral("runtime")), hint.remedy);
    for (auto fact = hint.facts.begin(); fact != hint.facts.end(); ++fact) {
        if (const QString value = context.facts.value(fact.key()); !value.isEmpty())
            one.remedy += u' ' + QString(fact.value()).replace(QStringLiteral("{value}"), value);
    }
    if (one.change)
        one.change = filledIn(*one.change, finding.evidence, context.facts);
    return one;
}

std::vector<Explanation> Explainer::result(const ExplainContext& context) const
{
    std::vector<Finding> found = findings(context);
    const auto hintOf = [this](const Finding& one) -> const Hint& {
        return m_book->hints()[size_t(one.hint)];
    };
    std::erase_if(found, [&](const Finding& one) {
        return hintOf(one).onlyAfterFailure && context.endedWell != false;
    });
    QSet<QString> ids;
    bool sure = false;
    for (const Finding& one : found) {
        ids.insert(hintOf(one).id);
        sure = sure || (!hintOf(one).weak && hintOf(one).severity == Explanation::Severity::Fault);
    }
    std::vector<Explanation> faults, notes;
    const auto tell = [&](const Finding& finding) {
        Explanation one = explanation(finding, context);
        const bool fault = one.severity == Explanation::Severity::Fault;
        const auto same = [&](const Explanation& other) {
            return other.id == one.id && (fault || other.title == one.title);
        };
        std::vector<Explanation>& place = fault ? faults : notes;
        const bool asFault = finding.meant && std::any_of(faults.begin(), faults.end(), same);
        if (!asFault && std::none_of(place.begin(), place.end(), same))
            place.push_back(std::move(one));
    };
    for (const Finding& finding : found) {
        const Hint& hint = hintOf(finding);
        const bool yields = std::any_of(hint.yieldsTo.begin(), hint.yieldsTo.end(),
            [&](const QString& id) { return ids.contains(id); });
        if (!yields && !(hint.weak && (sure || context.endedWell == true)))
            tell(finding);
    }
    const std::vector<Finding> meant = meantFindings();
    for (const Finding& finding : meant)
        ids.insert(hintOf(finding).id);
    for (const Finding& finding : meant) {
        const QStringList& better = hintOf(finding).yieldsTo;
        if (std::none_of(
                better.begin(), better.end(), [&](const QString& id) { return ids.contains(id); }))
            tell(finding);
    }
    const auto place = [](const Explanation& one) { return std::pair(one.line == 0, one.line); };
    std::stable_sort(notes.begin(), notes.end(),
        [&](const Explanation& a, const Explanation& b) { return place(a) < place(b); });
    faults.insert(
        faults.end(), std::make_move_iterator(notes.begin()), std::make_move_iterator(notes.end()));
    return faults;
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
