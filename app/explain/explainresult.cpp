// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"

#include "remote/base/tr.h"

#include <QSet>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestName = 40;

/// The groups of a match by name. A name that is too long is no name.
QMap<QString, QString> groupsOf(
    const QRegularExpression& regex, const QRegularExpressionMatch& found)
{
    QMap<QString, QString> groups;
    for (const QString& name : regex.namedCaptureGroups()) {
        const QString text = name.isEmpty() ? QString() : found.captured(name);
        if (!text.isEmpty() && text.size() <= longestName)
            groups.insert(name, text);
    }
    return groups;
}

/// What a regex of the hint captures in its evidence. The first regex that matches it counts.
QMap<QString, QString> groupsOf(const Hint& hint, const QString& evidence)
{
    for (const HintMatch& match : hint.matches) {
        if (!match.regex)
            continue;
        const QRegularExpressionMatch found = match.regex->match(evidence);
        if (found.hasMatch())
            return groupsOf(*match.regex, found);
    }
    return {};
}

/// The text with its placeholders filled in; empty where one is unknown.
QString filledText(QString text, const QMap<QString, QString>& groups)
{
    for (auto group = groups.begin(); group != groups.end(); ++group)
        text.replace(u'{' + group.key() + u'}', group.value());
    return text.contains(u'{') ? QString() : text;
}

/// The first sentence whose regex matches one of the lines.
QString detailOf(const Hint& hint, const std::vector<EvidenceLine>& lines)
{
    for (const HintDetail& detail : hint.details) {
        for (const EvidenceLine& line : lines) {
            const QRegularExpressionMatch found = detail.regex.match(line.text);
            if (!found.hasMatch())
                continue;
            const QString text = filledText(detail.text, groupsOf(detail.regex, found));
            if (!text.isEmpty())
                return text;
        }
    }
    return {};
}

/// "QOSMax*" matches all words with that beginning.
bool fitsWord(const QString& pattern, const QString& word)
{
    if (pattern.endsWith(u'*'))
        return word.startsWith(QStringView(pattern).chopped(1), Qt::CaseInsensitive);
    return word.compare(pattern, Qt::CaseInsensitive) == 0;
}

/// "signal 9", of an exit code above 128 too; empty: no signal.
QString signalOf(const ExplainContext& context)
{
    if (context.signal.value_or(0) > 0)
        return QStringLiteral("signal %1").arg(*context.signal);
    const int code = context.exitCode.value_or(0);
    return code > 128 && code < 128 + 65 ? QStringLiteral("signal %1").arg(code - 128) : QString();
}

void sortLines(std::vector<EvidenceLine>& lines)
{
    std::stable_sort(lines.begin(), lines.end(),
        [](const EvidenceLine& a, const EvidenceLine& b) { return a.line < b.line; });
    lines.erase(std::unique(lines.begin(), lines.end(),
                    [](const EvidenceLine& a, const EvidenceLine& b) {
                        return a.line > 0 && a.line == b.line;
                    }),
        lines.end());
}

/// What is reported, each once: faults before notes.
struct Reported {
    std::vector<Explanation> faults, notes;

    void add(Explanation one, bool meant)
    {
        const bool fault = one.severity == Explanation::Severity::Fault;
        const auto same = [&](const Explanation& other) {
            return other.id == one.id && (fault || other.title == one.title);
        };
        std::vector<Explanation>& place = fault ? faults : notes;
        const bool asFault = meant && std::any_of(faults.begin(), faults.end(), same);
        if (!asFault && std::none_of(place.begin(), place.end(), same))
            place.push_back(std::move(one));
    }
    std::vector<Explanation> inOrder()
    {
        const auto place = [](const Explanation& one) {
            return std::pair(one.line == 0, one.line);
        };
        std::stable_sort(notes.begin(), notes.end(),
            [&](const Explanation& a, const Explanation& b) { return place(a) < place(b); });
        faults.insert(faults.end(), std::make_move_iterator(notes.begin()),
            std::make_move_iterator(notes.end()));
        return std::move(faults);
    }
};

} // namespace

/// A hint that was found: all its matches together.
struct Explainer::Finding {
    int hint;
    std::vector<EvidenceLine> lines; ///< the first is the evidence
    int count = 1;
    bool meant = false;

    qint64 line() const { return lines.front().line; }
    /// Takes the lines of a consequence.
    void take(const Finding& other)
    {
        for (const EvidenceLine& one : other.lines)
            if (one.line > 0 && one.line > line())
                lines.push_back(one);
        std::stable_sort(lines.begin() + 1, lines.end(),
            [](const EvidenceLine& a, const EvidenceLine& b) { return a.line < b.line; });
        count += other.count;
    }
};

