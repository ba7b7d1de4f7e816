// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runfinding.h"

#include "app/runs/finddoubts.h"
#include "app/runs/runfeed.h"
#include "app/runs/runwords.h"
#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostLosses = 3;

/// "train loss 0.08, lowest 0.07 at step 150"
QString lossWords(const MetricSeries& loss)
{
    const SeriesPoint last = *loss.latest();
    const SeriesPoint best = *loss.extreme(false);
    const QString words = curveTitle(loss) + u' ' + numberText(last.y, 3);
    if (loss.size() < 2)
        return words;
    if (best.y == last.y)
        return tr("%1, the lowest").arg(words);
    return tr("%1, lowest %2 %3").arg(words, numberText(best.y, 3), atText(loss, best.x)).trimmed();
}

/// One training: the first loss of training and the first of validation. Several: one loss of each.
std::vector<const MetricSeries*> shownLosses(const std::vector<const MetricSeries*>& losses)
{
    std::vector<const MetricSeries*> list;
    const auto first = [&](bool validation) -> const MetricSeries* {
        const auto found = std::find_if(losses.begin(), losses.end(),
            [&](const MetricSeries* one) { return isValidation(one->series()) == validation; });
        return found == losses.end() ? nullptr : *found;
    };
    const MetricSeries* const train = first(false);
    const MetricSeries* const valid = first(true);
    const MetricSeries* const main = valid ? valid : train;
    for (const MetricSeries* one : losses)
        if (one->series() == main->series() && list.size() < mostLosses)
            list.push_back(one);
    if (list.size() == 1 && train && valid)
        list.insert(list.begin(), train);
    return list;
}

std::optional<qint64> epochsOf(
    const std::vector<const MetricSeries*>& losses, const std::optional<RunProgress>& progress)
{
    if (progress && progress->name == QLatin1String("epoch"))
        return qint64(progress->done);
    for (const MetricSeries* one : losses)
        if (one->xName() == QLatin1String("epoch"))
            return qint64(one->latest()->x);
    return {};
}

QString trainingAnswer(const Run& run, const std::vector<const MetricSeries*>& losses,
    const std::optional<RunProgress>& progress)
{
    QStringList parts;
    for (const MetricSeries* one : shownLosses(losses))
        parts << lossWords(*one);
    if (const auto epochs = epochsOf(losses, progress); epochs && *epochs > 0)
        parts << (*epochs == 1 ? tr("1 epoch") : tr("%1 epochs").arg(*epochs));
    if (isTerminal(run.phase) && run.started.isValid() && run.ended.isValid())
        parts << tr("the run took %1").arg(durationText(*runDuration(run, run.ended)));
    QString text = parts.join(QStringLiteral("; "));
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text.isEmpty() ? text : text + u'.';
}

QString timesAsFast(double ratio)
{
    return numberText(ratio, ratio >= 100 ? 3 : 2);
}

/// How the chosen curve compares with the next best one at the last size that both have.
QString laneWords(const ShownChart& chart, const MetricSeries& best)
{
    const MetricSeries* next = nullptr;
    double ratio = 0;
    double x = 0;
    for (const MetricSeries* other : chart.curves) {
        if (other == &best)
            continue;
        const auto common = lastCommon(best, *other);
        const double ahead = common ? chart.ratio(common->first, common->second) : 0;
        if (ahead > 0 && (!next || ahead < ratio)) {
            next = other;
            ratio = ahead;
            x = common->x;
        }
    }
    if (!next || ratio < 1.02)
        return {};
    QString words = tr("%1 times as fast as %2").arg(timesAsFast(ratio), laneTitle(*next));
    if (x != best.latest()->x)
        words += u' ' + atText(best, x);
    return words;
}

