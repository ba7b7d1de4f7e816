// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/follow.h"
#include "app/cli/jsonobjects.h"
#include "app/cli/problems.h"
#include "app/cli/waiter.h"
#include "app/runs/continuing.h"
#include "app/runs/runjson.h"
#include "app/runs/runquery.h"
#include "app/runs/runwords.h"
#include "remote/base/tr.h"

#include <QJsonArray>

namespace slipway {

namespace {

constexpr qsizetype longestSettings = 40;

QString dateText(const QDateTime& date)
{
    return date.isValid() ? date.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))
                          : QString();
}

/// "baseline: lr 3e-4 #paper": what tells it apart from other runs of its recipe.
QString nameCell(const Run& run)
{
    QStringList parts;
    const QString settings = runSettings(run);
    if (!run.labels.name.isEmpty())
        parts << (settings.isEmpty() ? run.labels.name : QString(run.labels.name + u':'));
    if (!settings.isEmpty())
        parts << (settings.size() > longestSettings ? QString(settings.left(longestSettings) + u'…')
                                                    : settings);
    for (const QString& tag : run.labels.tags)
        parts << u'#' + tag;
    return parts.join(u' ');
}

/// What came of it: why it failed, else the last number.
QString lastCell(const Run& run)
{
    const QString failure = failureWords(run);
    const QString metric = lastMetric(run);
    if (!failure.isEmpty())
        return failure;
    return run.phase == RunPhase::Done && !metric.isEmpty() ? metric
        : metric.isEmpty()                                  ? run.sentence
                           : QString(metric + u"; " + run.sentence);
}

QCoro::Task<ExitCode> listRuns(Context& context)
{
    const Result<RunQuery> query =
        parseRunQuery(context.arguments.value("--search"), QDate::currentDate());
    if (!query.ok())
        co_return context.misused(query.error().summary, query.error().remedy);
    std::vector<QStringList> rows;
    const std::vector<Run> all = context.engine().runs()->all();
    for (const Run& run : all) {
        const Site* const site = context.engine().catalogue()->site(run.spec.siteId);
        if (!matches(*query, run, site ? site->name : QString()))
            continue;
        if (context.out.json)
            context.out.object(runObject(run));
        rows.push_back({run.id, dateText(run.created), run.spec.siteId, run.spec.recipeId,
            run.job.text, phaseName(run.phase), nameCell(run), lastCell(run)});
    }
    if (context.out.json)
        co_return ExitCode::Done;
    if (all.empty())
        context.out.line(tr("No runs yet. Launch one: slipway-cli run matmul-scaling --site demo"));
    else if (rows.empty())
        context.out.line(tr("None of the %1 runs matches the search.").arg(all.size()));
    else
        context.out.table({tr("RUN"), tr("WHEN"), tr("SITE"), tr("RECIPE"), tr("JOB"), tr("STATE"),
                              tr("NAME, SETTINGS, TAGS"), tr("LAST")},
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
        insertFinding(object, findingOf(context, run));
        if (const QJsonObject shell = shellObject(context.engine().runs()->shellLines(run.id));
            !shell.isEmpty())
            object.insert(QStringLiteral("shell"), shell);
        return context.out.object(object);
    }
    const auto print = [&context](const QString& label, const QString& text) {
        if (!text.isEmpty())
            context.out.line(label.leftJustified(10) + terminalText(text));
    };
    print(tr("Run"), run.id + u", " + run.title);
    print(tr("Name"), run.labels.name);
    print(tr("Tags"), run.labels.tags.join(u' '));
    print(tr("Note"), run.labels.note);
    print(tr("Last"), lastMetric(run));
    print(tr("Site"), run.spec.siteId);
    print(tr("Job"), run.job.text);
    print(tr("State"), phaseName(run.phase) + u": " + run.sentence);
    const RunFinding finding = findingOf(context, run);
    for (const ChainSentence& one : chainSentences(run, context.engine().runs()->all()))
        print(tr("Chain"), one.text);
    for (const QString& sentence : QStringList{finding.answer, finding.progress} + finding.doubts)
        print(tr("Finding"), sentence);
    print(tr("Nodes"), run.nodeList);
    print(tr("Image digest") + u' ', run.imageDigest);
    print(tr("In registry") + u' ', run.registryDigest);
    if (report)
        print(tr("Check"), nodeSentence(*report));
    print(tr("Folder"), run.folder);
    print(tr("Fetched"), run.fetchedTo);
    print(tr("Created"), dateText(run.created));
    print(tr("Started"), dateText(run.started));
    print(tr("Ended"), dateText(run.ended));
    if (run.exitCode)
        print(tr("Exit code"), QString::number(*run.exitCode));
    for (const RunStage& stage : run.stages) {
        QString time;
        if (stage.begin && stage.end)
            time = durationText(
                std::chrono::seconds(std::max<qint64>(0, stage.begin->secsTo(*stage.end))));
        context.out.line(u"  " + stageStateName(stage.state).leftJustified(9)
            + terminalText(stage.title).leftJustified(24) + time.leftJustified(10)
            + terminalText(stage.detail));
    }
    if (run.error)
        context.out.error(*run.error);
    printExplanations(context, run, Explanation::Severity::Note);
    for (const QString& command : context.engine().runs()->commands(run.id))
        print(QString(), u"$ " + command);
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
            context.out.note(
                connected.error().summary + u' ' + tr("Showing the last known state."));
    }
    // The finding is read from the log, which is read in slices.
    const std::shared_ptr<RunFeed> feed = context.engine().runs()->holdFeed(kept->id);
    Waiter waiter;
    for (int i = 0; feed && !feed->isCaughtUp() && i < 400; ++i)
        co_await waiter.wait(std::chrono::milliseconds(25));
    printRun(context, *context.engine().runs()->run(kept->id));
    co_return ExitCode::Done;
}

