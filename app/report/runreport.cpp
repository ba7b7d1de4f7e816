// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/report/runreport.h"

#include "app/report/comparisonreport.h"
#include "app/runs/runfinding.h"
#include "app/runs/runwords.h"
#include "app/runs/sweep.h"
#include "plots/figure/figure.h"
#include "plots/metrics/chartparts.h"
#include "plots/metrics/summary.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

constexpr QSize reportChartSize(1000, 520);
constexpr size_t mostReportRows = 200; ///< of the numbers of a chart
constexpr qsizetype lastReportLines = 200; ///< of the log

/// The facts of a run that are known.
class FactList {
public:
    void add(const QString& name, const QString& value)
    {
        if (!value.isEmpty())
            m_facts.emplace_back(name, value);
    }
    std::vector<std::pair<QString, QString>> take() { return std::move(m_facts); }

private:
    std::vector<std::pair<QString, QString>> m_facts;
};

/// The names of the form's fields, as the form shows them.
QMap<QString, QString> fieldLabels(Engine& engine, const LaunchSpec& spec)
{
    QMap<QString, QString> labels;
    const Recipe* const recipe = engine.catalogue()->recipe(spec.recipeId);
    const Site* const site = engine.catalogue()->site(spec.siteId);
    if (recipe && site)
        for (const Parameter& field : formFields(*recipe, *site, {}, spec))
            labels.insert(field.key, field.label);
    return labels;
}

void addTimes(FactList& list, const Run& run)
{
    if (run.started.isValid())
        list.add(tr("Started"), reportDate(run.started));
    if (run.started.isValid() && run.ended.isValid())
        list.add(tr("Duration"),
            durationText(std::chrono::seconds(std::max<qint64>(0, run.started.secsTo(run.ended)))));
    list.add(tr("State in Slurm"), run.endState);
    if (run.exitCode)
        list.add(tr("Exit code"), QString::number(*run.exitCode));
}

std::vector<std::pair<QString, QString>> runFacts(
    Engine& engine, const Run& run, const LaunchFacts& facts)
{
    FactList list;
    list.add(tr("Cluster"), facts.siteName.value_or(run.spec.siteId));
    list.add(tr("Partition"), facts.partition.value_or(QString()));
    list.add(tr("Nodes"), run.nodeList);
    list.add(tr("Job"), run.job.text);
    list.add(tr("Time limit"), facts.timeLimit.value_or(QString()));
    list.add(tr("Image"), facts.image.value_or(QString()));
    const bool unknown = run.imageDigest.isEmpty() && !facts.image.value_or(QString()).isEmpty();
    list.add(tr("Image digest"), unknown ? tr("unknown") : run.imageDigest);
    list.add(tr("Digest in the registry at the launch"), run.registryDigest);
    addTimes(list, run);
    list.add(tr("Tags"), run.labels.tags.join(QStringLiteral(", ")));
    list.add(tr("Note"), run.labels.note);
    const QMap<QString, QString> labels = fieldLabels(engine, run.spec);
    for (auto value = run.spec.values.cbegin(); value != run.spec.values.cend(); ++value)
        list.add(tr("Field “%1”").arg(labels.value(value.key(), value.key())), value.value());
    return list.take();
}

/// The state, what the numbers say, then what failed and what to do about it.
void addFinding(ReportContent& report, const Run& run, const RunFinding& finding)
{
    report.answer =
        (QStringList{run.sentence, finding.answer, finding.progress} + finding.doubts).join(u' ');
    report.tone = run.phase == RunPhase::Failed ? ReportTone::Failure
        : run.phase == RunPhase::Done           ? ReportTone::Good
                                                : ReportTone::Neutral;
    ReportTable known{
        tr("What is known about it"), {tr("What"), tr("Why"), tr("What to do"), tr("Where")}, {}};
    for (const Explanation& one : run.explanations) {
        const QString line =
            one.line > 0 ? tr("Line %1: %2").arg(one.line).arg(one.evidence) : one.evidence;
        const QString cause = one.facts.isEmpty() ? one.cause : one.cause + u' ' + one.facts;
        known.rows.push_back({one.title, cause, one.remedy, line});
        if (one.severity == Explanation::Severity::Fault)
            report.answer += u' ' + one.title + QStringLiteral(". ") + one.remedy;
    }
    if (!known.rows.empty())
        report.tables.push_back(std::move(known));
    if (run.error && run.error->summary != run.sentence)
        report.answer += u' ' + run.error->summary;
    if (run.error && run.explanations.empty())
        report.answer += u' ' + run.error->remedy;
    report.answer = report.answer.simplified();
}