void Explainer::lookAtScheduler(const ExplainContext& context, std::vector<Finding>& found) const
{
    const QStringList refusal = context.refusal.split(u'\n', Qt::SkipEmptyParts);
    const QString signal = signalOf(context);
    const auto add = [&](int hint, const QString& text) {
        const auto same = std::find_if(
            found.begin(), found.end(), [hint](const Finding& one) { return one.hint == hint; });
        if (same == found.end())
            found.push_back({hint, {{0, text}}});
    };
    QSet<QString> claimed;
    for (const HintBook::Match& one : m_book->matches()) {
        const HintMatch& match = *one.match;
        if (match.where & HintMatch::Submit) {
            for (const QString& line : refusal) {
                if (!claimed.contains(line) && match.after.isEmpty() && match.occursIn(line)) {
                    claimed.insert(line);
                    add(one.hint, line.trimmed().left(longestEvidence));
                }
            }
        }
        if ((match.where & HintMatch::Reason) && fitsWord(match.text, context.reason.trimmed()))
            add(one.hint, context.reason.trimmed());
        // "CANCELLED by 1001": the first word is the state.
        const QString state = context.state.trimmed().section(u' ', 0, 0);
        if ((match.where & HintMatch::State) && fitsWord(match.text, state))
            add(one.hint, state);
        if ((match.where & HintMatch::Exit) && !signal.isEmpty() && match.occursIn(signal))
            add(one.hint, signal);
    }
}

bool Explainer::holds(const HintMatch& match, const Seen& seen)
{
    return seen.count >= match.times && (match.also.isEmpty() || seen.also) && !seen.unless;
}

/// All matches of a hint become one finding.
void Explainer::addFinding(std::vector<Finding>& found, int hint, const Seen& seen) const
{
    const auto same = std::find_if(
        found.begin(), found.end(), [hint](const Finding& one) { return one.hint == hint; });
    if (same == found.end()) {
        found.push_back({hint, seen.lines, seen.count});
        return;
    }
    same->lines.insert(same->lines.end(), seen.lines.begin(), seen.lines.end());
    const size_t both = same->lines.size();
    sortLines(same->lines);
    // A line that two texts of the hint match counts once.
    same->count += seen.count - int(both - same->lines.size());
}

/// The hints that were found, in the order of their first lines; those of the scheduler are last.
std::vector<Explainer::Finding> Explainer::findings(const ExplainContext& context) const
{
    std::vector<Finding> found;
    for (size_t i = 0; i < m_seen.size(); ++i) {
        Seen seen = m_seen[i];
        seen.add(m_step[i]);
        if (!seen.lines.empty() && holds(*m_book->matches()[i].match, seen))
            addFinding(found, m_book->matches()[i].hint, seen);
    }
    lookAtScheduler(context, found);
    std::erase_if(found, [&](const Finding& one) {
        const Hint& hint = m_book->hints()[size_t(one.hint)];
        return (hint.onlyAfterFailure && context.endedWell != false) || !fits(hint, context);
    });
    std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
        const auto rank = [](const Finding& one) { return std::pair(one.line() == 0, one.line()); };
        return rank(a) < rank(b);
    });
    addTracebacks(found);
    return found;
}

/// Whether the facts allow the hint; what is not known forbids nothing.
bool Explainer::fits(const Hint& hint, const ExplainContext& context) const
{
    for (auto fact = hint.when.begin(); fact != hint.when.end(); ++fact) {
        const QString value = context.facts.value(fact.key());
        if (!value.isEmpty() && !fact.value().contains(value, Qt::CaseInsensitive))
            return false;
    }
    return true;
}

/// In a chain of exceptions the first one is the cause: a hint that only knows the last one gets
/// the line of the first as its evidence, or gives way to a hint that knows it.
void Explainer::addTracebacks(std::vector<Finding>& found) const
{
    for (const Traceback& one : m_tracebacks.found()) {
        if (one.rootLine == one.lastLine)
            continue;
        const auto at = [&](qint64 line) {
            return std::find_if(found.begin(), found.end(), [&](const Finding& finding) {
                const Hint& hint = m_book->hints()[size_t(finding.hint)];
                return finding.line() == line && !hint.weak && !hint.general;
            });
        };
        const auto last = at(one.lastLine), root = at(one.rootLine);
        if (last == found.end())
            continue;
        if (root == found.end()) {
            last->lines.insert(
                last->lines.begin() + 1, {one.rootLine, one.root.left(longestEvidence)});
            continue;
        }
        root->take(*last);
        found.erase(last);
    }
}

