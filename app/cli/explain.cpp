// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/jsonobjects.h"
#include "app/cli/problems.h"
#include "app/explain/logpass.h"
#include "remote/base/tr.h"

#include <QFile>

#include <unistd.h>

namespace slipway {

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
    LogPass explainer(loadHints(paths.resources, paths.config, &errors));
    for (const Error& error : errors)
        context.out.note(error.text());
    if (!QFile::exists(paths.resources + u"/hints.json"))
        context.out.note(tr("The list of known failures was not found in “%1”. Set "
                            "SLIPWAY_RESOURCES to the folder that contains hints.json.")
                             .arg(paths.resources));
    for (;;) {
        const QByteArray bytes = file.read(64 * 1024);
        if (bytes.isEmpty())
            break;
        explainer.feed(bytes);
        explainer.takeSamples(); // not wanted here, and a pipe may never end
        explainer.takeEvents();
    }
    explainer.finish();
    const std::vector<Explanation> explanations = explainer.result();
    const bool toRead = !context.out.json && ::isatty(STDOUT_FILENO) == 1;
    bool failure = false;
    for (const Explanation& explanation : explanations) {
        failure = failure || explanation.severity == Explanation::Severity::Fault;
        if (!toRead)
            context.out.object(explanationObject(explanation));
        else
            for (const QString& line : explanationLines(explanation))
                context.out.line(line);
    }
    if (!failure)
        context.out.note(tr("No known failure was found."));
    co_return failure ? ExitCode::Done : ExitCode::Failed;
}

} // namespace

Command explainCommand()
{
    return {QStringLiteral("explain"), QStringLiteral("FILE|-"),
        tr("find the cause of a failed job in its log"),
        tr("Searches a log, or the output of sbatch, for known failures and prints one JSON object "
           "per line: id, name,\n"
           "line, title, cause, certainty and remedy, with the log line as evidence, the further "
           "lines that count, and field\n"
           "and change if changing a field of the form solves the problem. On a terminal the same "
           "as text, unless --json is\n"
           "given. A severity of note is not a failure. Unknown failures are not reported, except "
           "the exception that ended a\n"
           "Python program. Ends with 0 if a failure was found and with 1 if not. “-” reads "
           "stdin."),
        {}, 1, 1, explainFile};
}

} // namespace slipway
