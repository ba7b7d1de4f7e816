// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/node/nodetracks.h"

#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr float notKnown = std::numeric_limits<float>::quiet_NaN();

float valueOf(const std::optional<double>& value)
{
    return value ? float(*value) : notKnown;
}

float shareOf(const std::optional<double>& used, const std::optional<double>& total)
{
    return used && total && *total > 0 ? float(*used / *total * 100) : notKnown;
}

/// Bytes in decimal units, as memory sizes are given: "9.8 GB".
QString bytesText(double bytes)
{
    return quantityText(bytes, u"B"_s);
}

QString usedOf(const std::optional<double>& used, const std::optional<double>& total)
{
    if (!used) {
        return {};
    }
    if (!total || *total <= 0) {
        return bytesText(*used);
    }
    const UnitScale one = unitScale(*used, u"B"_s);
    const UnitScale all = unitScale(*total, u"B"_s);
    return one.unit == all.unit
        ? tr("%1 of %2").arg(bytesText(*used), numberText(*total / all.factor, 3))
        : tr("%1 of %2").arg(bytesText(*used), bytesText(*total));
}

} // namespace

float NodeTrack::Point::of(NodeQuantity quantity) const
{
    switch (quantity) {
    case NodeQuantity::Busy:
        return busy;
    case NodeQuantity::Memory:
        return memory;
    case NodeQuantity::Power:
        return power;
    case NodeQuantity::Temperature:
        break;
    }
    return temperature;
}

void NodeTracks::clear()
{
    m_tracks.clear();
    m_begin = 0;
    m_every = 1;
    m_seen = 0;
    ++m_generation;
}

NodeTrack& NodeTracks::track(const QString& key, bool gpu, const NodeSample& sample, int index)
{
    for (NodeTrack& one : m_tracks) {
        if (one.key == key) {
            return one;
        }
    }
    NodeTrack fresh;
    fresh.isGpu = gpu;
    fresh.node = sample.node;
    fresh.key = key;
    fresh.latest.index = index;
    const auto before = [](const NodeTrack& a, const NodeTrack& b) {
        return std::tuple(!a.isGpu, a.node, a.latest.index)
            < std::tuple(!b.isGpu, b.node, b.latest.index);
    };
    const auto place =
        m_tracks.insert(std::upper_bound(m_tracks.begin(), m_tracks.end(), fresh, before), fresh);
    const auto at = place - m_tracks.begin();
    nameTracks();
    ++m_generation;
    return m_tracks[size_t(at)];
}

void NodeTracks::nameTracks()
{
    const bool several = std::any_of(m_tracks.begin(), m_tracks.end(),
        [this](const NodeTrack& one) { return one.node != m_tracks.front().node; });
    for (NodeTrack& one : m_tracks) {
        const QString name = one.isGpu ? tr("GPU %1").arg(one.latest.index) : tr("CPU");
        one.title = several ? tr("%1 %2").arg(one.node, name) : name;
    }
}

void NodeTracks::add(const NodeSample& sample)
{
    if (m_tracks.empty()) {
        m_begin = sample.t;
    }
    const bool keep = m_seen++ % m_every == 0;
    size_t longest = 0;
    const auto put = [&](NodeTrack& one, const NodeTrack::Point& point) {
        if (keep || one.points.empty()) {
            one.points.push_back(point);
        }
        longest = std::max(longest, one.points.size());
    };
    for (const GpuSample& gpu : sample.gpus) {
        const QString id = gpu.uuid.isEmpty() ? QString::number(gpu.index) : gpu.uuid;
        NodeTrack& one = track(sample.node + u'/' + id, true, sample, gpu.index);
        one.latest = gpu;
        put(one,
            {sample.t, valueOf(gpu.utilization), shareOf(gpu.memoryUsed, gpu.memoryTotal),
                valueOf(gpu.power), valueOf(gpu.temperature)});
    }
    NodeTrack& host = track(sample.node + u"/cpu"_s, false, sample, 0);
    host.host = sample;
    host.host.gpus.clear();
    put(host,
        {sample.t, valueOf(sample.cpu), shareOf(sample.memoryUsed, sample.memoryTotal), notKnown,
            notKnown});
    if (longest > mostPoints) {
        thin();
    }
}

void NodeTracks::thin()
{
    for (NodeTrack& one : m_tracks) {
        size_t kept = 0;
        for (size_t i = 0; i < one.points.size(); i += 2) {
            one.points[kept++] = one.points[i];
        }
        one.points.resize(kept);
    }
    m_every *= 2;
    ++m_generation;
}

const NodeTrack* NodeTracks::find(const QString& key) const
{
    for (const NodeTrack& one : m_tracks) {
        if (one.key == key) {
            return &one;
        }
    }
    return nullptr;
}

size_t NodeTracks::gpus() const
{
    return size_t(std::count_if(
        m_tracks.begin(), m_tracks.end(), [](const NodeTrack& one) { return one.isGpu; }));
}

QString busyWords(const NodeTrack& track, bool whole)
{
    const std::optional<double> busy = track.isGpu ? track.latest.utilization : track.host.cpu;
    if (!busy) {
        return {};
    }
    const QString percent = QString::number(std::round(*busy));
    if (!whole) {
        return tr("%1 %").arg(percent);
    }
    if (track.isGpu || track.host.cpus <= 0) {
        return tr("%1 % busy").arg(percent);
    }
    return track.host.cpus == 1 ? tr("%1 % of 1 CPU").arg(percent)
                                : tr("%1 % of %2 CPUs").arg(percent).arg(track.host.cpus);
}

QString memoryWords(const NodeTrack& track, bool whole)
{
    const auto& used = track.isGpu ? track.latest.memoryUsed : track.host.memoryUsed;
    const auto& total = track.isGpu ? track.latest.memoryTotal : track.host.memoryTotal;
    return usedOf(used, whole ? total : std::nullopt);
}

QString powerWords(const NodeTrack& track, bool withLimit)
{
    if (!track.isGpu) {
        return {};
    }
    const GpuSample& gpu = track.latest;
    QStringList words;
    if (!gpu.throttle.isEmpty()) {
        words << tr("throttled: %1").arg(gpu.throttle.join(u", "_s));
    }
    if (gpu.power) {
        const QString watts = QString::number(std::round(*gpu.power));
        words << (gpu.powerLimit && withLimit
                ? tr("%1 W of %2").arg(watts).arg(std::round(*gpu.powerLimit))
                : tr("%1 W").arg(watts));
    }
    if (gpu.temperature) {
        words << tr("%1 °C").arg(std::round(*gpu.temperature));
    }
    if (gpu.clock) {
        words << quantityText(*gpu.clock, u"Hz"_s);
    }
    return words.join(u" · "_s);
}

} // namespace slipway
