// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/recordrow.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/fieldwords.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace slipway {

namespace {

struct Counter {
    const char* name;
    const char* xName;
};

/// The finest first.
constexpr Counter counters[] = {{"step", "step"}, {"global_step", "step"},
    {"trainer/global_step", "step"}, {"train/global_step", "step"}, {"steps", "step"},
    {"iteration", "iteration"}, {"iter", "iteration"}, {"itr", "iteration"},
    {"num_updates", "update"}, {"update", "update"}, {"updates", "update"}, {"batch", "batch"},
    {"total_timesteps", "step"}, {"time/total_timesteps", "step"}, {"timesteps", "step"},
    {"timestep", "step"}, {"_step", "step"}, {"generation", "generation"}, {"epoch", "epoch"},
    {"epochs", "epoch"}};

std::string_view view(QByteArrayView text)
{
    return {text.data(), size_t(text.size())};
}

/// Of the run, its clock or its settings: no curve.
bool describesRun(const QByteArray& lowerName)
{
    static const QList<QByteArray> words{"time", "timestamp", "_timestamp", "_runtime", "wall_time",
        "walltime", "wall time", "date", "datetime", "elapsed", "elapsed_time", "elapsedtime",
        "eta_seconds", "seconds", "t", "total_flos", "_wandb", "index", "", "train_batch_size"};
    return words.contains(lowerName) || isBookkeeping(view(lowerName));
}

/// A column of seconds since the start.
bool isSeconds(const QByteArray& lowerName)
{
    static const QList<QByteArray> words{
        "time", "t", "seconds", "elapsed", "elapsed_time", "time_s", "time (s)"};
    return words.contains(lowerName);
}

} // namespace

std::optional<int> counterRank(QByteArrayView name)
{
    const QByteArray lower = name.trimmed().toByteArray().toLower();
    for (int i = 0; i < int(std::size(counters)); ++i) {
        if (lower == counters[i].name)
            return i;
    }
    return {};
}

Sample recordSample(
    QByteArrayView name, double y, double x, const QString& xName, const QString& lane)
{
    Sample sample;
    sample.series = seriesName(view(name));
    sample.lane = lane;
    sample.x = x;
    sample.xName = xName;
    sample.y = y;
    sample.unit = seriesUnit(sample.series, {view(name), y, {}});
    return sample;
}

std::vector<Sample> samplesOf(const RecordRow& row, const QString& lane, TimeAxis time)
{
    const RecordRow::Cell* counter = nullptr;
    int rank = std::numeric_limits<int>::max();
    bool hasDataTime = false;
    for (const RecordRow::Cell& cell : row.cells) {
        const auto counts = counterRank(cell.name);
        if (counts && *counts < rank && std::isfinite(cell.value)) {
            counter = &cell;
            rank = *counts;
        }
        hasDataTime = hasDataTime || cell.name == "data_time";
    }
    QString xName = counter ? QString::fromLatin1(counters[rank].xName) : QString();
    if (!counter && time == TimeAxis::Seconds) {
        const auto seconds = std::find_if(row.cells.begin(), row.cells.end(),
            [](const auto& cell) { return isSeconds(cell.name.toLower()); });
        if (seconds != row.cells.end() && std::isfinite(seconds->value)) {
            counter = &*seconds;
            xName = QStringLiteral("seconds");
        }
    }
    std::vector<Sample> samples;
    for (const RecordRow::Cell& cell : row.cells) {
        if (!counter || counterRank(cell.name))
            continue;
        // Detectron2 and MMEngine: the time of one iteration, beside that of its data.
        const bool isStepTime = hasDataTime && cell.name == "time";
        if (!isStepTime && describesRun(cell.name.toLower()))
            continue;
        Sample sample = recordSample(
            isStepTime ? "step_time" : cell.name, cell.value, counter->value, xName, lane);
        if (isStepTime || cell.name == "data_time")
            sample.unit = QStringLiteral("s");
        if (!sample.series.isEmpty())
            samples.push_back(std::move(sample));
    }
    return samples;
}

std::optional<double> recordNumber(QByteArrayView text)
{
    text = text.trimmed();
    if (text.isEmpty() || text.size() > 64)
        return {};
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    if (isNumber)
        return value;
    static const QHash<QByteArray, double> words{{"nan", std::nan("")}, {"inf", INFINITY},
        {"infinity", INFINITY}, {"+inf", INFINITY}, {"-inf", -INFINITY}, {"-infinity", -INFINITY}};
    const auto word = words.constFind(text.toByteArray().toLower());
    return word == words.cend() ? std::nullopt : std::optional(*word);
}

} // namespace slipway