void addChart(ReportContent& report, const ChartSpec& chart, const SeriesStore& store)
{
    const ChartTable numbers = chartTable(chart, store, mostReportRows + 1);
    if (numbers.rows.empty())
        return;
    const QString title = chart.title.isEmpty() ? tr("Curves") : chart.title;
    report.charts.push_back(
        {title, renderChartSvg(chart, store, reportChartSize, {}), chartSummary(chart, store)});
    ReportTable table{tr("%1: numbers").arg(title), numbers.header, numbers.rows, {}, true};
    if (table.rows.size() > mostReportRows) {
        table.rows.erase(table.rows.begin());
        table.note = tr("The last %1 rows.").arg(mostReportRows);
    }
    report.tables.push_back(std::move(table));
}

/// The charts that the window shows; of a run of a sweep, with the curves of its other runs.
void addCharts(ReportContent& report, Engine& engine, const Run& run, const RunFeed& feed)
{
    std::vector<ChartSpec> charts = engine.runs()->reading(run.id).charts;
    if (charts.empty())
        charts.emplace_back();
    std::unique_ptr<SweepFeed> sweep;
    if (!run.spec.sweep.isEmpty())
        sweep = std::make_unique<SweepFeed>(engine.runs(), run.spec.sweep);
    const SeriesStore& store = sweep ? sweep->series() : feed.series();
    for (const ChartSpec& chart : charts)
        for (const ChartSpec& part : chartParts(chart, store))
            addChart(report, part, store);
}

/// A race says more than its curves.
void addRace(ReportContent& report, Engine& engine, const QString& runId)
{
    const RaceFile race = engine.runs()->race(runId);
    const std::vector<CompareLane> lanes = lanesOf({race});
    const auto pair = likelyPair(lanes);
    if (!pair)
        return;
    Comparison comparison = compare(lanes[pair->first], lanes[pair->second]);
    addReferences(comparison, engine.raceReferences());
    addComparison(report, comparison, race.absent);
}

void addNode(ReportContent& report, const NodeReport& node)
{
    ReportTable table{tr("The node"), {tr("Check"), tr("State"), tr("Value"), tr("Where")}, {},
        nodeSentence(node)};
    for (const CheckRow& row : node.rows)
        if (row.state != CheckState::Skip)
            table.rows.push_back({checkTitle(row.id), checkWord(row.state), row.value,
                row.node.isEmpty() ? row.where : row.node + u", " + row.where});
    if (!table.rows.empty())
        report.tables.push_back(std::move(table));
}

/// The end of the log, without the lines that are meant for Slipway.
QString lastLogLines(const RunFeed& feed)
{
    const QStringList& all = feed.lines();
    QStringList last;
    for (auto line = all.crbegin(); line != all.crend() && last.size() < lastReportLines; ++line)
        if (!line->startsWith(u"@slipway "))
            last.prepend(*line);
    return last.join(u'\n');
}

} // namespace

ReportContent runReport(Engine& engine, const Run& run, const RunFeed* feed)
{
    ReportContent report;
    const LaunchFacts facts = engine.runs()->launchFacts(run.id);
    report.title = runName(run);
    report.subtitle = tr("Run %1 on %2, %3")
                          .arg(run.id, facts.siteName.value_or(run.spec.siteId),
                              reportDate(run.started.isValid() ? run.started : run.created));
    const Recipe* const recipe = engine.catalogue()->recipe(run.spec.recipeId);
    addFinding(report, run, runFinding(run, recipe, feed));
    report.facts = runFacts(engine, run, facts);
    addRace(report, engine, run.id);
    if (feed)
        addCharts(report, engine, run, *feed);
    if (const auto node = engine.runs()->nodeReport(run.id))
        addNode(report, *node);
    report.textsTitle = tr("Script, commands and log");
    addScript(report, engine, run);
    if (const QString log = feed ? lastLogLines(*feed) : QString(); !log.isEmpty())
        report.texts.push_back({tr("The last lines of the log"), log});
    report.writtenBy = reportFooter();
    return report;
}

void addScript(ReportContent& report, Engine& engine, const Run& run, const QString& name)
{
    const auto add = [&](const QString& title, const QString& text) {
        if (!text.isEmpty())
            report.texts.push_back({name.isEmpty() ? title : tr("%1: %2").arg(name, title), text});
    };
    add(run.folder.isEmpty() ? tr("Job script; it was not uploaded") : tr("Job script"),
        QString::fromUtf8(engine.runs()->submittedScript(run.id)));
    add(tr("Commands to do the same by hand"), engine.runs()->commands(run.id).join(u'\n'));
}

} // namespace slipway
