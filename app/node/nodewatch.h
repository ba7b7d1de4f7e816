// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodesample.h"
#include "remote/cluster/cluster.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <memory>

namespace slipway {

/// How a watch is started. A value.
struct NodeWatchRequest {
    JobId job;
    QString folder; ///< the run's, where probe.sha256 says which probe it is
    int nodes = 1;
    QString slurmVersion; ///< "24.11.5"; empty: unknown
};

/// Why a step that watches would hold up those of the job on Slurm of this version; empty: it would
/// not. An unknown version is taken for one where it would.
QString watchRefusal(const QString& slurmVersion);

/// The script that checks the probe and becomes the job step. Its standard input is the agent's:
/// closed, the agent ends.
QByteArray watchScript(const NodeWatchRequest& request);

/// NodeWatch looks at the nodes of one running job: it starts slipway-probe's agent there as a job
/// step of its own and gives out what the agent says, a sample a second and node. It is no part of
/// the run: when it fails, it says why and the run goes on. Ends when it is told to, with the
/// connection, or with the job, whose end ends all its steps. Lives on the GUI (or main) thread;
/// the Engine owns one a running run.
class NodeWatch : public QObject {
    Q_OBJECT

public:
    /// How long it waits; tests make it short.
    struct Pace {
        std::chrono::milliseconds first{3'000}; ///< a job that ends at once is left alone
        std::chrono::milliseconds again{
            10'000}; ///< between two tries, once more for each that failed
    };
    NodeWatch(std::shared_ptr<Cluster> cluster, NodeWatchRequest request, QObject* parent);
    NodeWatch(
        std::shared_ptr<Cluster> cluster, NodeWatchRequest request, Pace pace, QObject* parent);
    ~NodeWatch() override;

    /// Closes the agent's input; deletes itself once it has ended.
    void stop();
    /// Why there are no samples; empty: they come, or will.
    const QString& trouble() const { return m_trouble; }

signals:
    /// `line` is the sample as it came, to be kept.
    void sampled(const slipway::NodeSample& sample, const QByteArray& line);
    void troubled();

private:
    void begin();
    void take(const QByteArray& bytes);
    void ended(const Result<int>& exitCode);

    std::shared_ptr<Cluster> m_cluster;
    NodeWatchRequest m_request;
    Pace m_pace;
    std::unique_ptr<Process> m_process;
    QTimer m_timer;
    QByteArray m_pending, m_errors;
    QString m_trouble;
    int m_tries = 0;
    bool m_stopped = false;
};

} // namespace slipway
