// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/resultfiles.h"
#include "app/cli/waiter.h"
#include "app/compare/references.h"
#include "app/runs/runfeed.h"
#include "plots/figure/figure.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

#include <algorithm>

namespace slipway {

namespace {

/// RUN[:LANE], as it was typed.
struct LaneRequest {
    QString run;
    QString lane; ///< empty: all of the run
};

/// The lanes that were asked for, and those that did not run.
struct Field {
    std::vector<CompareLane> lanes;
    std::vector<AbsentLane> absent;
    bool chosen = false; ///< lane by lane: the first two are the pair
};

std::vector<LaneRequest> laneRequestsOf(const QStringList& words)
{
    std::vector<LaneRequest> requests;
    for (const QString& word : words)
        requests.push_back({word.section(u':', 0, 0), word.section(u':', 1)});
    return requests;
}

/// What a run printed is read a slice at a time.
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

QStringList laneNames(const std::vector<CompareLane>& lanes)
{
    QStringList names;
    for (const CompareLane& lane : lanes)
        names << lane.key.section(u':', 1, 1);
    names.removeDuplicates();
    return names;
}

/// The lanes of `all` in the order in which they were asked for; an error names those there are.
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
                QStringLiteral("Run %1 measured nothing that could be compared.").arg(request.run),
                QStringLiteral("A race has lanes with times or rates; “slipway-cli run "
                               "gpu-cpu-race --site S” is one.")};
        const size_t before = field.lanes.size();
        for (const CompareLane& lane : ofRun) {
            const bool wanted = request.lane.isEmpty()
                || lane.key.section(u':', 1, 1) == request.lane || lane.label == request.lane
                || lane.key == request.run + u':' + request.lane;
            const bool known = std::any_of(field.lanes.begin(), field.lanes.end(),
                [&](const CompareLane& one) { return one.key == lane.key; });
            if (wanted && !known)
                field.lanes.push_back(lane);
        }
        if (field.lanes.size() == before && !request.lane.isEmpty())
            return Error{ErrorKind::Usage,
                QStringLiteral("Run %1 has no lane “%2”.").arg(request.run, request.lane),
                QStringLiteral("There are: %1.").arg(laneNames(ofRun).join(QStringLiteral(", ")))};
        field.chosen = field.chosen && !request.lane.isEmpty();
    }
    return field;
}

QString fileProblem(const Arguments& arguments)
{
    static const QStringList pictures{
        QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
    const QString plot = arguments.value("--plot");
    if (arguments.has("--plot") && !pictures.contains(QFileInfo(plot).suffix().toLower()))
        return QStringLiteral("“%1” does not say what to draw: end it with .png, .svg or .pdf.")
            .arg(plot);
    if (arguments.has("--markdown") && arguments.has("--json"))
        return QStringLiteral("--markdown and --json are two forms of the same: take one.");
    return {};
}

Result<void> writeFile(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return Error{ErrorKind::Io,
            QStringLiteral("%1 cannot be written: %2.").arg(path, file.errorString())};
    return {};
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
            QStringLiteral("%1 did not run: %2 %3").arg(lane.label, lane.why, lane.fix).trimmed()));
    out.line();
    out.line(QStringLiteral("Was it fair?"));
    for (const FairnessRule& rule : comparison.rules)
        out.line(terminalText(QStringLiteral("  %1 %2").arg(rule.sign(), rule.text)));
    const ComparisonTable table = comparisonTable(comparison);
    if (!table.rows.empty()) {
        out.line();
        out.table(table.headings, table.rows);
    }
    out.line();
    out.line(QStringLiteral("How it was measured"));
    for (const QString& line : comparison.protocol)
        out.line(QStringLiteral("  ") + terminalText(line));
}

ExitCode writeFiles(Context& context, const Field& field, const Comparison& comparison)
{
    ExitCode code = ExitCode::Done;
    const auto wrote = [&](const char* what, const QString& path, const Result<void>& result) {
        if (!result.ok())
            code = context.fail(result.error());
        else
            context.out.note(QStringLiteral("%1: %2").arg(QLatin1String(what), path));
    };
    if (const QString path = context.arguments.value("--csv"); !path.isEmpty())
        wrote("Every repeat", path, writeFile(path, comparisonCsv(field.lanes)));
    if (const QString path = context.arguments.value("--plot"); !path.isEmpty())
        wrote("Plot", path, drawComparison(path, field, comparison));
    return code;
}

/// The lanes of all runs that were named.
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
    if (const QString complaint = fileProblem(context.arguments); !complaint.isEmpty())
        co_return context.misused(complaint);
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
            why += QStringLiteral(" %1 did not run: %2").arg(lane.label, lane.why);
        co_return context.fail(Error{ErrorKind::NotFound,
            QStringLiteral("Only “%1” measured anything.%2").arg(field->lanes.front().label, why),
            QStringLiteral("Name another run or lane to compare it with.")});
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

Command compareCommand()
{
    return {QStringLiteral("compare"),
        QStringLiteral("RUN[:LANE] [RUN[:LANE]…] [--markdown] [--csv FILE] [--plot FILE]"),
        QStringLiteral("compare lanes: how many times as fast, and was it fair"),
        QStringLiteral("Compares two lanes of one run or of several: the fastest GPU lane against "
                       "the fastest CPU lane, or the two\n"
                       "that are named (k3f9:gpu k3f9:cpu). Prints medians, ratios with their 95 % "
                       "intervals, the rules of fair\n"
                       "measuring and whether they were kept, and how it was measured. A speed-up "
                       "is stated only when they were."),
        {{QStringLiteral("--markdown"), {}, QStringLiteral("as a page of Markdown")},
            {QStringLiteral("--csv"), QStringLiteral("FILE"),
                QStringLiteral("write every repeat of every lane")},
            {QStringLiteral("--plot"), QStringLiteral("FILE"),
                QStringLiteral(
                    "draw the lanes (.png, .svg or .pdf), what others published dashed")}},
        1, 20, compareRuns};
}

} // namespace slipway
