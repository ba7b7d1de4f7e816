// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/explanationobject.h"
#include "app/cli/follow.h"
#include "app/cli/nodeobject.h"
#include "app/cli/runobject.h"
#include "app/runs/runjson.h"

#include <QJsonArray>

namespace slipway {

namespace {

QString dateText(const QDateTime& date)
{
    return date.isValid() ? date.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))
                          : QString();
}

QString isoText(const QDateTime& date)
{
    return date.isValid() ? date.toString(Qt::ISODate) : QString();
}

QCoro::Task<ExitCode> listRuns(Context& context)
{
    std::vector<QStringList> rows;
    for (const Run& run : context.engine().runs()->all()) {
        if (context.out.json)
            context.out.object(runObject(run));
        rows.push_back({run.id, dateText(run.created), run.spec.siteId, run.spec.recipeId,
            run.job.text, phaseName(run.phase), run.sentence});
    }
    if (context.out.json)
        co_return ExitCode::Done;
    if (rows.empty())
        context.out.line(
            QStringLiteral("No runs yet. Launch one: slipway-cli run matmul-scaling --site demo"));
    else
        context.out.table({QStringLiteral("RUN"), QStringLiteral("WHEN"), QStringLiteral("SITE"),
                              QStringLiteral("RECIPE"), QStringLiteral("JOB"),
                              QStringLiteral("STATE"), QString()},
            rows);
    co_return ExitCode::Done;
}

void printRun(Context& context, const Run& run)
{
    const std::optional<NodeReport> report = context.engine().runs()->nodeReport(run.id);
    if (context.out.json) {
        QJsonObject object = runObject(run);
        if (report)
            object.insert(QStringLiteral("node"),
                QJsonObject{{QStringLiteral("sentence"), nodeSentence(*report)},
                    {QStringLiteral("worst"), checkWord(report->worst())},
                    {QStringLiteral("checks"), checkObjects(*report)}});
        if (const QJsonObject shell = shellObject(context.engine().runs()->shellLines(run.id));
            !shell.isEmpty())
            object.insert(QStringLiteral("shell"), shell);
        return context.out.object(object);
    }
    const auto say = [&context](const char* label, const QString& text) {
        if (!text.isEmpty())
            context.out.line(QString(QLatin1String(label)).leftJustified(10) + terminalText(text));
    };
    say("Run", run.id + u", " + run.title);
    say("Site", run.spec.siteId);
    say("Job", run.job.text);
    say("State", phaseName(run.phase) + u": " + run.sentence);
    say("Nodes", run.nodeList);
    if (report)
        say("Check", nodeSentence(*report));
    say("Folder", run.folder);
    say("Fetched", run.fetchedTo);
    say("Created", dateText(run.created));
    say("Started", dateText(run.started));
    say("Ended", dateText(run.ended));
    if (run.exitCode)
        say("Exit code", QString::number(*run.exitCode));
    for (const RunStage& stage : run.stages) {
        QString time;
        if (stage.begin && stage.end)
            time = durationText(std::chrono::seconds(stage.begin->secsTo(*stage.end)));
        context.out.line(u"  " + stageStateName(stage.state).leftJustified(9)
            + terminalText(stage.title).leftJustified(24) + time.leftJustified(10)
            + terminalText(stage.detail));
    }
    if (run.error)
        context.out.error(*run.error);
    printExplanations(context, run, Explanation::Severity::Note);
    for (const QString& command : context.engine().runs()->commands(run.id))
        say("", u"$ " + command);
    printShell(context, run.id);
}

