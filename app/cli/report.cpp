// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/compare.h"
#include "app/cli/interrupts.h"
#include "app/cli/resultfiles.h"
#include "app/compare/references.h"
#include "app/report/comparisonreport.h"
#include "app/report/runreport.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

/// RUN[:LANE] from the command line.
struct ReportRequest {
    QString run;
    QString lane; ///< empty: all lanes of the run
};

/// The file to write. Without --to it is named after the runs.
QString reportPath(const Arguments& arguments, const std::vector<ReportRequest>& requests)
{
    if (arguments.has("--to"))
        return arguments.value("--to");
    QStringList runs;
    for (const ReportRequest& request : requests)
        runs << request.run;
    runs.removeDuplicates();
    return QStringLiteral("slipway-%1.html").arg(runs.join(u'-'));
}

QCoro::Task<ReportContent> reportOfRun(Context& context, Run run)
{
    const std::vector<Run> all = context.engine().runs()->all();
    std::vector<std::shared_ptr<RunFeed>> feeds;
    for (const Run& one : all) {
        const bool sweep = !run.spec.sweep.isEmpty() && one.spec.sweep == run.spec.sweep;
        if (one.id != run.id && !sweep)
            continue;
        feeds.push_back(context.engine().runs()->holdFeed(one.id));
        co_await untilRead(context, one.id);
    }
    co_return runReport(context.engine(), run, context.engine().runs()->feed(run.id));
}

bool isRequested(const CompareLane& lane, const ReportRequest& request)
{
    return lane.runId == request.run && (request.lane.isEmpty() || isLaneNamed(lane, request.lane));
}

/// The requested lanes of `all`, each once, in the order of the requests.
Result<std::vector<CompareLane>> requestedLanes(
    const std::vector<CompareLane>& all, const std::vector<ReportRequest>& requests)
{
    std::vector<CompareLane> lanes;
    for (const ReportRequest& request : requests) {
        bool found = false;
        for (const CompareLane& lane : all) {
            if (!isRequested(lane, request))
                continue;
            found = true;
            const bool known = std::any_of(lanes.begin(), lanes.end(),
                [&](const CompareLane& one) { return one.key == lane.key; });
            if (!known)
                lanes.push_back(lane);
        }
        if (!found)
            return Error{ErrorKind::NotFound,
                request.lane.isEmpty()
                    ? tr("Run %1 has no measurements to compare.").arg(request.run)
                    : tr("Run %1 has no lane “%2” with measurements.")
                          .arg(request.run, request.lane),
                tr("Write a report of each run alone: slipway-cli report %1. Of the curves of "
                   "several runs: slipway-cli compare --curves RUN RUN --html FILE")
                    .arg(request.run)};
    }
    return lanes;
}

QCoro::Task<Result<ReportContent>> reportOfLanes(
    Context& context, std::vector<ReportRequest> requests)
{
    std::vector<RaceFile> files;
    std::vector<AbsentLane> absent;
    for (const ReportRequest& request : requests) {
        if (std::any_of(files.begin(), files.end(),
                [&](const RaceFile& file) { return file.runId == request.run; }))
            continue;
        const std::shared_ptr<RunFeed> held = context.engine().runs()->holdFeed(request.run);
        co_await untilRead(context, request.run);
        files.push_back(context.engine().runs()->race(request.run));
        absent.insert(absent.end(), files.back().absent.begin(), files.back().absent.end());
    }
    const Result<std::vector<CompareLane>> lanes = requestedLanes(lanesOf(files), requests);
    if (!lanes.ok())
        co_return lanes.error();
    const bool chosen = std::none_of(requests.begin(), requests.end(),
        [](const ReportRequest& request) { return request.lane.isEmpty(); });
    const auto pair = chosen && lanes->size() > 1 ? std::optional(std::pair<size_t, size_t>(0, 1))
                                                  : likelyPair(*lanes);
    if (!pair)
        co_return Error{ErrorKind::NotFound,
            tr("Only “%1” has measurements.").arg(lanes->front().label),
            tr("Name another run or lane to compare it with.")};
    Comparison comparison = compare((*lanes)[pair->first], (*lanes)[pair->second]);
    addReferences(comparison, context.engine().raceReferences());
    co_return comparisonReport(comparison, *lanes, absent);
}

QCoro::Task<ExitCode> writeReport(Context& context)
{
    std::vector<ReportRequest> requests;
    for (const QString& word : context.arguments.positional)
        requests.push_back({word.section(u':', 0, 0), word.section(u':', 1)});
    const QString path = reportPath(context.arguments, requests);
    if (const std::optional<Error> wrong = reportPathProblem(QStringLiteral("--to"), path))
        co_return context.fail(*wrong);
    std::optional<Run> run;
    for (const ReportRequest& request : requests) {
        run = context.run(request.run);
        if (!run)
            co_return ExitCode::Usage;
    }
    ReportContent report;
    if (requests.size() == 1 && requests.front().lane.isEmpty()) {
        report = co_await reportOfRun(context, *run);
    } else {
        const Result<ReportContent> comparison = co_await reportOfLanes(context, requests);
        if (!comparison.ok())
            co_return context.fail(comparison.error());
        report = *comparison;
    }
    if (Interrupts::pending())
        co_return ExitCode::Interrupted;
    co_return keepReport(context, path, report);
}

} // namespace

Command reportCommand()
{
    return {QStringLiteral("report"), QStringLiteral("RUN[:LANE] [RUN[:LANE]…] [--to FILE.html]"),
        tr("write a run or a comparison as one HTML file"),
        tr("Writes one HTML file that can be handed on: it needs neither Slipway nor a connection, "
           "loads nothing and\n"
           "contains no script. Of one run: its finding, its settings, charts with their numbers, "
           "the node, the job script, the\n"
           "commands and the end of the log. Of several runs of a race, or of lanes (k3f9:gpu "
           "p7d2:gpu): the comparison, as\n"
           "“slipway-cli compare” prints it, with its chart. The report of the curves of any runs "
           "is "
           "written by\n"
           "“slipway-cli compare --curves” with --html. It is made from what is stored on this "
           "computer; read it before you\n"
           "hand it on, because a log can contain anything."),
        {{QStringLiteral("--to"), QStringLiteral("FILE"),
            tr("the file to write; without it slipway-RUN.html in the current folder")}},
        1, 20, writeReport};
}

} // namespace slipway
