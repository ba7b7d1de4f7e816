// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodesample.h"
#include "plots/metrics/seriesstore.h"

namespace slipway {

/// The quantity that a curve of a node shows.
enum class NodeQuantity { Busy, Memory, Power, Temperature };

/// One GPU of the job, or the job's share of a node's CPUs and memory, over time. A value.
struct NodeTrack {
    /// One sample; a quantity that is not known is NaN. Memory is a percentage.
    struct Point {
        double t = 0;
        float busy = 0, memory = 0, power = 0, temperature = 0;
        float of(NodeQuantity quantity) const;
    };
    bool isGpu = false;
    QString node;
    QString title; ///< "GPU 0", "CPU", with the node if there are several
    QString key; ///< does not change when titles do
    GpuSample latest; ///< for a GPU
    NodeSample host; ///< for a CPU: the latest sample, without its GPUs
    std::vector<Point> points;
};

/// NodeTracks turns the samples of the agent, one per second, into tracks of limited length: when
/// they are full, every other point is dropped, so that a run of several days is kept from
/// beginning to end in a few megabytes. A value on the GUI thread; GpuCard owns one.
class NodeTracks {
public:
    static constexpr size_t mostPoints = 7200;

    void clear();
    void add(const NodeSample& sample);

    /// GPUs first, in the order of node and index, then the nodes' CPUs.
    const std::vector<NodeTrack>& all() const { return m_tracks; }
    const NodeTrack* find(const QString& key) const;
    size_t gpus() const;
    bool empty() const { return m_tracks.empty(); }
    double begin() const { return m_begin; }
    /// Grows when points were dropped or tracks were added: what was drawn from them must be drawn
    /// again.
    quint64 generation() const { return m_generation; }

private:
    NodeTrack& track(const QString& key, bool gpu, const NodeSample& sample, int index);
    void nameTracks();
    void thin();

    std::vector<NodeTrack> m_tracks;
    double m_begin = 0;
    quint64 m_generation = 0;
    size_t m_every = 1; ///< one of this many samples is kept
    size_t m_seen = 0;
};

/// "97 % busy", "9.8 GB of 80", or only "97 %" and "9.8 GB"; empty if it is not known.
QString busyWords(const NodeTrack& track, bool whole = true);
QString memoryWords(const NodeTrack& track, bool whole = true);
/// "throttled: power limit · 231 W of 350 · 61 °C · 1.98 GHz"
QString powerWords(const NodeTrack& track, bool withLimit = true);

} // namespace slipway