/// Failures shown by steps that were expected to fail, without weak hints.
std::vector<Explainer::Finding> Explainer::meantFindings() const
{
    std::vector<Finding> found;
    for (size_t i = 0; i < m_meant.size(); ++i) {
        const HintBook::Match& one = m_book->matches()[i];
        const Hint& hint = m_book->hints()[size_t(one.hint)];
        if (!m_meant[i].lines.empty() && holds(*one.match, m_meant[i]) && !hint.weak
            && !hint.general && !hint.consequence)
            found.push_back({one.hint, {m_meant[i].lines.front()}, m_meant[i].count, true});
    }
    return found;
}

Explanation Explainer::explanation(const Finding& finding, const ExplainContext& context) const
{
    const Hint& hint = m_book->hints()[size_t(finding.hint)];
    const QString evidence = finding.lines.front().text;
    // GPU messages of a job without a GPU, expected failures of a step, and messages that did not
    // keep the job from ending well are notes, not faults.
    const bool harmless = finding.meant || (hint.gpu && context.gpus == 0)
        || (context.endedWell == true && !hint.endsWell);
    const QMap<QString, QString> groups = groupsOf(hint, evidence);
    const QString named =
        hint.namedTitle.isEmpty() ? QString() : filledText(hint.namedTitle, groups);
    Explanation one{hint.id, finding.line(), evidence, named.isEmpty() ? hint.title : named,
        hint.cause, hint.remedy, harmless ? Explanation::Severity::Note : hint.severity,
        hint.change};
    one.name = hint.name;
    one.certainty = hint.weak ? Explanation::Certainty::Possible : hint.certainty;
    for (auto fact = hint.when.begin(); fact != hint.when.end(); ++fact)
        if (context.facts.value(fact.key()).isEmpty())
            one.certainty = std::max(one.certainty, Explanation::Certainty::Likely);
    one.lines = finding.count;
    for (size_t i = 1; i < std::min(finding.lines.size(), mostEvidence); ++i)
        one.further.push_back(finding.lines[i]);
    if (finding.meant) {
        one.remedy = tr("Nothing to do: this step demonstrates the failure.");
        one.change.reset();
        return one;
    }
    one.remedy = hint.remedies.value(context.facts.value(QStringLiteral("runtime")), hint.remedy);
    if (const auto row = hint.rows.find(groups.value(QStringLiteral("name"), evidence).toLower());
        row != hint.rows.end()) {
        one.title = row->title;
        one.cause = row->cause;
        one.remedy = row->remedy;
        if (row->change)
            one.change = row->change;
    }
    if (const QString detail = detailOf(hint, finding.lines); !detail.isEmpty())
        one.cause += u' ' + detail;
    for (auto fact = hint.facts.begin(); fact != hint.facts.end(); ++fact) {
        if (const QString value = context.facts.value(fact.key()); !value.isEmpty())
            one.remedy += u' ' + QString(fact.value()).replace(QStringLiteral("{value}"), value);
    }
    QStringList measured;
    for (const QString& kind : hint.shown)
        if (const QString text = context.measured.value(kind); !text.isEmpty())
            measured << text;
    one.facts = measured.join(u' ');
    if (one.change)
        one.change = filledIn(*one.change, evidence, context.facts);
    one.alternatives = hint.alternatives;
    return one;
}

/// Whether an error on that line may have ended the program: one that went on has survived it.
bool Explainer::isEnd(qint64 line, const ExplainContext& context) const
{
    constexpr qint64 farFromEnd = 60; // lines
    return context.endedWell != true
        && (context.endedWell == false || line + farFromEnd >= m_lastLine);
}

/// The exception that ended a program, where nothing is known about it.
std::optional<Explanation> Explainer::lastException(
    const ExplainContext& context, const std::vector<Finding>& found) const
{
    const std::vector<Traceback> all = m_tracebacks.found();
    const Traceback* chosen = nullptr;
    for (const Traceback& one : all) {
        if (isEnd(one.lastLine, context)
            && (!chosen || (isWrapper(chosen->root) && !isWrapper(one.root))))
            chosen = &one;
    }
    if (!chosen)
        return {};
    Explanation told;
    told.id = QStringLiteral("P1");
    told.name = QStringLiteral("exception");
    told.line = chosen->rootLine;
    told.evidence = chosen->root.left(longestEvidence);
    told.title = tr("The program stopped with %1").arg(chosen->name().left(longestName));
    told.cause = chosen->where.isEmpty()
        ? tr("It raised an exception that nothing in it handled.")
        : tr("It raised an exception that nothing in it handled, in %1.").arg(chosen->where);
    told.remedy = tr("The exception says what is wrong. Read the traceback upwards from that line "
                     "to the last line of your own code.");
    told.certainty = Explanation::Certainty::Likely;
    told.lines = 0;
    for (const Traceback& one : all) {
        told.lines += one.root == chosen->root ? 1 : 0;
        if (&one == chosen || one.root != chosen->root || told.further.size() + 2 > mostEvidence)
            continue;
        told.further.push_back({one.rootLine, one.root.left(longestEvidence)});
    }
    if (chosen->lastLine != chosen->rootLine)
        told.further.insert(told.further.begin(), {chosen->lastLine, chosen->last});
    for (const Finding& one : found) {
        const bool follows = m_book->hints()[size_t(one.hint)].consequence
            && one.line() > chosen->rootLine && told.further.size() + 1 < mostEvidence;
        if (follows)
            told.further.push_back(one.lines.front());
    }
    return told;
}

