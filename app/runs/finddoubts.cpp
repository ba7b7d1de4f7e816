// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/finddoubts.h"

#include "app/compare/runcurves.h"
#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace slipway {

namespace {

constexpr size_t searchedPoints = 1000;
constexpr size_t fewestForTrend = 4;
constexpr double notNoise = 1.05;

/// A lane that names its number of threads: "CPU, 2 threads" is "CPU, " and 2; "all" is the most.
struct ThreadLane {
    QString of;
    qint64 threads = 0;
    const MetricSeries* curve = nullptr;
};

std::vector<ThreadLane> threadLanes(const ShownChart& chart)
{
    static const QRegularExpression form(QStringLiteral(R"(\A(.*?)(\d{1,5}|all) threads?\z)"));
    std::vector<ThreadLane> lanes;
    for (const MetricSeries* curve : chart.curves) {
        const auto match = form.match(curve->lane());
        if (!match.hasMatch())
            continue;
        const QString number = match.captured(2);
        lanes.push_back({match.captured(1),
            number == QLatin1String("all") ? std::numeric_limits<qint64>::max()
                                           : number.toLongLong(),
            curve});
    }
    return lanes;
}

/// "52.1 GFLOP/s against 61.4 GFLOP/s at n 2048"
QString againstText(const ShownChart& chart, const MetricSeries& curve, const CommonPoint& at)
{
    return tr("%1 against %2 %3")
        .arg(quantityText(at.first, chart.unit()), quantityText(at.second, chart.unit()),
            atText(curve, at.x))
        .trimmed();
}

QStringList threadDoubts(const ShownChart& chart)
{
    QStringList doubts;
    const auto lanes = threadLanes(chart);
    for (const ThreadLane& more : lanes) {
        for (const ThreadLane& fewer : lanes) {
            if (more.of != fewer.of || more.threads <= fewer.threads)
                continue;
            const auto at = lastCommon(*more.curve, *fewer.curve);
            const double behind = at ? chart.ratio(at->second, at->first) : 0;
            if (behind > notNoise)
                doubts << tr("%1 is slower than %2: %3. The job may have fewer CPUs than threads.")
                              .arg(more.curve->lane(), fewer.curve->lane(),
                                  againstText(chart, *more.curve, *at));
        }
    }
    return doubts;
}

QStringList gpuDoubts(const ShownChart& chart, const Recipe& recipe)
{
    const auto needsGpu = [&](const QString& lane) {
        return std::any_of(recipe.lanes.begin(), recipe.lanes.end(),
            [&](const Lane& one) { return one.needsGpu && (one.label == lane || one.id == lane); });
    };
    QStringList doubts;
    for (const MetricSeries* gpu : chart.curves) {
        for (const MetricSeries* other : chart.curves) {
            if (!needsGpu(gpu->lane()) || needsGpu(other->lane()))
                continue;
            const auto at = lastCommon(*gpu, *other);
            const double behind = at ? chart.ratio(at->second, at->first) : 0;
            if (behind > notNoise)
                doubts << tr("%1 is slower than %2: %3. The work may be too small for a GPU.")
                              .arg(gpu->lane(), other->lane(), againstText(chart, *gpu, *at));
        }
    }
    return doubts;
}

void addRise(const MetricSeries& loss, QStringList* doubts)
{
    if (loss.size() < fewestForTrend)
        return;
    const SeriesPoint first = loss.at(0);
    const SeriesPoint last = *loss.latest();
    const SeriesPoint best = *loss.extreme(false);
    if (first.y > 0 && last.y > first.y * notNoise) {
        *doubts << tr("%1 has risen from %2 to %3.")
                       .arg(curveTitle(loss), numberText(first.y, 3), numberText(last.y, 3));
    } else if (isValidation(loss.series()) && best.y > 0 && last.y > best.y * notNoise
        && last.x - best.x >= 0.2 * (last.x - first.x)) {
        const QString at = atText(loss, best.x);
        *doubts << (at.isEmpty()
                ? tr("%1 has risen since its lowest value: it may be overfitting.")
                      .arg(curveTitle(loss))
                : tr("%1 was lowest %2 and has risen since: it may be overfitting.")
                      .arg(curveTitle(loss), at));
    }
}

} // namespace

QString ShownChart::unit() const
{
    const QString own = curves.front()->unit();
    return own.isEmpty() ? spec->y.unit : own;
}

bool ShownChart::isRate() const
{
    return unit().endsWith(QLatin1String("/s"));
}

bool ShownChart::isSpeed() const
{
    return isRate() || unit() == QLatin1String("s");
}

double ShownChart::ratio(double a, double b) const
{
    if (!isSpeed() || !(a > 0) || !(b > 0))
        return 0;
    return isRate() ? a / b : b / a;
}

