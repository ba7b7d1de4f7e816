// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodesample.h"
#include "plots/metrics/seriesstore.h"

namespace slipway {

/// What a curve of a node shows.
enum class NodeQuantity { Busy, Memory, Power, Temperature };

/// One GPU of the job, or the job's share of a node's CPUs and memory, over time. A value.
struct NodeTrack {
    /// A moment; a quantity that is not known then is not a number. Memory is per cent.
    struct Point {
        double t = 0;
        float busy = 0, memory = 0, power = 0, temperature = 0;
        float of(NodeQuantity quantity) const;
    };
    bool isGpu = false;
    QString node;
    QString title; ///< "GPU 0", "CPU", with the node where there are several
    QString key; ///< stays while titles change
    GpuSample latest; ///< of a GPU
    NodeSample host; ///< of a CPU: the latest, without its GPUs
    std::vector<Point> points;
};

/// NodeTracks turns what the agent saw, a sample a second, into tracks of bounded length: when they
/// are full, every other moment goes, so that a run of days keeps its whole course in a few
/// megabytes. A value on the GUI thread; the GPU card owns one.
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
    /// Grows when points went or tracks came: what was drawn from them is to be drawn anew.
    quint64 generation() const { return m_generation; }

private:
    NodeTrack& track(const QString& key, bool gpu, const NodeSample& sample, int index);
    void nameTracks();
    void thin();

    std::vector<NodeTrack> m_tracks;
    double m_begin = 0;
    quint64 m_generation = 0;
    size_t m_every = 1; ///< of so many samples one is kept
    size_t m_seen = 0;
};

/// "97 % busy", "9.8 GB of 80"; empty where it is not known.
QString busyWords(const NodeTrack& track);
QString memoryWords(const NodeTrack& track);
/// What holds the GPU back, and "231 W of 350 · 61 °C · 1.98 GHz".
QString powerWords(const NodeTrack& track, bool withLimit = true);

} // namespace slipway
