// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/compare.h"
#include "app/cli/resultfiles.h"
#include "app/cli/waiter.h"
#include "app/compare/references.h"
#include "app/runs/runfeed.h"
#include "plots/figure/figure.h"
#include "remote/base/tr.h"

#include <QJsonDocument>

#include <algorithm>

namespace slipway {

namespace {

/// RUN[:LANE] from the command line.
struct LaneRequest {
    QString run;
    QString lane; ///< empty: all lanes of the run
};

/// The requested lanes, and the lanes that did not run.
struct Field {
    std::vector<CompareLane> lanes;
    std::vector<AbsentLane> absent;
    bool chosen = false; ///< each request names a lane: the first two are the pair
};

std::vector<LaneRequest> laneRequestsOf(const QStringList& words)
{
    std::vector<LaneRequest> requests;
    for (const QString& word : words)
        requests.push_back({word.section(u':', 0, 0), word.section(u':', 1)});
    return requests;
}

QStringList laneNames(const std::vector<CompareLane>& lanes)
{
    QStringList names;
    for (const CompareLane& lane : lanes)
        names << lane.key.section(u':', 1, 1);
    names.removeDuplicates();
    return names;
}

/// The requested lanes of `all`, in the order of the requests; an error lists the available lanes.
Result<Field> chosenLanes(
    const std::vector<CompareLane>& all, const std::vector<LaneRequest>& requests)
{
    Field field;
    field.chosen = true;
    for (const LaneRequest& request : requests) {
        std::vector<CompareLane> ofRun;
        std::copy_if(all.begin(), all.end(), std::back_inserter(ofRun),
            [&](const CompareLane& lane) { return lane.runId == request.run; });
        if (ofRun.empty())
            return Error{ErrorKind::NotFound,
                tr("Run %1 has no measurements to compare.").arg(request.run),
                tr("A race has lanes with times or rates. For example: slipway-cli run "
                   "gpu-cpu-race --site S")};
        const size_t before = field.lanes.size();
        for (const CompareLane& lane : ofRun) {
            const bool wanted = request.lane.isEmpty() || isLaneNamed(lane, request.lane);
            const bool known = std::any_of(field.lanes.begin(), field.lanes.end(),
                [&](const CompareLane& one) { return one.key == lane.key; });
            if (wanted && !known)
                field.lanes.push_back(lane);
        }
        if (field.lanes.size() == before && !request.lane.isEmpty())
            return Error{ErrorKind::Usage,
                tr("Run %1 has no lane “%2”.").arg(request.run, request.lane),
                tr("Available lanes: %1.").arg(laneNames(ofRun).join(QStringLiteral(", ")))};
        field.chosen = field.chosen && !request.lane.isEmpty();
    }
    return field;
}

Result<void> drawComparison(const QString& path, const Field& field, const Comparison& comparison)
{
    std::vector<CompareLane> sameWork;
    std::copy_if(field.lanes.begin(), field.lanes.end(), std::back_inserter(sameWork),
        [&](const CompareLane& lane) {
            return lane.work == comparison.a.work || lane.work == comparison.b.work;
        });
    SeriesStore store;
    for (const CompareLane& lane : sameWork)
        store.add(samplesOf(lane));
    FigureOptions options;
    options.caption =
        comparison.fair() ? comparison.sentence + u' ' + comparison.where : comparison.refusal;
    return saveChart(path, comparisonChart(sameWork, comparison.references), store, pictureSize,
        pictureScale, options);
}

void printComparison(
    Output& out, const Comparison& comparison, const std::vector<AbsentLane>& absent)
{
    out.line(terminalText(comparison.title));
    out.line();
    if (comparison.fair()) {
        out.line(terminalText(comparison.sentence));
        out.line(terminalText(comparison.where
            + (comparison.detail.isEmpty() ? QString() : u": " + comparison.detail)));
    } else {
        out.line(terminalText(comparison.refusal));
    }
    if (!comparison.crossoverText.isEmpty())
        out.line(terminalText(comparison.crossoverText));
    for (const AbsentLane& lane : absent)
        out.line(terminalText(
            tr("%1 did not run: %2 %3").arg(lane.label, lane.why, lane.fix).trimmed()));
    out.line();
    out.line(tr("Was it fair?"));
    for (const FairnessRule& rule : comparison.rules)
        out.line(terminalText(QStringLiteral("  %1 %2").arg(rule.sign(), rule.text)));
    const ComparisonTable table = comparisonTable(comparison);
    if (!table.rows.empty()) {
        out.line();
        out.table(table.headings, table.rows);
    }
    out.line();
    out.line(tr("How it was measured"));
    for (const QString& line : comparison.protocol)
        out.line(QStringLiteral("  ") + terminalText(line));
}

ExitCode writeFiles(Context& context, const Field& field, const Comparison& comparison)
{
    ExitCode code = ExitCode::Done;
    const auto wrote = [&](const QString& what, const QString& path, const Result<void>& result) {
        if (!result.ok())
            code = context.fail(result.error());
        else
            context.out.note(QStringLiteral("%1: %2").arg(what, path));
    };
    if (const QString path = context.arguments.value("--csv"); !path.isEmpty())
        wrote(tr("Repetitions"), path, writeFile(path, comparisonCsv(field.lanes)));
    if (const QString path = context.arguments.value("--plot"); !path.isEmpty())
        wrote(tr("Plot"), path, drawComparison(path, field, comparison));
    return code;
}

/// The lanes of all runs that the requests name.
QCoro::Task<Result<Field>> gather(Context& context, std::vector<LaneRequest> requests)
{
    std::vector<RaceFile> files;
    for (const LaneRequest& request : requests) {
        if (std::any_of(files.begin(), files.end(),
                [&](const RaceFile& file) { return file.runId == request.run; }))
            continue;
        co_await untilRead(context, request.run);
        files.push_back(context.engine().runs()->race(request.run));
    }
    Result<Field> field = chosenLanes(lanesOf(files), requests);
    if (field.ok())
        for (const RaceFile& file : files)
            field->absent.insert(field->absent.end(), file.absent.begin(), file.absent.end());
    co_return field;
}

QCoro::Task<ExitCode> compareRuns(Context& context)
{
    if (context.arguments.has("--curves")) {
        const ExitCode code = co_await compareCurves(context);
        co_return code;
    }
    if (const QString stray = strayCurvesOption(context.arguments); !stray.isEmpty())
        co_return context.misused(tr("%1 needs --curves.").arg(stray),
            stray == u"--html" ? tr("The report of a race: slipway-cli report RUN:LANE RUN:LANE")
                               : QString());
    if (const std::optional<Error> wrong = plotAndCsvProblem(context.arguments))
        co_return context.misused(wrong->summary, wrong->remedy);
    if (context.arguments.has("--markdown") && context.out.json)
        co_return context.misused(tr("--markdown and --json are mutually exclusive."));
    const std::vector<LaneRequest> requests = laneRequestsOf(context.arguments.positional);
    for (const LaneRequest& request : requests)
        if (!context.run(request.run))
            co_return ExitCode::Usage;
    const Result<Field> field = co_await gather(context, requests);
    if (!field.ok())
        co_return context.fail(field.error());
    const auto pair = field->chosen && field->lanes.size() > 1
        ? std::optional(std::pair<size_t, size_t>(0, 1))
        : likelyPair(field->lanes);
    if (!pair) {
        QString why;
        for (const AbsentLane& lane : field->absent)
            why += u' ' + tr("%1 did not run: %2").arg(lane.label, lane.why);
        co_return context.fail(Error{ErrorKind::NotFound,
            tr("Only “%1” has measurements.%2").arg(field->lanes.front().label, why),
            tr("Name another run or lane to compare it with.")});
    }
    Comparison comparison = compare(field->lanes[pair->first], field->lanes[pair->second]);
    addReferences(comparison, context.engine().raceReferences());
    if (context.out.json)
        context.out.object(
            QJsonDocument::fromJson(comparisonJson(comparison, field->absent)).object());
    else if (context.arguments.has("--markdown"))
        context.out.raw(comparisonMarkdown(comparison, field->absent));
    else
        printComparison(context.out, comparison, field->absent);
    co_return writeFiles(context, *field, comparison);
}

} // namespace

bool isLaneNamed(const CompareLane& lane, const QString& name)
{
    return lane.key.section(u':', 1, 1) == name || lane.label == name
        || lane.key == lane.runId + u':' + name;
}

QCoro::Task<void> untilRead(Context& context, QString runId)
{
    Waiter waiter;
    const std::shared_ptr<RunFeed> feed = context.engine().runs()->holdFeed(runId);
    for (int i = 0; feed && i < 400; ++i) {
        const std::optional<Run> run = context.engine().runs()->run(runId);
        if (!run || (feed->bytes() >= run->logBytes && (!feed->live() || !isTerminal(run->phase))))
            co_return;
        co_await waiter.wait(std::chrono::milliseconds(25));
    }
}

Command compareCommand()
{
    std::vector<OptionSpec> options{{QStringLiteral("--markdown"), {}, tr("print Markdown")},
        {QStringLiteral("--csv"), QStringLiteral("FILE"),
            tr("write every repetition of every lane; with --curves: every point of the curves")},
        {QStringLiteral("--plot"), QStringLiteral("FILE"),
            tr("plot the lanes (.png, .svg or .pdf), with published results as dashed lines; with "
               "--curves: the curves")}};
    for (OptionSpec& option : curvesOptions())
        options.push_back(std::move(option));
    return {QStringLiteral("compare"),
        QStringLiteral("RUN[:LANE] [RUN[:LANE]…] [--curves] [--markdown] [--csv FILE] "
                       "[--plot FILE] [--html FILE]"),
        tr("compare two lanes, or the curves of runs"),
        tr("Compares two lanes of one run or of several: the fastest GPU lane and the fastest CPU "
           "lane, or the two that\n"
           "are named (k3f9:gpu k3f9:cpu). Prints the medians, the ratios with 95 % confidence "
           "intervals, the fairness\n"
           "rules with their results, and how the lanes were measured. A speed-up is stated only "
           "if all rules passed.\n\n"
           "With --curves it compares what runs printed while they worked, for example the losses "
           "of two trainings: a table\n"
           "of the form fields that differ, the final and best values, durations, nodes, images "
           "and image digests, with\n"
           "--plot the curves on one axis, and with --html all of it as one file to hand on: the "
           "chart, the table, of a\n"
           "sweep the final values against what was varied, how it was measured, environment, "
           "scripts and commands.\n"
           "The image digest is the SHA-256 of the image file that a run used: runs with the same "
           "digest used the same\n"
           "file, and each pull of an image writes another file."),
        options, 1, 20, compareRuns};
}

} // namespace slipway
