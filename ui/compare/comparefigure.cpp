// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/comparefigure.h"

#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// Work done by one call: FLOP, or bytes where memory bandwidth is measured.
std::optional<double> workOf(const Measurement& point)
{
    const bool byBytes = point.work == u"triad"_s || !point.operations;
    return byBytes ? point.bytes : point.operations;
}

bool inBytes(const CompareModel& model)
{
    for (const CompareLane& lane : model.lanes()) {
        for (const Measurement& point : lane.points) {
            return point.work == u"triad"_s || !point.operations;
        }
    }
    return false;
}

bool showsSeconds(const CompareModel& model)
{
    return model.view().seconds || !model.hasRate();
}

QString seriesName(const CompareModel& model)
{
    return showsSeconds(model) ? u"seconds"_s : inBytes(model) ? u"bandwidth"_s : u"flops"_s;
}

/// Whether the lane has a point in the chart; the charts number only such lanes.
bool isDrawn(const CompareLane& lane, const CompareModel& model)
{
    const bool seconds = showsSeconds(model);
    return model.isShown(lane.key)
        && std::any_of(lane.points.begin(), lane.points.end(), [&](const Measurement& point) {
               return !secondsOf(point, model.view().withTransfers).empty()
                   && (seconds ? !point.rateOnly : workOf(point).has_value());
           });
}

/// The compared lanes; without a comparison, all of them.
std::vector<const CompareLane*> tableLanes(const CompareModel& model)
{
    if (const auto& pair = model.comparison()) {
        return {&pair->a, &pair->b};
    }
    std::vector<const CompareLane*> lanes;
    for (const CompareLane& lane : model.lanes()) {
        lanes.push_back(&lane);
    }
    return lanes;
}

