// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodesample.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr qsizetype longestSample = 256 * 1024;
constexpr qsizetype mostSampledGpus = 64; ///< of a node
constexpr qsizetype mostReasons = 16;

/// A measured number: finite and not negative; anything else is treated as unknown.
std::optional<double> measuredNumber(const QJsonObject& object, QLatin1String key)
{
    const QJsonValue value = object.value(key);
    if (!value.isDouble() || !std::isfinite(value.toDouble()) || value.toDouble() < 0)
        return {};
    return value.toDouble();
}

QString sampleText(const QJsonValue& value)
{
    QString text = value.toString().left(120);
    for (QChar& c : text)
        if (!c.isPrint())
            c = u' ';
    return text.simplified();
}

GpuSample gpuOf(const QJsonObject& object, int position)
{
    GpuSample gpu;
    gpu.uuid = sampleText(object.value(QLatin1String("uuid")));
    gpu.name = sampleText(object.value(QLatin1String("name")));
    gpu.index = std::clamp(object.value(QLatin1String("index")).toInt(position), 0, 1023);
    gpu.utilization = measuredNumber(object, QLatin1String("utilization"));
    gpu.memoryUsed = measuredNumber(object, QLatin1String("memory_used"));
    gpu.memoryTotal = measuredNumber(object, QLatin1String("memory_total"));
    gpu.power = measuredNumber(object, QLatin1String("power"));
    gpu.powerLimit = measuredNumber(object, QLatin1String("power_limit"));
    gpu.temperature = measuredNumber(object, QLatin1String("temperature"));
    gpu.clock = measuredNumber(object, QLatin1String("clock"));
    const QJsonArray reasons = object.value(QLatin1String("throttle")).toArray();
    for (qsizetype i = 0; i < std::min(reasons.size(), mostReasons); ++i)
        if (const QString reason = sampleText(reasons.at(i)); !reason.isEmpty())
            gpu.throttle << reason;
    return gpu;
}

} // namespace

std::optional<NodeSample> readNodeSample(const QByteArray& line)
{
    if (line.size() > longestSample)
        return {};
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const auto t = measuredNumber(object, QLatin1String("t"));
    if (object.value(QLatin1String("id")).toString() != u"sample" || !t || *t > 3.2e10)
        return {};
    NodeSample sample;
    sample.t = *t;
    sample.node = sampleText(object.value(QLatin1String("node")));
    const QJsonArray gpus = object.value(QLatin1String("gpus")).toArray();
    for (qsizetype i = 0; i < std::min(gpus.size(), mostSampledGpus); ++i)
        sample.gpus.push_back(gpuOf(gpus.at(i).toObject(), int(i)));
    const QJsonObject host = object.value(QLatin1String("host")).toObject();
    sample.cpu = measuredNumber(host, QLatin1String("cpu"));
    sample.memoryUsed = measuredNumber(host, QLatin1String("memory_used"));
    sample.memoryTotal = measuredNumber(host, QLatin1String("memory_total"));
    sample.cpus = std::clamp(host.value(QLatin1String("cpus")).toInt(), 0, 65536);
    return sample;
}

std::vector<Sample> samplesOf(const NodeSample& sample, double begin)
{
    std::vector<Sample> samples;
    const double x = sample.t - begin;
    const auto add = [&](const char* series, const QString& lane, const std::optional<double>& y,
                         const char* unit) {
        if (!y)
            return;
        Sample point;
        point.series = QLatin1String(series);
        point.lane = lane;
        point.x = x;
        point.xName = QStringLiteral("time");
        point.y = *y;
        point.unit = QString::fromUtf8(unit);
        point.source = SampleSource::Node;
        samples.push_back(point);
    };
    for (const GpuSample& gpu : sample.gpus) {
        const QString lane = QStringLiteral("%1 GPU %2").arg(sample.node).arg(gpu.index);
        add("gpu_utilization", lane, gpu.utilization, "%");
        add("gpu_memory", lane, gpu.memoryUsed, "B");
        add("gpu_power", lane, gpu.power, "W");
        add("gpu_temperature", lane, gpu.temperature, "°C");
    }
    add("cpu_utilization", sample.node, sample.cpu, "%");
    add("host_memory", sample.node, sample.memoryUsed, "B");
    return samples;
}

} // namespace slipway
