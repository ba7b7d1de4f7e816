// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/follow.h"
#include "app/cli/imagecheck.h"
#include "app/cli/interrupts.h"
#include "app/cli/ownwork.h"
#include "app/cli/problems.h"
#include "app/cli/resultfiles.h"
#include "app/cli/runchain.h"
#include "app/cli/runsweep.h"
#include "app/plan/difference.h"
#include "app/runs/relaunch.h"
#include "remote/base/tr.h"

#include <QJsonArray>

namespace slipway {

namespace {

void printDetached(Context& context, const QString& id)
{
    if (context.out.json)
        return context.out.object(
            {{QStringLiteral("run"), id}, {QStringLiteral("detached"), true}});
    context.out.note(tr("The job continues without this terminal."));
    printResumeHint(context, id);
}

/// With --relaunch: prints the changes of the script, unless `printed` has them already.
void printDifference(Context& context, const LaunchSpec& spec, QString* printed)
{
    const std::optional<Run> before =
        context.engine().runs()->run(context.arguments.value("--relaunch"));
    if (!before)
        return;
    const QByteArray after = scriptOf(context.engine().runs()->plan(spec), before->tag);
    QStringList lines;
    for (const DifferenceLine& line :
        scriptDifference(context.engine().runs()->submittedScript(before->id), after))
        lines << differenceText(line);
    const QString text = lines.join(u'\n');
    if (*printed == text && !printed->isNull())
        return;
    *printed = text.isNull() ? QStringLiteral("") : text;
    if (context.out.json)
        return context.out.object({{QStringLiteral("relaunch"), before->id},
            {QStringLiteral("again"), before->id}, // its name in the previous version
            {QStringLiteral("difference"), text}});
    context.out.note(lines.isEmpty()
            ? tr("The script is the same as that of run %1.").arg(before->id)
            : tr("Changes compared with run %1:").arg(before->id));
    for (const QString& line : lines)
        context.out.note(terminalText(line));
}

/// Connects and submits the launch. The result is the id of the run, once the cluster has accepted
/// the job.
QCoro::Task<Result<QString>> submit(Context& context, LaunchSpec spec, QJsonArray* imageCheck)
{
    QString printed;
    printDifference(context, spec, &printed);
    const Result<void> connected = co_await context.connectTo(spec.siteId);
    if (!connected.ok())
        co_return connected.error();
    if (!context.arguments.has("--no-image-check")) {
        const std::vector<CheckedImage> images = co_await checkImages(context, spec);
        noteImages(context, images);
        *imageCheck = imageCheckObjects(images);
        if (const std::optional<Error> refusal = imageRefusal(images)) {
            if (context.out.json)
                context.out.object({{QStringLiteral("image_check"), *imageCheck}});
            co_return *refusal;
        }
    }
    // The facts that the cluster reported may have changed the defaults and the problems.
    printDifference(context, spec, &printed);
    const Plan plan = context.engine().runs()->plan(spec);
    for (const Problem& problem : plan.problems)
        reportProblem(context, problem);
    if (plan.hasErrors())
        co_return Error{ErrorKind::Invalid, tr("This launch would fail; nothing was sent.")};
    const std::unique_ptr<QObject> shown = showUpload(context, spec);
    const Result<QString> id = co_await context.engine().runs()->launch(spec);
    co_return id;
}

void printContinued(Context& context, const Run& run)
{
    if (run.spec.continues.isEmpty() || context.out.json)
        return;
    context.out.note(run.spec.afterJob.isEmpty()
            ? tr("It continues run %1.").arg(run.spec.continues)
            : tr("It continues run %1, and starts when that has ended.").arg(run.spec.continues));
}

void printSubmitted(Context& context, const Run& run, const QJsonArray& imageCheck)
{
    const bool own = !run.spec.project.isEmpty();
    const CodeRecord code = own ? context.engine().runs()->files(run.id)->sentCode() : CodeRecord();
    if (context.out.json) {
        QJsonObject object{{QStringLiteral("run"), run.id}, {QStringLiteral("job"), run.job.text},
            {QStringLiteral("folder"), run.folder}};
        if (!imageCheck.isEmpty())
            object.insert(QStringLiteral("image_check"), imageCheck);
        if (!run.spec.continues.isEmpty())
            object.insert(QStringLiteral("continues"), run.spec.continues);
        if (own)
            object.insert(QStringLiteral("sent"), code.toJson());
        return context.out.object(object);
    }
    if (own)
        context.out.note(code.sentence());
    context.out.note(tr("Run %1 is job %2, in %3").arg(run.id, run.job.text, run.folder));
    printContinued(context, run);
}

QCoro::Task<ExitCode> finish(Context& context, QString id)
{
    Run run = *context.engine().runs()->run(id);
    printResults(context, run);
    const ExitCode ending = printEnding(context, run);
    const ExitCode code = co_await releaseAtEnd(context, id, ending);
    const ExitCode written = co_await writeResultFiles(context, run);
    co_return code == ExitCode::Done ? written : code;
}

/// None: it was left before its end, which was printed.
QCoro::Task<std::optional<ExitCode>> followToEnd(Context& context, QString id, ExitCode* left)
{
    Follower follower(context, id, Follower::OwnLines::Hidden);
    const Follower::End end = co_await follower.untilEnd();
    if (end != Follower::End::Ended) {
        *left = printLeaving(context, id, end);
        co_return std::nullopt;
    }
    const ExitCode code = co_await finish(context, id);
    co_return code;
}

/// Follows these runs one after the other.
QCoro::Task<ExitCode> followAll(Context& context, QStringList runs)
{
    ExitCode code = ExitCode::Done;
    for (const QString& run : runs) {
        const std::optional<ExitCode> ended = co_await followToEnd(context, run, &code);
        if (!ended)
            co_return code;
        code = *ended; // of the last one: those before it may have ended by their time limit
    }
    co_return code;
}

QCoro::Task<ExitCode> launchRecipe(Context& context)
{
    const std::optional<LaunchSpec> spec = context.launchSpec();
    if (!spec)
        co_return ExitCode::Usage;
    const std::optional<int> times = chainLength(context, *spec);
    if (!times)
        co_return ExitCode::Usage;
    for (const char* option : {"--at-once", "--array", "--no-array"}) {
        if (context.arguments.has(option) && !context.arguments.has("--sweep"))
            co_return context.misused(tr("%1 requires --sweep.").arg(QLatin1String(option)));
    }
    if (const std::optional<Error> wrong = resultFilesProblem(context.arguments))
        co_return context.misused(wrong->summary, wrong->remedy);
    if (context.arguments.has("--sweep")) {
        const std::optional<SweepRequest> request = sweepRequest(context, *spec);
        if (!request)
            co_return ExitCode::Usage;
        const ExitCode swept = co_await runSweep(context, *spec, *request);
        co_return swept;
    }
    if (!spec->project.isEmpty()) {
        const Result<void> printed = co_await printChanges(context, *spec);
        if (!printed.ok())
            co_return context.fail(printed.error());
    }
    const ExitCode code = co_await launchAndFollow(context, *spec, *times);
    co_return code;
}

} // namespace

QCoro::Task<ExitCode> launchAndFollow(Context& context, LaunchSpec spec, int times)
{
    QJsonArray imageCheck;
    const Result<QString> submitted = co_await submit(context, spec, &imageCheck);
    if (!submitted.ok())
        co_return context.fail(submitted.error());
    const QString id = *submitted;
    printSubmitted(context, *context.engine().runs()->run(id), imageCheck);
    const Result<QStringList> next = co_await submitNext(context, id, times - 1);
    if (!next.ok())
        co_return context.fail(next.error());
    for (const QString& after : *next)
        printSubmitted(context, *context.engine().runs()->run(after), {});
    if (context.arguments.has("--detach")) {
        printDetached(context, id);
        co_return ExitCode::Done;
    }
    const QStringList runs = QStringList{id} + *next;
    const ExitCode code = co_await followAll(context, runs);
    co_return code;
}

Command runCommand()
{
    std::vector<OptionSpec> options = launchOptions();
    const std::vector<OptionSpec> own{
        {QStringLiteral("--relaunch"), QStringLiteral("RUN"),
            tr("launch this run again, with the fields that --set changes"), false,
            QStringLiteral("--again")},
        {QStringLiteral("--continue"), QStringLiteral("RUN"),
            tr("go on from the checkpoints of this run; if it has not ended, when it has")},
        {QStringLiteral("--times"), QStringLiteral("N"),
            tr("submit N jobs, each of which continues the one before")},
        {QStringLiteral("--send"), QStringLiteral("FILE"),
            tr("send this file of your folder although it is large; repeatable"), true},
        {QStringLiteral("--interactive"), {},
            tr("run step by step in an allocation, which is released at the end")},
        {QStringLiteral("--keep"), {},
            tr("with --interactive: keep the nodes, and print how to open a shell on them")},
        {QStringLiteral("--sweep"), QStringLiteral("KEY=V1,V2"),
            tr("one job per value of a field, and one plot; “default”: the sweep of the recipe")},
        {QStringLiteral("--at-once"), QStringLiteral("N"),
            tr("with --sweep: so many of its jobs at the same time, at most")},
        {QStringLiteral("--array"), {}, tr("with --sweep: all of it as one job array")},
        {QStringLiteral("--no-array"), {}, tr("with --sweep: one job for each value")},
        {QStringLiteral("--plot"), QStringLiteral("FILE"),
            tr("draw the first chart of the recipe (.png, .svg or .pdf)")},
        {QStringLiteral("--csv"), QStringLiteral("FILE"), tr("write the numbers")},
        {QStringLiteral("--fetch"), QStringLiteral("DIR"),
            tr("copy the script, log and results to this folder")},
        {QStringLiteral("--same-image"), {},
            tr("with --relaunch: the image of that run by its digest, even if its tag has moved")},
        {QStringLiteral("--no-image-check"), {},
            tr("launch without asking the registry about the image")},
        {QStringLiteral("--detach"), {}, tr("exit as soon as the job is accepted")}};
    options.insert(options.end(), own.begin(), own.end());
    return {QStringLiteral("run"),
        QStringLiteral(
            "(RECIPE --site S | FILE --site S | --relaunch RUN | --continue RUN) [--set K=V]… "
            "[--gpus N] [--image REF] [--secret VAR]… [--send FILE]… [--exercise N] "
            "[--sweep K=V1,V2 [--at-once N] [--array | --no-array]] [--times N] "
            "[--interactive [--keep]] "
            "[--plot FILE] [--csv FILE] [--fetch DIR] [--same-image] [--no-image-check] "
            "[--detach] [-- WORD…]"),
        tr("launch a recipe or your own program, and follow it to its end"),
        tr("Logs in, checks the launch, submits it and follows the job: the log goes to stdout, "
           "progress to stderr, and a\n"
           "table of the results is printed at the end. Ctrl-C leaves the job running and prints "
           "how to resume.\n"
           "If a run fails, known failures in its log and in the messages of the scheduler are "
           "explained. With\n"
           "--relaunch, the difference between the two scripts is printed first.\n"
           "\n"
           "The registry is asked about the image before the job is submitted. The launch is "
           "refused "
           "if there is no such image,\n"
           "or if it does not run on the partition; what the registry does not say is unknown, and "
           "the launch goes on.\n"
           "\n"
           "FILE is a program of yours or its folder: ./train.py. What it needs is read from the "
           "folder and printed with the\n"
           "reasons; --set, --gpus and --image change it. The folder is sent with the run, without "
           "what .gitignore and\n"
           ".slipwayignore name, and only what the cluster does not have yet. The words after -- "
           "are for the program.\n"
           "\n"
           "A training that is longer than a job: name its checkpoint folder with --set "
           "checkpoints=DIR. That folder is kept,\n"
           "and --continue goes on from it; --set signal=USR1@120 sends the program a signal "
           "before "
           "the time limit.\n"
           "\n"
           "A sweep of five or more values is one job array if the cluster takes arrays and all of "
           "its jobs request the same;\n"
           "otherwise, and with --no-array, each value is a job of its own. Each value is a run in "
           "either case."),
        options, 0, 1, launchRecipe, {}, true};
}

} // namespace slipway
