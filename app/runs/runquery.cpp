// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runquery.h"

#include "app/runs/runjson.h"
#include "app/runs/runwords.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

using QueryTerm = RunQuery::Term;
using TermKind = RunQuery::Kind;
using TermComparison = RunQuery::Comparison;

Error queryError(const QString& what, const QString& remedy)
{
    return {ErrorKind::Usage, what, remedy};
}

/// One term as typed; `quoted` where it began with a quotation mark, and is plain text.
struct QueryToken {
    QString text;
    bool quoted = false;
    bool negated = false;
};

Result<std::vector<QueryToken>> tokensOf(const QString& text)
{
    std::vector<QueryToken> tokens;
    for (qsizetype i = 0; i < text.size();) {
        if (text[i].isSpace()) {
            ++i;
            continue;
        }
        QueryToken token;
        if (text[i] == u'-' && i + 1 < text.size() && !text[i + 1].isSpace()) {
            token.negated = true;
            ++i;
        }
        token.quoted = text[i] == u'"';
        bool inside = false;
        for (; i < text.size() && (inside || !text[i].isSpace()); ++i) {
            if (text[i] == u'"')
                inside = !inside;
            else
                token.text += text[i];
        }
        if (inside)
            return queryError(tr("The quotation mark before “%1” is not closed.").arg(token.text),
                tr("Add a quotation mark at the end."));
        if (!token.text.isEmpty())
            tokens.push_back(std::move(token));
    }
    return tokens;
}

struct StateName {
    const char* name;
    std::vector<RunPhase> phases;
};

const std::vector<StateName>& stateNames()
{
    using P = RunPhase;
    static const std::vector<StateName> names{
        {"any",
            {P::Preparing, P::Submitting, P::Queued, P::Running, P::Allocated, P::Done, P::Failed,
                P::Cancelled, P::Unknown}},
        {"waiting", {P::Preparing, P::Submitting, P::Queued}},
        {"running", {P::Running, P::Allocated}}, {"done", {P::Done}}, {"failed", {P::Failed}},
        {"cancelled", {P::Cancelled}}, {"unknown", {P::Unknown}},
        {"active", {P::Preparing, P::Submitting, P::Queued, P::Running, P::Allocated}},
        {"ended", {P::Done, P::Failed, P::Cancelled, P::Unknown}}};
    return names;
}

Result<QueryTerm> stateTerm(const QString& value)
{
    QStringList known;
    for (const StateName& state : stateNames()) {
        if (value == QLatin1String(state.name)) {
            QueryTerm term;
            term.kind = TermKind::State;
            term.phases = state.phases;
            return term;
        }
        known << QLatin1String(state.name);
    }
    return queryError(value.isEmpty() ? tr("A state is expected after “is:”.")
                                      : tr("There is no state “%1”.").arg(value),
        tr("States: %1.").arg(known.join(QStringLiteral(", "))));
}

/// The last such day, which may be today.
QDate dayOf(const QString& value, const QDate& today)
{
    static const QStringList week{QStringLiteral("monday"), QStringLiteral("tuesday"),
        QStringLiteral("wednesday"), QStringLiteral("thursday"), QStringLiteral("friday"),
        QStringLiteral("saturday"), QStringLiteral("sunday")};
    if (value == u"today")
        return today;
    if (value == u"yesterday")
        return today.addDays(-1);
    if (const qsizetype day = week.indexOf(value); day >= 0)
        return today.addDays(-((today.dayOfWeek() - 1 - day + 7) % 7));
    return QDate::fromString(value, QStringLiteral("yyyy-MM-dd"));
}

Result<QueryTerm> dayTerm(
    TermKind kind, const QString& key, const QString& value, const QDate& today)
{
    QueryTerm term;
    term.kind = kind;
    term.day = dayOf(value, today);
    if (!term.day.isValid())
        return queryError(value.isEmpty() ? tr("A day is expected after “%1:”.").arg(key)
                                          : tr("“%1” is not a day.").arg(value),
            tr("Use a date such as 2026-11-20, a weekday, today or yesterday."));
    return term;
}