/// The first published result that may be compared, at a size that was measured too; else at its
/// own best size, which is named.
QString referenceSentence(const ShownChart& chart, const MetricSeries& best)
{
    for (const ReferenceSeries& reference : chart.spec->references) {
        const bool ofThis = reference.series.isEmpty() || reference.series == best.series();
        if (!ofThis || !reference.notComparable.isEmpty() || reference.points.empty())
            continue;
        const SeriesPoint mine = *best.latest();
        const auto same = std::find_if(reference.points.begin(), reference.points.end(),
            [&](const ReferencePoint& point) { return point.x == mine.x; });
        const ReferencePoint theirs =
            same != reference.points.end() ? *same : reference.points.back();
        const double ratio = chart.ratio(theirs.y, mine.y);
        if (!(ratio > 0))
            continue;
        QString words = ratio >= 1
            ? tr("the published %1 is %2 times as fast").arg(reference.label, timesAsFast(ratio))
            : tr("%2 times as fast as the published %1")
                  .arg(reference.label, timesAsFast(1 / ratio));
        if (theirs.x != mine.x)
            words += QStringLiteral(" (%1 %2)")
                         .arg(quantityText(theirs.y, chart.unit()), atText(best, theirs.x))
                         .replace(QStringLiteral(" )"), QStringLiteral(")"));
        return words;
    }
    return {};
}

/// ", highest 0.72 at C 1" behind the last value of an accuracy; empty: that is the highest, or how
/// fast something is depends on its size.
QString bestText(const ShownChart& chart, const MetricSeries& curve)
{
    const std::optional<bool> higher = chart.isHigherBetter();
    if (!higher || chart.isSpeed())
        return {};
    const SeriesPoint best = *curve.extreme(*higher);
    if (best.y == curve.latest()->y)
        return {};
    return QStringLiteral(", ")
        + (*higher ? tr("highest %1 %2") : tr("lowest %1 %2"))
              .arg(quantityText(best.y, chart.unit()), atText(curve, best.x))
              .trimmed();
}

QString chartAnswer(const ShownChart& chart)
{
    const MetricSeries& best = chart.best();
    const SeriesPoint last = *best.latest();
    QStringList names;
    if (!chart.isRate()) {
        const bool named = !chart.spec->title.isEmpty() && !chart.spec->series.contains(u'*');
        QString title = named ? chart.spec->title : seriesTitle(best.series());
        title[0] = title.at(0).toUpper();
        names << title;
    }
    if (chart.curves.size() > 1 && !best.lane().isEmpty())
        names << best.lane();
    const QString value = quantityText(last.y, chart.unit()) + u' ' + atText(best, last.x);
    QString text = value.trimmed();
    if (!names.isEmpty())
        text = names.join(QStringLiteral(", ")) + QStringLiteral(": ") + text;
    text += bestText(chart, best);
    if (chart.isSpeed()) {
        if (const QString lanes = laneWords(chart, best); !lanes.isEmpty())
            text += QStringLiteral(", ") + lanes;
        if (const QString published = referenceSentence(chart, best); !published.isEmpty())
            text += QStringLiteral("; ") + published;
    }
    return text + u'.';
}

QString stepsSentence(const RunProgress& progress)
{
    static const QStringList counted{QStringLiteral("step"), QStringLiteral("epoch"),
        QStringLiteral("iteration"), QStringLiteral("batch"), QStringLiteral("update")};
    if (!counted.contains(progress.name) || progress.done >= progress.total)
        return {};
    QString name = progress.name;
    name[0] = name.at(0).toUpper();
    QString text =
        tr("%1 %2 of %3").arg(name).arg(qint64(progress.done)).arg(qint64(progress.total));
    if (progress.left)
        text += QStringLiteral(", ") + tr("%1 left").arg(roughTime(*progress.left));
    return text + u'.';
}

} // namespace

RunFinding runFinding(const Run& run, const Recipe* recipe, const SeriesStore& series,
    const std::optional<RunProgress>& progress)
{
    RunFinding finding;
    if (progress && run.phase == RunPhase::Running)
        finding.progress = stepsSentence(*progress);
    const auto losses = lossesOf(series);
    const auto chart = shownChart(recipe, series);
    if (!losses.empty())
        finding.answer = trainingAnswer(run, losses, progress);
    else if (chart)
        finding.answer = chartAnswer(*chart);
    finding.doubts = lossDoubts(series);
    // Lanes run one after the other: before the end, the curves are not complete.
    if (chart && (run.phase == RunPhase::Done || run.phase == RunPhase::Allocated))
        finding.doubts += laneDoubts(*chart, recipe);
    return finding;
}

RunFinding runFinding(const Run& run, const Recipe* recipe, const RunFeed* feed)
{
    return feed ? runFinding(run, recipe, feed->series(), feed->progress()) : RunFinding();
}

} // namespace slipway