std::optional<bool> ShownChart::isHigherBetter() const
{
    return spec->higherIsBetter ? spec->higherIsBetter
                                : higherIsBetter(curves.front()->series(), unit());
}

const MetricSeries& ShownChart::best() const
{
    const std::optional<bool> direction = isHigherBetter();
    if (!direction)
        return *curves.front();
    const bool higher = *direction;
    return **std::max_element(
        curves.begin(), curves.end(), [higher](const MetricSeries* a, const MetricSeries* b) {
            const double one = a->latest()->y, two = b->latest()->y;
            return higher ? one < two : one > two;
        });
}

/// Of "train_rmse" and "valid_rmse" the one that says how good the result is; else the first that
/// the chart shows; null: there is none.
const MetricSeries* leadingSeries(const ChartSpec& spec, const SeriesStore& series)
{
    static const QString train = QStringLiteral("train_");
    const MetricSeries* first = nullptr;
    for (const auto& one : series.all()) {
        if (one->empty() || isMeasuredBeside(one->series()) || !chartShows(spec, one->series()))
            continue;
        first = first ? first : one.get();
        if (!first->series().startsWith(train))
            return first;
        if (isValidation(one->series())
            && one->series().endsWith(first->series().mid(train.size() - 1)))
            return one.get();
    }
    return first;
}

std::optional<ShownChart> shownChart(const Recipe* recipe, const SeriesStore& series)
{
    if (!recipe)
        return {};
    for (const ChartSpec& spec : recipe->charts) {
        const MetricSeries* const leading = leadingSeries(spec, series);
        if (!leading)
            continue;
        ShownChart chart{&spec, {}};
        for (const auto& one : series.all()) {
            if (!one->empty() && one->series() == leading->series())
                chart.curves.push_back(one.get());
        }
        return chart;
    }
    return {};
}

std::optional<CommonPoint> lastCommon(const MetricSeries& a, const MetricSeries& b)
{
    const size_t endA = a.size() - std::min(a.size(), searchedPoints);
    const size_t endB = b.size() - std::min(b.size(), searchedPoints);
    size_t i = a.size(), j = b.size();
    while (i > endA && j > endB) {
        const SeriesPoint one = a.at(i - 1), two = b.at(j - 1);
        if (one.x == two.x)
            return CommonPoint{one.x, one.y, two.y};
        one.x > two.x ? --i : --j;
    }
    return {};
}

std::vector<const MetricSeries*> lossesOf(const SeriesStore& series)
{
    std::vector<const MetricSeries*> losses;
    for (const auto& one : series.all())
        if (!one->empty() && isLossSeries(one->series())
            && !one->lane().startsWith(QLatin1String("rank ")))
            losses.push_back(one.get());
    return losses;
}

bool isValidation(const QString& series)
{
    return series.startsWith(QLatin1String("val")) || series.startsWith(QLatin1String("test"))
        || series.startsWith(QLatin1String("eval"));
}

QString curveTitle(const MetricSeries& series)
{
    const QString title = seriesTitle(series.series());
    return series.lane().isEmpty() ? title : title + QStringLiteral(", ") + series.lane();
}

QString laneTitle(const MetricSeries& series)
{
    return series.lane().isEmpty() ? seriesTitle(series.series()) : series.lane();
}

QString atText(const MetricSeries& series, double x)
{
    return series.xName().isEmpty() || series.xName() == QLatin1String("line") ? QString()
        : series.xName() == QLatin1String("time")
        ? tr("at %1").arg(quantityText(x, QStringLiteral("s")))
        : tr("at %1 %2").arg(series.xName(), numberText(x, 6));
}

QStringList lossDoubts(const SeriesStore& series)
{
    QStringList doubts;
    for (const auto& one : series.all()) {
        if (!isLossSeries(one->series()) || one->lane().startsWith(QLatin1String("rank ")))
            continue;
        if (!one->marks().empty()) {
            const QString at = atText(*one, one->marks().front().x);
            doubts << (at.isEmpty()
                    ? tr("%1 has values that are not numbers.").arg(curveTitle(*one))
                    : tr("%1 is not a number, first %2.").arg(curveTitle(*one), at));
        }
        addRise(*one, &doubts);
    }
    for (QString& doubt : doubts)
        doubt[0] = doubt.at(0).toUpper();
    return doubts;
}

QStringList laneDoubts(const ShownChart& chart, const Recipe* recipe)
{
    QStringList doubts = threadDoubts(chart);
    if (recipe)
        doubts += gpuDoubts(chart, *recipe);
    for (const MetricSeries* curve : chart.curves) {
        const QString name = curve->series();
        const double last = curve->latest()->y;
        if ((name == QLatin1String("speedup") || name == QLatin1String("speed_up")) && last < 1)
            doubts << tr("The speed-up is below 1: %1 %2.")
                          .arg(numberText(last, 3), atText(*curve, curve->latest()->x));
    }
    return doubts;
}

} // namespace slipway