Result<QueryTerm> filterTerm(const QString& key, const QString& value, const QDate& today)
{
    if (key == u"is")
        return stateTerm(value);
    if (key == u"before" || key == u"after")
        return dayTerm(key == u"before" ? TermKind::Before : TermKind::After, key, value, today);
    QueryTerm term;
    term.text = value;
    if (key == u"site")
        term.kind = TermKind::Site;
    else if (key == u"recipe")
        term.kind = TermKind::Recipe;
    else if (key == u"tag")
        term.kind = TermKind::Tag;
    else
        return queryError(tr("There is no filter “%1:”.").arg(key),
            tr("Filters: is:, site:, recipe:, tag:, before:, after:. To search for the text "
               "itself, "
               "put it in quotation marks."));
    if (term.kind == TermKind::Tag && term.text.startsWith(u'#'))
        term.text.remove(0, 1);
    if (term.text.isEmpty())
        return queryError(tr("A value is expected after “%1:”.").arg(key),
            key == u"tag" ? tr("For example, tag:paper.") : tr("For example, site:demo."));
    return term;
}

TermComparison comparisonOf(const QString& sign)
{
    if (sign == u"<=")
        return TermComparison::AtMost;
    if (sign == u">=")
        return TermComparison::AtLeast;
    return sign == u"<" ? TermComparison::Less
        : sign == u">"  ? TermComparison::Greater
                        : TermComparison::Equal;
}

/// "train_loss" of "Train Loss", "train-loss".
QString numberName(QString name)
{
    return name.toLower().replace(u'-', u'_').replace(u' ', u'_');
}

Result<QueryTerm> numberTerm(const QString& name, const QString& sign, const QString& value)
{
    QueryTerm term;
    term.kind = TermKind::Number;
    term.text = numberName(name);
    term.comparison = comparisonOf(sign);
    term.value = value;
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    if (isNumber && std::isfinite(number))
        term.number = number;
    else if (term.comparison != TermComparison::Equal || value.isEmpty())
        return queryError(tr("A number is expected after “%1”.").arg(QString(name + sign)),
            tr("For example, %1.").arg(QString(name + sign + QStringLiteral("0.3"))));
    return term;
}

Result<QueryTerm> termOf(const QueryToken& token, const QDate& today)
{
    static const QRegularExpression comparison(
        QStringLiteral(R"(^([^\s<>=:/]+(?: [^\s<>=:/]+)*)(<=|>=|<|>|=)(.*)$)"));
    static const QRegularExpression filter(QStringLiteral("^([A-Za-z]+):(?!/)(.*)$"));
    QueryTerm word;
    word.text = token.text.toLower();
    if (token.quoted)
        return word;
    // "/data=x" and "docker://image" are words.
    if (const auto match = filter.match(word.text); match.hasMatch())
        return filterTerm(match.captured(1), match.captured(2).trimmed(), today);
    if (const auto match = comparison.match(token.text); match.hasMatch())
        return numberTerm(match.captured(1), match.captured(2), match.captured(3).trimmed());
    if (word.text.startsWith(u'<') || word.text.startsWith(u'>') || word.text.startsWith(u'='))
        return queryError(tr("A name is expected before “%1”.").arg(token.text),
            tr("For example, loss<0.3, without spaces."));
    if (word.text.startsWith(u'#') && word.text.size() > 1) {
        word.kind = TermKind::Tag;
        word.text.remove(0, 1);
    }
    return word;
}

bool holds(TermComparison comparison, double left, double right)
{
    switch (comparison) {
    case TermComparison::Less:
        return left < right;
    case TermComparison::AtMost:
        return left <= right;
    case TermComparison::AtLeast:
        return left >= right;
    case TermComparison::Greater:
        return left > right;
    case TermComparison::Equal:
        break;
    }
    // What is shown has few digits.
    return left == right || std::abs(left - right) <= 1e-6 * std::abs(right);
}