QCoro::Task<ExitCode> cancelRun(Context& context)
{
    const std::optional<Run> kept = context.run(context.arguments.positional.first());
    if (!kept)
        co_return ExitCode::Usage;
    if (isTerminal(kept->phase)) {
        context.out.note(tr("Run %1 has already ended: %2").arg(kept->id, kept->sentence));
        co_return ExitCode::Done;
    }
    const Result<void> connected = co_await context.connectTo(kept->spec.siteId);
    if (!connected.ok())
        co_return context.fail(connected.error());
    // The run may have ended in the meantime.
    const std::optional<Run> now = context.engine().runs()->run(kept->id);
    // A submission that is still in progress may take long: show what the command is waiting for.
    const auto connection = QObject::connect(context.engine().runs(), &Runs::runChanged,
        [&context, id = kept->id, printed = QString()](const QString& changed) mutable {
            const std::optional<Run> run = context.engine().runs()->run(id);
            if (changed == id && run && !isTerminal(run->phase)
                && std::exchange(printed, run->sentence) != run->sentence)
                context.out.progress(terminalText(run->sentence));
        });
    const Result<void> cancelled = now && isTerminal(now->phase)
        ? Result<void>()
        : co_await context.engine().runs()->cancel(kept->id);
    QObject::disconnect(connection);
    if (!cancelled.ok())
        co_return context.fail(cancelled.error());
    if (isTerminal(context.engine().runs()->run(kept->id)->phase))
        co_await context.untilSettled(kept->id); // its last numbers
    const Run run = *context.engine().runs()->run(kept->id);
    if (context.out.json)
        context.out.object(runObject(run));
    else
        context.out.line(tr("Run %1: %2").arg(run.id, terminalText(run.sentence)));
    co_return ExitCode::Done;
}

} // namespace

Command runsCommand()
{
    return {QStringLiteral("runs"), {}, tr("list your runs, newest first"),
        tr("Lists your runs, newest first, in their last known state, with the name and tags that "
           "you "
           "gave them (see “label”), the fields that differ from the defaults, and the last "
           "number. "
           "“slipway-cli show RUN” asks the cluster.\n"
           "\n"
           "Search: %1")
            .arg(runQueryHelp()),
        {{QStringLiteral("--search"), QStringLiteral("QUERY"),
            tr("only matching runs, for example 'is:failed site:kestrel loss<0.3'")}},
        0, 0, listRuns};
}

Command showCommand()
{
    return {QStringLiteral("show"), QStringLiteral("RUN"), tr("show the state of a run"),
        tr("Shows one run: its state, its stages, the location of its files, and the equivalent "
           "commands."),
        {}, 1, 1, showRun};
}

Command cancelCommand()
{
    return {QStringLiteral("cancel"), QStringLiteral("RUN"), tr("cancel a run"),
        tr("Cancels the job of a run. Its files are kept."), {}, 1, 1, cancelRun};
}

} // namespace slipway