/// Decides which of the findings are reported: a sure one takes the lines of its consequences, and
/// a general one counts where nothing else is known. Lives during one call of Explainer::result.
class Explainer::Choice {
public:
    Choice(const HintBook& book, std::vector<Finding>& found)
        : m_book(book)
        , m_found(found)
    {
        know(found);
        const auto sure = std::find_if(
            found.begin(), found.end(), [this](const Finding& one) { return isSure(one); });
        m_first = sure != found.end() ? &*sure : nullptr;
    }

    bool hasCause() const { return m_first != nullptr; }
    /// From here on other hints yield to these as well.
    void know(const std::vector<Finding>& findings)
    {
        for (const Finding& one : findings)
            m_ids.insert(hintOf(one).id);
    }
    /// Whether a hint was found that says more.
    bool yields(const Finding& one) const
    {
        const QStringList& names = hintOf(one).yieldsTo;
        return std::any_of(
            names.begin(), names.end(), [this](const QString& id) { return m_ids.contains(id); });
    }
    /// A hint about the exception itself says more than its name, and "ChildFailedError" says less
    /// than what was printed before it.
    bool saysMoreThan(const Explanation& exception) const
    {
        const bool wraps = isWrapper(exception.evidence);
        return std::any_of(m_found.begin(), m_found.end(), [&](const Finding& one) {
            const Hint& hint = hintOf(one);
            return (hint.consequence && one.line() == exception.line)
                || (wraps && hint.severity == Explanation::Severity::Fault
                    && one.line() < exception.line);
        });
    }
    /// In the order of their first lines.
    std::vector<const Finding*> toReport(bool hasException, bool endedWell)
    {
        if (!m_first && !hasException)
            m_first = firstGeneral();
        std::vector<const Finding*> chosen;
        for (const Finding& one : m_found) {
            const Hint& hint = hintOf(one);
            if (hint.general && &one != m_first)
                continue;
            if (hint.consequence && m_first && m_first->hint != one.hint) {
                m_first->take(one);
                continue;
            }
            if (hint.consequence && hasException)
                continue;
            if (!yields(one) && !(hint.weak && (m_first || endedWell)))
                chosen.push_back(&one);
        }
        return chosen;
    }

private:
    const Hint& hintOf(const Finding& one) const { return m_book.hints()[size_t(one.hint)]; }
    bool isSure(const Finding& one) const
    {
        const Hint& hint = hintOf(one);
        return !hint.weak && !hint.general && !hint.consequence
            && hint.severity == Explanation::Severity::Fault && !yields(one);
    }
    Finding* firstGeneral() const
    {
        const auto general = std::find_if(m_found.begin(), m_found.end(),
            [this](const Finding& one) { return hintOf(one).general && !yields(one); });
        return general != m_found.end() ? &*general : nullptr;
    }

    const HintBook& m_book;
    std::vector<Finding>& m_found;
    QSet<QString> m_ids;
    Finding* m_first = nullptr; ///< the cause
};

std::vector<Explanation> Explainer::result(const ExplainContext& context) const
{
    std::vector<Finding> found = findings(context);
    std::erase_if(found, [&](const Finding& one) {
        return m_book->hints()[size_t(one.hint)].general && !isEnd(one.lines.back().line, context);
    });
    Choice choice(*m_book, found);
    std::optional<Explanation> exception =
        choice.hasCause() ? std::nullopt : lastException(context, found);
    if (exception && choice.saysMoreThan(*exception))
        exception.reset();
    Reported reported;
    for (const Finding* one : choice.toReport(exception.has_value(), context.endedWell == true))
        reported.add(explanation(*one, context), one->meant);
    const std::vector<Finding> meant = meantFindings();
    if (reported.faults.empty() && meant.empty() && exception)
        reported.faults.push_back(*exception);
    choice.know(meant);
    for (const Finding& one : meant)
        if (!choice.yields(one))
            reported.add(explanation(one, context), one.meant);
    return reported.inOrder();
}

} // namespace slipway