std::vector<double> sizesOf(const std::vector<const CompareLane*>& lanes)
{
    std::vector<double> sizes;
    for (const CompareLane* lane : lanes) {
        for (const Measurement& point : lane->points) {
            sizes.push_back(point.x);
        }
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

QString medianCell(const CompareLane& lane, double x, const CompareModel& model)
{
    for (const Measurement& point : lane.points) {
        const auto& repeats = secondsOf(point, model.view().withTransfers);
        if (point.x == x && !repeats.empty()) {
            const double time = median(repeats);
            return point.rateOnly ? racewords::quantity(
                       workOf(point).value_or(1) / time, inBytes(model) ? u"B/s"_s : u"FLOP/s"_s)
                                  : racewords::quantity(time, u"s"_s);
        }
    }
    return u"–"_s;
}

} // namespace

const std::vector<double>& secondsOf(const Measurement& point, bool withTransfers)
{
    return withTransfers && !point.secondsWithTransfers.empty() ? point.secondsWithTransfers
                                                                : point.seconds;
}

ChartSpec compareChart(const CompareModel& model)
{
    const bool seconds = showsSeconds(model);
    ChartSpec spec;
    spec.id = u"compare"_s;
    spec.title = compareTitle(model);
    spec.series = seriesName(model);
    spec.x = {u"n"_s, {}, true};
    if (!model.lanes().empty() && !model.lanes().front().points.empty()) {
        spec.x.name = model.lanes().front().points.front().xName;
    }
    spec.y = {model.view().withTransfers ? tr("with transfers") : tr("compute only"),
        seconds              ? u"s"_s
            : inBytes(model) ? u"B/s"_s
                             : u"FLOP/s"_s,
        true};
    if (!model.hasTransfers()) {
        spec.y.name = seconds ? tr("time") : tr("speed"); // no lane measured transfers
    }
    spec.higherIsBetter = !seconds;
    for (int index = 0; index < int(model.lanes().size()); ++index) {
        const CompareLane& lane = model.lanes()[size_t(index)];
        const bool compared = index == model.first() || index == model.second();
        if (model.comparison() && !compared) {
            continue; // the peaks of all lanes would crowd out the curves
        }
        double peak = 0;
        for (const Measurement& point : lane.points) {
            peak = std::max(peak, point.peak.value_or(0));
        }
        if (!seconds && peak > 0 && model.isShown(lane.key)) {
            spec.references.push_back({tr("measured peak, %1").arg(lane.label), spec.series,
                quantityText(peak, spec.y.unit), {{0, peak}}});
        }
    }
    for (ReferenceSeries reference : model.references()) {
        const bool forThis = reference.series == spec.series;
        if (forThis && !reference.points.empty()) {
            spec.references.push_back(std::move(reference));
        }
    }
    return spec;
}

void fillSeries(SeriesStore& store, const CompareModel& model)
{
    store.clear();
    const bool seconds = showsSeconds(model);
    for (const CompareLane& lane : model.lanes()) {
        if (!isDrawn(lane, model)) {
            continue;
        }
        for (const Measurement& point : lane.points) {
            const std::vector<double>& repeats = secondsOf(point, model.view().withTransfers);
            const std::optional<double> work = workOf(point);
            if (repeats.empty() || (seconds ? point.rateOnly : !work)) {
                continue;
            }
            const auto [least, most] = std::minmax_element(repeats.begin(), repeats.end());
            const auto value = [&](double time) { return seconds ? time : *work / time; };
            Sample sample{seriesName(model), lane.label, point.x, point.xName,
                value(median(repeats)),
                seconds              ? u"s"_s
                    : inBytes(model) ? u"B/s"_s
                                     : u"FLOP/s"_s};
            if (repeats.size() > 1) {
                sample.low = std::min(value(*least), value(*most));
                sample.high = std::max(value(*least), value(*most));
            }
            store.add(sample);
        }
    }
}

QString laneSummary(const SeriesStore& store)
{
    QStringList words;
    for (const auto& series : store.all()) {
        if (const auto last = series->latest()) {
            words << tr("%1 %2 at %3")
                         .arg(series->lane(), racewords::quantity(last->y, series->unit()),
                             racewords::sizeOf(series->xName(), last->x));
        }
    }
    return words.join(u"; "_s);
}

ChartTheme laneTheme(ChartTheme theme, const CompareModel& model)
{
    theme.order.clear();
    for (int index = 0; index < int(model.lanes().size()); ++index) {
        if (isDrawn(model.lanes()[size_t(index)], model)) {
            theme.order.push_back(index);
        }
    }
    return theme;
}

QString workWords(const CompareModel& model, const QString& kind)
{
    QStringList words;
    for (const ComparedRun& run : model.runs()) {
        for (const Measurement& point : run.file.points) {
            if (racewords::workBase(point.work) == kind
                && !words.contains(racewords::work(point.work))) {
                words << racewords::work(point.work);
            }
        }
    }
    return words.join(tr(" and "));
}

QString compareTitle(const CompareModel& model)
{
    if (const auto& pair = model.comparison()) {
        return pair->title;
    }
    if (!model.lanes().empty()) {
        return tr("%1 alone: %2")
            .arg(model.lanes().front().label, racewords::work(model.lanes().front().work));
    }
    return model.runs().empty() ? tr("Compare") : model.runs().front().title;
}

QString compareSubtitle(const CompareModel& model)
{
    QStringList places, images;
    QDateTime newest;
    for (const ComparedRun& run : model.runs()) {
        QStringList nodes;
        for (const Measurement& point : run.file.points) {
            if (!point.node.isEmpty() && !nodes.contains(point.node)) {
                nodes << point.node;
            }
        }
        QStringList place = QStringList(run.site) + nodes;
        place.removeAll(QString());
        if (!places.contains(place.join(u", "_s))) {
            places << place.join(u", "_s);
        }
        if (!run.image.isEmpty() && !images.contains(run.image)) {
            images << run.image;
        }
        newest = !newest.isValid() || run.when > newest ? run.when : newest;
    }
    QStringList parts = places;
    if (newest.isValid()) {
        parts << newest.toLocalTime().toString(u"d MMM yyyy"_s);
    }
    for (const QString& image : images) {
        parts << tr("image %1").arg(image);
    }
    const int lanes = int(model.lanes().size()), runs = int(model.runs().size());
    const QString counted = lanes == 1 ? tr("one lane") : tr("%1 lanes").arg(lanes);
    if (runs > 0) {
        parts << (runs == 1 ? tr("%1 of one job").arg(counted)
                            : tr("%1 of %2 runs").arg(counted).arg(runs));
    }
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

ComparisonTable compareTable(const CompareModel& model)
{
    ComparisonTable table;
    const auto& pair = model.comparison();
    const bool transfers = model.view().withTransfers && pair && !pair->withTransfers.empty();
    const auto& ratios = !pair ? std::vector<Ratio>()
        : transfers            ? pair->withTransfers
                               : pair->ratios;
    const std::vector<const CompareLane*> lanes = tableLanes(model);
    table.headings << tr("size");
    for (const CompareLane* lane : lanes) {
        table.headings << lane->label;
    }
    const bool stated = pair && pair->fair();
    if (stated) {
        table.headings << tr("ratio") << tr("95 % interval");
    }
    for (const double x : sizesOf(lanes)) {
        QStringList row{racewords::size(x)};
        for (const CompareLane* lane : lanes) {
            row << medianCell(*lane, x, model);
        }
        if (stated) {
            const auto at = std::find_if(
                ratios.begin(), ratios.end(), [&](const Ratio& one) { return one.x == x; });
            const bool known = at != ratios.end();
            row << (known ? racewords::times(at->ratio) : u"–"_s);
            row << (known && at->hasInterval()
                    ? racewords::significant(at->low) % u" – "_s % racewords::significant(at->high)
                    : QString(u"–"_s));
        }
        table.rows.push_back(row);
    }
    return table;
}

} // namespace slipway
