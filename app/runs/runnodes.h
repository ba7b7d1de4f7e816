// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "app/node/nodesample.h"
#include "app/node/nodewatch.h"
#include "app/runs/runregistry.h"

#include <QPointer>

namespace slipway {

/// RunNodes holds what is known of the nodes of runs: the probe's report at their start, and the
/// agent's samples of the last hour while they run. Lives on the GUI (or main) thread; Runs owns
/// it.
class RunNodes : public QObject {
    Q_OBJECT

public:
    RunNodes(RunContext context, RunRegistry* registry);
    ~RunNodes() override;

    std::optional<NodeReport> report(const QString& runId) const;
    /// Oldest first; valid until the next turn of the event loop.
    const std::vector<NodeSample>& samples(const QString& runId);
    /// Why a running run has none; empty: samples arrive or are expected.
    QString trouble(const QString& runId) const;
    bool isWatched(const QString& runId) const { return m_watches.contains(runId); }
    void setLiveSamples(bool on);
    /// Starts or stops the sampling of a run's nodes, according to its state.
    void update(const QString& runId);
    void drop(const QString& runId) { m_samples.remove(runId); }

signals:
    /// A new sample, and the points that it adds to the curves.
    void sampled(const QString& runId, const std::vector<slipway::Sample>& points);
    void troubled(const QString& runId);

private:
    bool watchWanted(const RunHandle& run) const;
    void onNodeSample(const QString& runId, const NodeSample& sample, const QByteArray& line);

    RunContext m_context;
    RunRegistry* m_registry;
    QHash<QString, std::vector<NodeSample>> m_samples;
    QHash<QString, QPointer<NodeWatch>> m_watches; ///< while the run is running and connected
    bool m_live = qEnvironmentVariable("SLIPWAY_LIVE_SAMPLES") != QLatin1String("off");
};

/// The curves of the stored samples of a run.
std::vector<Sample> keptNodeCurves(RunHandle& run);

} // namespace slipway
