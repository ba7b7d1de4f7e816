// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/problems.h"

#include "app/cli/command.h"
#include "app/runs/relaunch.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

/// "Fix:   Ask for more memory.": the texts form a column beside the widest label.
QString labelled(const QString& label, const QString& text)
{
    qsizetype widest = 0;
    for (const QString& one : {tr("Cause:"), tr("Note:"), tr("Fix:"), tr("Retry:")})
        widest = std::max(widest, one.size());
    return label.leftJustified(widest + 1) + text;
}

/// "error: …"
QString severityLine(Problem::Severity severity, const QString& text)
{
    return severity == Problem::Severity::Error ? tr("error: %1").arg(text)
                                                : tr("warning: %1").arg(text);
}

QString evidenceLine(const Explanation& one)
{
    const QString text = terminalText(one.evidence);
    if (one.line > 0)
        return tr("line %1: %2").arg(one.line).arg(text);
    return one.isOfNode() ? tr("Probe: %1").arg(text) : tr("Slurm: %1").arg(text);
}

QString retryLine(const QString& run, const RelaunchOffer& offer)
{
    return labelled(tr("Retry:"),
        QStringLiteral("slipway-cli run --relaunch %1 --set %2=%3")
            .arg(run, offer.field, offer.value.value_or(QString())));
}

} // namespace

QStringList explanationLines(const Explanation& one)
{
    const bool fault = one.severity == Explanation::Severity::Fault;
    QStringList lines{
        labelled(fault ? tr("Cause:") : tr("Note:"), terminalText(one.title + u". " + one.cause))};
    if (!one.facts.isEmpty())
        lines << labelled({}, terminalText(one.facts));
    lines << labelled({}, evidenceLine(one));
    for (const EvidenceLine& further : one.further)
        lines << labelled({}, tr("line %1: %2").arg(further.line).arg(terminalText(further.text)));
    const int more = one.lines - 1 - int(one.further.size());
    if (more > 0)
        lines << labelled({}, tr("More lines that say the same: %1.").arg(more));
    if (one.certainty == Explanation::Certainty::Likely)
        lines << labelled({}, tr("This is likely, not certain."));
    if (one.certainty == Explanation::Certainty::Possible)
        lines << labelled({}, tr("This is one possible cause."));
    lines << labelled(tr("Fix:"), terminalText(one.remedy));
    return lines;
}

void printExplanations(Context& context, const Run& run, Explanation::Severity least)
{
    const Plan plan = context.engine().runs()->plan(run.spec);
    for (const Explanation& one : run.explanations) {
        if (one.severity > least)
            continue;
        for (const QString& line : explanationLines(one))
            context.out.note(line);
        for (const RelaunchOffer& offer : relaunchOffers(one, plan))
            if (offer.value)
                context.out.note(retryLine(run.id, offer));
    }
}

void printProblem(Context& context, const Problem& problem)
{
    const bool error = problem.severity == Problem::Severity::Error;
    if (context.out.json) {
        QJsonObject object{{QStringLiteral("severity"),
                               error ? QStringLiteral("error") : QStringLiteral("warning")},
            {QStringLiteral("field"), problem.field}, {QStringLiteral("text"), problem.text},
            {QStringLiteral("fix"), problem.fix}};
        if (problem.fixValue)
            object.insert(QStringLiteral("fix_value"), *problem.fixValue);
        context.out.object(object);
        return;
    }
    QString text = (problem.field.isEmpty() ? QString() : problem.field + u": ") + problem.text;
    if (!problem.fix.isEmpty())
        text += u" " + problem.fix
            + (problem.fixValue ? u": --set " + problem.field + u'=' + *problem.fixValue
                                : QStringLiteral("."));
    context.out.line(terminalText(severityLine(problem.severity, text)));
}

void reportProblem(Context& context, const Problem& problem)
{
    if (context.out.json || problem.severity == Problem::Severity::Error)
        printProblem(context, problem);
    else
        context.out.note(severityLine(problem.severity, problem.text));
}

} // namespace slipway
