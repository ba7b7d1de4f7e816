// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodereport.h"
#include "app/node/nodesample.h"
#include "app/node/nodewatch.h"
#include "app/runs/runregistry.h"

#include <QPointer>

namespace slipway {

/// RunNodes is what is known of the nodes that runs are on: what the probe reported at their start,
/// and what its agent samples while they go on, of the last hour. Lives on the GUI (or main)
/// thread; Runs owns it.
class RunNodes : public QObject {
    Q_OBJECT

public:
    RunNodes(RunContext context, RunRegistry* registry);
    ~RunNodes() override;

    std::optional<NodeReport> report(const QString& runId) const;
    /// Oldest first; valid until the next turn of the event loop.
    const std::vector<NodeSample>& samples(const QString& runId);
    /// Why there are none of a run that goes on; empty: they come, or will.
    QString trouble(const QString& runId) const;
    bool isWatched(const QString& runId) const { return m_watches.contains(runId); }
    bool liveSamples() const { return m_live; }
    void setLiveSamples(bool on);
    /// Begins or ends the look at a run's nodes, as it is now.
    void update(const QString& runId);
    void drop(const QString& runId) { m_samples.remove(runId); }

signals:
    /// One sample more, and the points of the curves that it adds.
    void sampled(const QString& runId, const std::vector<slipway::Sample>& points);
    void troubled(const QString& runId);

private:
    bool watchWanted(const RunHandle& run) const;
    void onNodeSample(const QString& runId, const NodeSample& sample, const QByteArray& line);

    RunContext m_context;
    RunRegistry* m_registry;
    QHash<QString, std::vector<NodeSample>> m_samples;
    QHash<QString, QPointer<NodeWatch>>
        m_watches; ///< while the run goes on and there is a connection
    bool m_live = qEnvironmentVariable("SLIPWAY_LIVE_SAMPLES") != QLatin1String("off");
};

/// The curves of what was sampled of a run so far, as it is kept with it.
std::vector<Sample> keptNodeCurves(RunHandle& run);

} // namespace slipway
