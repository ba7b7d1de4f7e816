// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/explanationobject.h"
#include "app/explain/logexplainer.h"
#include "app/runs/relaunch.h"
#include "remote/base/tr.h"

#include <QFile>

namespace slipway {

QJsonObject explanationObject(const Explanation& explanation)
{
    QJsonObject object{{QStringLiteral("id"), explanation.id},
        {QStringLiteral("line"), explanation.line}, {QStringLiteral("title"), explanation.title},
        {QStringLiteral("cause"), explanation.cause},
        {QStringLiteral("remedy"), explanation.remedy},
        {QStringLiteral("evidence"), explanation.evidence},
        {QStringLiteral("severity"), severityName(explanation.severity)}};
    if (explanation.change) {
        const FieldChange& change = *explanation.change;
        object.insert(QStringLiteral("field"), change.field);
        object.insert(QStringLiteral("change"), changeName(change.kind));
        if (change.kind == FieldChange::Kind::Set || change.kind == FieldChange::Kind::Add)
            object.insert(QStringLiteral("value"), change.value);
    }
    return object;
}

QJsonArray explanationObjects(const Run& run)
{
    QJsonArray objects;
    for (const Explanation& explanation : run.explanations)
        objects.append(explanationObject(explanation));
    return objects;
}

void printExplanations(Context& context, const Run& run, Explanation::Severity least)
{
    const Plan plan = context.engine().runs()->plan(run.spec);
    for (const Explanation& one : run.explanations) {
        if (one.severity > least)
            continue;
        const bool fault = one.severity == Explanation::Severity::Fault;
        context.out.note(
            (fault ? tr("Cause: ") : tr("Note:  ")) + terminalText(one.title + u". " + one.cause));
        context.out.note((one.line > 0            ? tr("       line %1: ").arg(one.line)
                                 : one.isOfNode() ? tr("       Probe: ")
                                                  : tr("       Slurm: "))
            + terminalText(one.evidence));
        context.out.note(tr("Fix:   ") + terminalText(one.remedy));
        const auto offer = one.change ? relaunchOffer(*one.change, plan) : std::nullopt;
        if (offer && offer->value)
            context.out.note(tr("Retry: slipway-cli run --relaunch %1 --set %2=%3")
                                 .arg(run.id, offer->field, *offer->value));
    }
}

namespace {

QCoro::Task<ExitCode> explainFile(Context& context)
{
    const QString name = context.arguments.positional.value(0);
    QFile file(name);
    const bool opened = name == u"-" ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                     : file.open(QIODevice::ReadOnly);
    if (!opened)
        co_return context.misused(tr("%1 cannot be read: %2.").arg(name, file.errorString()));
    const EnginePaths paths = EnginePaths::standard();
    std::vector<Error> errors;
    LogExplainer explainer(loadHints(paths.resources, paths.config, &errors));
    for (const Error& error : errors)
        context.out.note(error.text());
    for (;;) {
        const QByteArray bytes = file.read(64 * 1024);
        if (bytes.isEmpty())
            break;
        explainer.feed(bytes);
    }
    explainer.finish();
    const std::vector<Explanation> explanations = explainer.result();
    for (const Explanation& explanation : explanations)
        context.out.object(explanationObject(explanation));
    if (explanations.empty())
        context.out.note(tr("No known failure was found."));
    co_return ExitCode::Done;
}

} // namespace

Command explainCommand()
{
    return {QStringLiteral("explain"), QStringLiteral("FILE|-"),
        tr("find the cause of a failed job in its log"),
        tr("Searches a log, or the output of sbatch, for known failures and prints one JSON object "
           "per line: id, line,\n"
           "title, cause and remedy, with the log line as evidence, and field and change if "
           "changing a field of the form\n"
           "solves the problem. A severity of note is not a failure. Unknown failures are not "
           "guessed at. “-” reads stdin."),
        {}, 1, 1, explainFile};
}

} // namespace slipway
