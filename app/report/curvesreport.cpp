// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/report/curvesreport.h"

#include "app/compare/sweepcurves.h"
#include "app/report/runreport.h"
#include "plots/figure/figure.h"
#include "plots/metrics/summary.h"
#include "remote/base/tr.h"

#include <QMap>

#include <algorithm>

namespace slipway {

namespace {

constexpr QSize curvesChartSize(1000, 560);
constexpr size_t mostSweepCharts = 4;

QString orDash(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("–") : text;
}

QString seriesTitles(const QStringList& series)
{
    QStringList titles;
    for (const QString& name : series)
        titles << seriesTitle(name);
    return titles.join(QStringLiteral(", "));
}

/// The chart as it is shown, with a legend. What is below it says the axis and the smoothing.
ReportChart curvesPicture(const ReportedCurves& curves)
{
    const ChartSpec spec = curvesChart(curves.view, curves.sources, curves.offered);
    const QString axis = curvesAxisTitle(curves.view.axis, curves.sources);
    const bool isByField = !fieldOfAxis(curves.view.axis).isEmpty();
    FigureOptions options;
    options.theme = curves.theme;
    options.legend = true;
    options.smoothing = curves.smoothing;
    options.caption = smoothingSentence(curves.smoothing);
    const QString title =
        isByField ? spec.title : tr("%1 by %2").arg(seriesTitles(curves.view.series), axis);
    const QString summary = chartSummary(spec, *curves.store) + QStringLiteral(". ")
        + tr("Horizontal axis: %1.").arg(axis) + u' ' + options.caption;
    return {
        title, renderChartSvg(spec, *curves.store, curvesChartSize, options), summary.trimmed()};
}

/// The final values against each field that differs and is a number, as the charts of a sweep.
void addSweepCharts(ReportContent& report, const ReportedCurves& curves)
{
    size_t added = 0;
    for (const DifferingField& field : numericFields(curves.sources)) {
        const CurvesView view{curves.view.series, QStringLiteral("field:") + field.key};
        if (view == curves.view || added == mostSweepCharts)
            continue;
        SeriesStore store;
        fillSweep(view, curves.sources, curves.entries, store);
        if (store.empty())
            continue;
        const ChartSpec spec = curvesChart(view, curves.sources, curves.offered);
        FigureOptions options;
        options.legend = true;
        report.charts.push_back({spec.title, renderChartSvg(spec, store, curvesChartSize, options),
            chartSummary(spec, store)});
        ++added;
    }
}

ReportTable runsTable(const ReportedCurves& curves)
{
    const CurvesTable shown = curvesTable(curves.sources, curves.entries, curves.view.series);
    ReportTable table{tr("The runs"), {tr("ID")}, {}};
    for (const CurvesColumn& column : shown.columns)
        table.header << column.title;
    CurvesOrder order = curves.order;
    order.filter.clear();
    for (const size_t at : arrangedRows(shown, order)) {
        QStringList cells{shown.rows[at].runId};
        for (const CurvesCell& cell : shown.rows[at].cells)
            cells << cell.text;
        table.rows.push_back(cells);
    }
    if (curves.sources.size() > 1 && differingFields(curves.sources).empty())
        table.note = tr("No known field of these launches differs.");
    return table;
}

/// Whether a curve is drawn by another x than the one that it was printed with.
bool hasInterpolated(const ReportedCurves& curves)
{
    const std::vector<CurveToDraw> drawn =
        curvesToDraw(curves.view, curves.sources, curves.entries);
    return std::any_of(drawn.begin(), drawn.end(),
        [](const CurveToDraw& curve) { return !curve.axis.isUnchanged(); });
}

QStringList axisNotes(const ReportedCurves& curves)
{
    const QString axis = curvesAxisTitle(curves.view.axis, curves.sources);
    if (!fieldOfAxis(curves.view.axis).isEmpty())
        return {tr("Horizontal axis: %1. Each point is the final value of one run.").arg(axis)};
    QStringList notes{tr("Horizontal axis: %1.").arg(axis)};
    if (hasInterpolated(curves))
        notes << tr("Where a program printed these values by something else, their places are "
                    "interpolated between points at which it printed both. Nothing is "
                    "extrapolated.");
    return notes;
}

QStringList curvesProtocol(const ReportedCurves& curves)
{
    QStringList lines;
    for (const QString& series : curves.view.series)
        lines << (isMeasuredBeside(series)
                ? tr("%1 was sampled on the nodes while the programs ran.").arg(seriesTitle(series))
                : tr("%1 is what the programs printed.").arg(seriesTitle(series)));
    lines << axisNotes(curves);
    lines << (curves.smoothing > 0 ? smoothingSentence(curves.smoothing)
                                   : tr("The curves are not smoothed."));
    const QString unit = curvesChart(curves.view, curves.sources, curves.offered).y.unit;
    const std::optional<bool> higher = commonDirection(curves.view, unit);
    lines << (!higher ? tr("Final is the last value.")
            : *higher ? tr("Final is the last value, best the highest one.")
                      : tr("Final is the last value, best the lowest one."));
    lines << tr("Duration is the time from the start of the job to its end.");
    const bool live = std::any_of(curves.sources.begin(), curves.sources.end(),
        [](const CurvesSource& source) { return source.run.live; });
    if (live)
        lines << tr("Runs that had not ended are shown as far as they were.");
    lines << missingCurves(curves.view, curves.sources, curves.entries);
    lines.removeAll(QString());
    return lines;
}

/// One row for each run: where and when it ran.
ReportTable environmentTable(Engine& engine, const std::vector<CurvesSource>& sources)
{
    ReportTable table{tr("Environment"),
        {tr("ID"), tr("Run"), tr("Recipe"), tr("Cluster"), tr("Partition"), tr("Nodes"), tr("Job"),
            tr("Started"), tr("Time limit"), tr("State in Slurm"), tr("The node")},
        {}};
    for (const CurvesSource& source : sources) {
        const std::optional<Run> run = engine.runs()->run(source.run.id);
        if (!run)
            continue; // removed by another program meanwhile
        const LaunchFacts facts = engine.runs()->launchFacts(run->id);
        const std::optional<NodeReport> node = engine.runs()->nodeReport(run->id);
        QStringList cells{run->id, source.run.label, source.run.recipe, source.run.site,
            facts.partition.value_or(QString()), run->nodeList, run->job.text,
            run->started.isValid() ? reportDate(run->started) : QString(),
            facts.timeLimit.value_or(QString()), run->endState,
            node ? nodeSentence(*node) : QString()};
        std::transform(cells.begin(), cells.end(), cells.begin(), orDash);
        table.rows.push_back(cells);
    }
    return table;
}

/// One row for each field of the form, also those that are equal.
ReportTable fieldsTable(const std::vector<CurvesSource>& sources)
{
    QMap<QString, QString> labels;
    for (const CurvesSource& source : sources)
        for (auto field = source.run.fields.begin(); field != source.run.fields.end(); ++field)
            labels.insert(field.key(), source.run.fieldLabels.value(field.key(), field.key()));
    ReportTable table{tr("All fields of the launches"), {tr("Field")}, {}, {}, true};
    for (const CurvesSource& source : sources)
        table.header << source.run.label;
    for (auto field = labels.begin(); field != labels.end(); ++field) {
        QStringList cells{field.value()};
        for (const CurvesSource& source : sources)
            cells << orDash(source.run.fields.value(field.key()));
        table.rows.push_back(cells);
    }
    return table;
}

} // namespace

ReportContent curvesReport(const ReportedCurves& curves)
{
    ReportContent report;
    report.title = curvesChart(curves.view, curves.sources, curves.offered).title;
    report.subtitle = curvesSubtitle(curves.sources);
    report.answer = bestSentence(curves.view, curves.sources, curves.entries);
    report.charts.push_back(curvesPicture(curves));
    addSweepCharts(report, curves);
    report.tables.push_back(runsTable(curves));
    report.listTitle = tr("How it was measured");
    report.list = curvesProtocol(curves);
    report.writtenBy = reportFooter();
    return report;
}

void addLaunches(ReportContent& report, Engine& engine, const std::vector<CurvesSource>& sources)
{
    if (ReportTable environment = environmentTable(engine, sources); !environment.rows.empty())
        report.tables.push_back(std::move(environment));
    if (ReportTable fields = fieldsTable(sources); !fields.rows.empty())
        report.tables.push_back(std::move(fields));
    report.textsTitle = tr("Scripts and commands");
    for (const CurvesSource& source : sources)
        if (const std::optional<Run> run = engine.runs()->run(source.run.id))
            addScript(report, engine, *run, source.run.label);
}

} // namespace slipway