QCoro::Task<ExitCode> showRun(Context& context)
{
    const std::optional<Run> kept = context.run(context.arguments.positional.first());
    if (!kept)
        co_return ExitCode::Usage;
    if (!isTerminal(kept->phase)) {
        const Result<void> connected = co_await context.connectTo(kept->spec.siteId);
        if (connected.ok())
            co_await context.untilSettled(kept->id);
        else
            context.out.note(connected.error().summary
                + QStringLiteral(" What follows is what was known last."));
    }
    printRun(context, *context.engine().runs()->run(kept->id));
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> cancelRun(Context& context)
{
    const std::optional<Run> kept = context.run(context.arguments.positional.first());
    if (!kept)
        co_return ExitCode::Usage;
    if (isTerminal(kept->phase)) {
        context.out.note(
            QStringLiteral("Run %1 has ended already: %2").arg(kept->id, kept->sentence));
        co_return ExitCode::Done;
    }
    const Result<void> connected = co_await context.connectTo(kept->spec.siteId);
    if (!connected.ok())
        co_return context.fail(connected.error());
    // The connection may have told that it ended meanwhile.
    const std::optional<Run> now = context.engine().runs()->run(kept->id);
    // A submission that is still under way may take its time: the person sees what is waited for.
    const auto telling = QObject::connect(context.engine().runs(), &Runs::runChanged,
        [&context, id = kept->id, told = QString()](const QString& changed) mutable {
            const std::optional<Run> run = context.engine().runs()->run(id);
            if (changed == id && run && !isTerminal(run->phase)
                && std::exchange(told, run->sentence) != run->sentence)
                context.out.progress(terminalText(run->sentence));
        });
    const Result<void> cancelled = now && isTerminal(now->phase)
        ? Result<void>()
        : co_await context.engine().runs()->cancel(kept->id);
    QObject::disconnect(telling);
    if (!cancelled.ok())
        co_return context.fail(cancelled.error());
    const Run run = *context.engine().runs()->run(kept->id);
    if (context.out.json)
        context.out.object(runObject(run));
    else
        context.out.line(QStringLiteral("Run %1: %2").arg(run.id, terminalText(run.sentence)));
    co_return ExitCode::Done;
}

} // namespace

QJsonObject runObject(const Run& run)
{
    QJsonObject values;
    for (auto it = run.spec.values.begin(); it != run.spec.values.end(); ++it)
        values.insert(it.key(), it.value());
    QJsonArray stages;
    for (const RunStage& stage : run.stages)
        stages.append(
            QJsonObject{{QStringLiteral("id"), stage.id}, {QStringLiteral("title"), stage.title},
                {QStringLiteral("state"), stageStateName(stage.state)},
                {QStringLiteral("detail"), stage.detail}});
    QJsonObject object{{QStringLiteral("run"), run.id}, {QStringLiteral("site"), run.spec.siteId},
        {QStringLiteral("recipe"), run.spec.recipeId},
        {QStringLiteral("mode"),
            run.spec.mode == LaunchMode::Batch ? QStringLiteral("batch")
                                               : QStringLiteral("interactive")},
        {QStringLiteral("values"), values}, {QStringLiteral("job"), run.job.text},
        {QStringLiteral("phase"), phaseName(run.phase)}, {QStringLiteral("sentence"), run.sentence},
        {QStringLiteral("folder"), run.folder}, {QStringLiteral("nodes"), run.nodeList},
        {QStringLiteral("created"), isoText(run.created)},
        {QStringLiteral("started"), isoText(run.started)},
        {QStringLiteral("ended"), isoText(run.ended)},
        {QStringLiteral("fetched_to"), run.fetchedTo}, {QStringLiteral("stages"), stages}};
    if (run.exitCode)
        object.insert(QStringLiteral("exit_code"), *run.exitCode);
    if (run.error)
        object.insert(QStringLiteral("error"), run.error->text());
    if (!run.explanations.empty())
        object.insert(QStringLiteral("explanations"), explanationObjects(run));
    return object;
}

Command runsCommand()
{
    return {QStringLiteral("runs"), {}, QStringLiteral("list your runs, newest first"),
        QStringLiteral("Lists your runs, newest first, as they were known last. “slipway-cli show "
                       "RUN” asks the cluster."),
        {}, 0, 0, listRuns};
}

Command showCommand()
{
    return {QStringLiteral("show"), QStringLiteral("RUN"), QStringLiteral("say how a run is doing"),
        QStringLiteral("Shows one run: its state, its stages, where its files are, and the "
                       "commands behind it."),
        {}, 1, 1, showRun};
}

Command cancelCommand()
{
    return {QStringLiteral("cancel"), QStringLiteral("RUN"), QStringLiteral("end a run"),
        QStringLiteral("Cancels the job of a run; its files stay."), {}, 1, 1, cancelRun};
}

} // namespace slipway
