// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/report/comparisonreport.h"

#include "plots/figure/figure.h"
#include "plots/metrics/summary.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

constexpr QSize raceChartSize(1000, 520);

/// The curves of all lanes that did the same work as one of the two.
ReportChart raceChart(const Comparison& comparison, const std::vector<CompareLane>& lanes)
{
    std::vector<CompareLane> sameWork;
    std::copy_if(
        lanes.begin(), lanes.end(), std::back_inserter(sameWork), [&](const CompareLane& lane) {
            return lane.work == comparison.a.work || lane.work == comparison.b.work;
        });
    SeriesStore store;
    for (const CompareLane& lane : sameWork)
        store.add(samplesOf(lane));
    const ChartSpec spec = comparisonChart(sameWork, comparison.references);
    return {comparison.title, renderChartSvg(spec, store, raceChartSize, {}),
        chartSummary(spec, store)};
}

/// The result as sentences: "GPU is 32 × as fast as CPU. At n = 8192, compute only: …"
QString findingOf(const Comparison& comparison)
{
    QString finding = comparison.refusal;
    if (comparison.fair()) {
        QString where = comparison.where;
        where.replace(0, 1, where.left(1).toUpper());
        const QString detail =
            comparison.detail.isEmpty() ? QString() : QStringLiteral(": ") + comparison.detail;
        finding = comparison.sentence + u' ' + where + detail + u'.';
    }
    return comparison.crossoverText.isEmpty() ? finding : finding + u' ' + comparison.crossoverText;
}

/// A sign and its meaning: a sign alone says nothing to a screen reader.
QString ruleState(const FairnessRule& rule)
{
    switch (rule.state) {
    case FairnessRule::State::Kept:
        return tr("%1 kept").arg(rule.sign());
    case FairnessRule::State::Note:
        return tr("%1 note").arg(rule.sign());
    case FairnessRule::State::Broken:
        return tr("%1 violated").arg(rule.sign());
    case FairnessRule::State::Unknown:
        break;
    }
    return tr("%1 unknown").arg(rule.sign());
}

} // namespace

void addComparison(
    ReportContent& report, const Comparison& comparison, const std::vector<AbsentLane>& absent)
{
    if (comparison.fair())
        report.answer = QString(report.answer + u' ' + findingOf(comparison)).trimmed();
    const ComparisonTable medians = comparisonTable(comparison);
    if (!medians.rows.empty())
        report.tables.push_back({tr("Medians"), medians.headings, medians.rows});
    ReportTable rules{tr("Was it fair?"), {tr("State"), tr("Rule")}, {}, comparison.refusal, false};
    for (const FairnessRule& rule : comparison.rules)
        rules.rows.push_back({ruleState(rule), rule.text});
    report.tables.push_back(std::move(rules));
    report.listTitle = tr("How it was measured");
    report.list = comparison.protocol;
    for (const AbsentLane& lane : absent)
        report.list << tr("%1 did not run: %2 %3").arg(lane.label, lane.why, lane.fix).trimmed();
}

ReportContent comparisonReport(const Comparison& comparison, const std::vector<CompareLane>& lanes,
    const std::vector<AbsentLane>& absent)
{
    ReportContent report;
    report.title = comparison.title;
    QStringList runs;
    for (const CompareLane& lane : lanes)
        runs << lane.runId;
    runs.removeDuplicates();
    report.subtitle = runs.size() == 1 ? tr("Run %1").arg(runs.front())
                                       : tr("Runs: %1").arg(runs.join(QStringLiteral(", ")));
    report.charts.push_back(raceChart(comparison, lanes));
    addComparison(report, comparison, absent);
    report.answer = findingOf(comparison);
    report.writtenBy = reportFooter();
    return report;
}

} // namespace slipway
