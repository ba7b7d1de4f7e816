// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/compare.h"
#include "app/cli/resultfiles.h"
#include "app/compare/curveschart.h"
#include "app/compare/sweepcurves.h"
#include "app/report/curvesreport.h"
#include "app/runs/curvesrun.h"
#include "plots/figure/figure.h"
#include "plots/metrics/csv.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <limits>

namespace slipway {

namespace {

/// The chosen runs with their numbers, and what of them is shown.
struct ChosenCurves {
    std::vector<std::shared_ptr<RunFeed>> feeds; ///< own the numbers
    std::vector<CurvesSource> sources;
    std::vector<OfferedSeries> offered;
    std::vector<CurvesEntry> entries;
    CurvesView view;
    double smoothing = 0;
};

/// A mistake that is found before anything is read.
std::optional<Error> curvesMisuse(const Arguments& arguments)
{
    if (arguments.has("--markdown"))
        return Error{ErrorKind::Usage, tr("--markdown and --curves are mutually exclusive.")};
    for (const QString& word : arguments.positional)
        if (word.contains(u':'))
            return Error{ErrorKind::Usage, tr("--curves takes runs, not lanes: “%1”.").arg(word),
                tr("Name the run alone. All its lanes are shown.")};
    bool isNumber = true;
    const double weight =
        arguments.has("--smooth") ? arguments.value("--smooth").toDouble(&isNumber) : 0;
    if (!isNumber || !(weight >= 0 && weight <= 0.99))
        return Error{ErrorKind::Usage,
            tr("--smooth takes a number from 0 to 0.99, not “%1”.")
                .arg(arguments.value("--smooth"))};
    if (arguments.has("--html"))
        if (auto wrong = reportPathProblem(QStringLiteral("--html"), arguments.value("--html")))
            return wrong;
    return plotAndCsvProblem(arguments);
}

/// The named runs, each once, with --sweep followed by the others of their sweeps; none: the error
/// was printed.
std::optional<std::vector<Run>> namedRuns(Context& context)
{
    std::vector<Run> named;
    const auto add = [&named](const Run& run) {
        const bool known = std::any_of(
            named.begin(), named.end(), [&](const Run& one) { return one.id == run.id; });
        if (!known)
            named.push_back(run);
    };
    for (const QString& id : context.arguments.positional) {
        const std::optional<Run> run = context.run(id);
        if (!run)
            return {};
        add(*run);
    }
    if (!context.arguments.has("--sweep"))
        return named;
    QStringList sweeps;
    for (const Run& run : named) {
        if (run.spec.sweep.isEmpty()) {
            context.misused(tr("Run %1 is not part of a sweep.").arg(run.id));
            return {};
        }
        sweeps << run.spec.sweep;
    }
    const std::vector<Run> all = context.engine().runs()->all();
    for (auto run = all.rbegin(); run != all.rend(); ++run) // oldest first
        if (sweeps.contains(run->spec.sweep))
            add(*run);
    return named;
}

QStringList namesOf(const std::vector<OfferedSeries>& offered)
{
    QStringList names;
    for (const OfferedSeries& one : offered)
        names << one.name;
    return names;
}

std::optional<Error> chooseSeries(const Arguments& arguments, ChosenCurves& chosen)
{
    const QStringList names = namesOf(chosen.offered), wanted = arguments.values("--series");
    for (const QString& series : wanted)
        if (!names.contains(series))
            return Error{ErrorKind::Usage, tr("None of these runs has a series “%1”.").arg(series),
                tr("Available series: %1.").arg(names.join(QStringLiteral(", ")))};
    chosen.view.series = wanted.isEmpty() ? QStringList(likelySeries(chosen.offered)) : wanted;
    chosen.view.series.removeDuplicates();
    if ((arguments.has("--plot") || arguments.has("--html"))
        && seriesOfOneUnit(chosen.view.series, chosen.offered) != chosen.view.series)
        return Error{ErrorKind::Usage,
            tr("A plot has one axis, and these series have several units."),
            tr("Plot the series of one unit at a time.")};
    return {};
}

std::optional<Error> chooseAxis(const Arguments& arguments, ChosenCurves& chosen)
{
    const QStringList axes = possibleAxes(chosen.sources, chosen.view.series);
    QStringList fields;
    for (const DifferingField& field : numericFields(chosen.sources))
        fields << field.key;
    const QString wanted = arguments.has("--x") ? arguments.value("--x") : axes.value(0);
    if (axes.contains(wanted)) {
        chosen.view.axis = wanted;
    } else if (fields.contains(wanted)) {
        chosen.view.axis = QStringLiteral("field:") + wanted;
    } else {
        return Error{ErrorKind::Usage, tr("These curves cannot be drawn by “%1”.").arg(wanted),
            tr("Available: %1.").arg((axes + fields).join(QStringLiteral(", ")))};
    }
    return {};
}

void fillChosen(const ChosenCurves& chosen, SeriesStore& store)
{
    if (!fieldOfAxis(chosen.view.axis).isEmpty()) {
        fillSweep(chosen.view, chosen.sources, chosen.entries, store);
        return;
    }
    for (const CurveToDraw& curve : curvesToDraw(chosen.view, chosen.sources, chosen.entries)) {
        CurveCursor cursor;
        copyCurve(*curve.series, curve.axis, curve.pattern, cursor,
            std::numeric_limits<size_t>::max(), store);
    }
}

ExitCode writeCurvesReport(
    Context& context, const ChosenCurves& chosen, const SeriesStore& store, const QString& path)
{
    ReportedCurves curves;
    curves.sources = chosen.sources;
    curves.offered = chosen.offered;
    curves.entries = chosen.entries;
    curves.view = chosen.view;
    curves.store = &store;
    curves.smoothing = chosen.smoothing;
    ReportContent report = curvesReport(curves);
    addLaunches(report, context.engine(), chosen.sources);
    return keepReport(context, path, report);
}

ExitCode writeCurves(Context& context, const ChosenCurves& chosen)
{
    const QString plot = context.arguments.value("--plot"), csv = context.arguments.value("--csv"),
                  html = context.arguments.value("--html");
    if (plot.isEmpty() && csv.isEmpty() && html.isEmpty())
        return ExitCode::Done;
    SeriesStore store;
    fillChosen(chosen, store);
    if (store.empty())
        return context.fail(
            Error{ErrorKind::NotFound, tr("No values of these series can be drawn.")});
    ExitCode code = ExitCode::Done;
    const auto wrote = [&](const char* what, const QString& path, const Result<void>& result) {
        if (!result.ok())
            code = context.fail(result.error());
        else if (context.out.json)
            context.out.object(
                {{QStringLiteral("wrote"), QLatin1String(what)}, {QStringLiteral("path"), path}});
        else
            context.out.note(QStringLiteral("%1: %2").arg(tr(what), path));
    };
    if (!csv.isEmpty())
        wrote(QT_TRANSLATE_NOOP("Slipway", "Numbers"), csv, writeFile(csv, toCsv(store)));
    if (!plot.isEmpty()) {
        FigureOptions options;
        options.legend = true;
        options.smoothing = chosen.smoothing;
        options.caption = smoothingSentence(chosen.smoothing);
        wrote(QT_TRANSLATE_NOOP("Slipway", "Plot"), plot,
            saveChart(plot, curvesChart(chosen.view, chosen.sources, chosen.offered), store,
                pictureSize, pictureScale, options));
    }
    if (!html.isEmpty())
        if (const ExitCode kept = writeCurvesReport(context, chosen, store, html);
            kept != ExitCode::Done)
            code = kept;
    return code;
}

void printCurves(Context& context, const ChosenCurves& chosen)
{
    const CurvesTable table = curvesTable(chosen.sources, chosen.entries, chosen.view.series);
    QStringList headings{tr("ID")};
    for (const CurvesColumn& column : table.columns)
        headings << column.title;
    std::vector<QStringList> rows;
    for (const CurvesRow& row : table.rows) {
        QStringList cells{row.runId};
        for (const CurvesCell& cell : row.cells)
            cells << cell.text;
        rows.push_back(cells);
    }
    context.out.table(headings, rows);
    const QString best = bestSentence(chosen.view, chosen.sources, chosen.entries);
    if (!best.isEmpty()) {
        context.out.line();
        context.out.line(terminalText(best));
    }
    if (differingFields(chosen.sources).empty() && chosen.sources.size() > 1)
        context.out.note(tr("No known field of these launches differs."));
    if (const QString missing = missingCurves(chosen.view, chosen.sources, chosen.entries);
        !missing.isEmpty())
        context.out.note(missing);
    QStringList others = namesOf(chosen.offered);
    for (const QString& shown : chosen.view.series)
        others.removeAll(shown);
    if (!others.isEmpty() && !context.arguments.has("--series"))
        context.out.note(tr("Other series (--series): %1").arg(others.join(QStringLiteral(", "))));
}

QCoro::Task<ExitCode> compareChosen(Context& context)
{
    if (const std::optional<Error> misuse = curvesMisuse(context.arguments))
        co_return context.misused(misuse->summary, misuse->remedy);
    const std::optional<std::vector<Run>> runs = namedRuns(context);
    if (!runs)
        co_return ExitCode::Usage;
    ChosenCurves chosen;
    chosen.smoothing = context.arguments.value("--smooth").toDouble();
    for (const Run& run : *runs) {
        const std::shared_ptr<RunFeed> feed = context.engine().runs()->holdFeed(run.id);
        if (!feed)
            continue; // removed by another program meanwhile
        co_await untilRead(context, run.id);
        chosen.sources.push_back(
            {curvesRunOf(*context.engine().runs(), run, QDateTime::currentDateTimeUtc()),
                &feed->series()});
        chosen.feeds.push_back(feed);
    }
    labelRuns(chosen.sources);
    chosen.offered = offeredSeries(chosen.sources);
    if (chosen.offered.empty())
        co_return context.fail(
            Error{ErrorKind::NotFound, tr("These runs have no numbers to compare."),
                tr("Curves are read from what a program prints; “slipway-cli metrics” shows what "
                   "is recognised.")});
    std::optional<Error> wrong = chooseSeries(context.arguments, chosen);
    if (!wrong)
        wrong = chooseAxis(context.arguments, chosen);
    if (wrong)
        co_return context.misused(wrong->summary, wrong->remedy);
    chosen.entries = curvesEntries(chosen.sources, chosen.view.series);
    if (context.out.json)
        for (const CurvesEntry& entry : chosen.entries)
            context.out.object(entryObject(entry, chosen.sources));
    else
        printCurves(context, chosen);
    co_return writeCurves(context, chosen);
}

} // namespace

QCoro::Task<ExitCode> compareCurves(Context& context)
{
    return compareChosen(context);
}

std::vector<OptionSpec> curvesOptions()
{
    return {{QStringLiteral("--curves"), {},
                tr("compare the curves of runs: fields that differ, final and best values")},
        {QStringLiteral("--series"), QStringLiteral("NAME"),
            tr("with --curves: a series, for example valid_loss; may be repeated"), true},
        {QStringLiteral("--x"), QStringLiteral("AXIS"),
            tr("with --curves: step, epoch, time, another x as printed, or a field that differs")},
        {QStringLiteral("--smooth"), QStringLiteral("F"),
            tr("with --curves: weight of the moving average in plot and report, 0 to 0.99")},
        {QStringLiteral("--html"), QStringLiteral("FILE"),
            tr("with --curves: write a report as one HTML file to hand on")},
        {QStringLiteral("--sweep"), {}, tr("with --curves: all runs of the sweeps of these runs")}};
}

QString strayCurvesOption(const Arguments& arguments)
{
    for (const char* option : {"--series", "--x", "--smooth", "--html", "--sweep"})
        if (arguments.has(option))
            return QLatin1String(option);
    return {};
}

} // namespace slipway