/// "loss" is also the loss of "train_loss".
bool isNamed(const QString& series, const QString& name)
{
    const QString own = numberName(series);
    return own == name
        || (own.size() > name.size() && own.endsWith(name)
            && own[own.size() - name.size() - 1] == u'_');
}

bool numberHolds(const QueryTerm& term, const Run& run)
{
    const auto& last = run.digest.last;
    if (term.number && std::any_of(last.begin(), last.end(), [&term](const MetricValue& metric) {
            return isNamed(metric.series, term.text)
                && holds(term.comparison, metric.value, *term.number);
        }))
        return true;
    for (auto it = run.spec.values.begin(); it != run.spec.values.end(); ++it) {
        if (numberName(it.key()) != term.text)
            continue;
        bool isNumber = false;
        const double value = it.value().toDouble(&isNumber);
        if (term.number && isNumber)
            return holds(term.comparison, value, *term.number);
        return term.comparison == TermComparison::Equal
            && it.value().compare(term.value, Qt::CaseInsensitive) == 0;
    }
    return false;
}

bool wordFound(const QString& word, const Run& run, const QString& siteName)
{
    const auto has = [&word](
                         const QString& text) { return text.contains(word, Qt::CaseInsensitive); };
    if (has(run.labels.name) || has(run.title) || has(run.spec.recipeId) || has(run.id)
        || has(siteName) || has(run.spec.siteId) || has(run.job.text) || has(run.nodeList)
        || has(run.sentence) || has(run.labels.note) || has(run.spec.sweepLabel)
        || has(phaseName(run.phase)) || (run.phase == RunPhase::Queued && has(tr("waiting"))))
        return true;
    const auto& values = run.spec.values;
    return std::any_of(run.labels.tags.cbegin(), run.labels.tags.cend(), has)
        || std::any_of(values.cbegin(), values.cend(), has)
        || (run.phase == RunPhase::Failed && has(failureWords(run)));
}

bool termHolds(const QueryTerm& term, const Run& run, const QString& siteName)
{
    switch (term.kind) {
    case TermKind::Word:
        return wordFound(term.text, run, siteName);
    case TermKind::State:
        return std::find(term.phases.begin(), term.phases.end(), run.phase) != term.phases.end();
    case TermKind::Site:
        return run.spec.siteId.contains(term.text, Qt::CaseInsensitive)
            || siteName.contains(term.text, Qt::CaseInsensitive);
    case TermKind::Recipe:
        return run.spec.recipeId.contains(term.text, Qt::CaseInsensitive)
            || run.title.contains(term.text, Qt::CaseInsensitive);
    case TermKind::Tag:
        return run.labels.tags.contains(term.text, Qt::CaseInsensitive);
    case TermKind::Number:
        return numberHolds(term, run);
    case TermKind::Before:
        return run.created.toLocalTime().date() < term.day;
    case TermKind::After:
        return run.created.toLocalTime().date() >= term.day;
    }
    return false;
}

} // namespace

Result<RunQuery> parseRunQuery(const QString& text, const QDate& today)
{
    const auto tokens = tokensOf(text);
    if (!tokens.ok())
        return tokens.error();
    RunQuery query;
    for (const QueryToken& token : *tokens) {
        const auto term = termOf(token, today);
        if (!term.ok())
            return term.error();
        query.terms.push_back(*term);
        query.terms.back().negated = token.negated;
    }
    return query;
}

bool matches(const RunQuery& query, const Run& run, const QString& siteName)
{
    return std::all_of(query.terms.begin(), query.terms.end(),
        [&](const QueryTerm& term) { return termHolds(term, run, siteName) != term.negated; });
}

QString runQueryHelp()
{
    return tr("Words are searched for in names, commands, sites, jobs, tags and notes. "
              "is:failed, running, waiting, done, cancelled, active or ended; site:NAME; "
              "recipe:NAME; tag:NAME or #NAME; before: or after: 2026-11-20, monday, today; "
              "loss<0.3 (also >, <=, >=, =) compares the last value of a curve or a changed field; "
              "a “-” before a term excludes what it finds.");
}

} // namespace slipway
