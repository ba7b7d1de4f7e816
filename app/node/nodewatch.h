// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/nodesample.h"
#include "remote/shell/process.h"
#include "remote/slurm/job.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <memory>

namespace slipway {

/// How a watch is started. A value.
struct NodeWatchRequest {
    JobId job;
    QString folder; ///< the run folder, whose probe.sha256 identifies the probe
    int nodes = 1;
    QString slurmVersion; ///< "24.11.5"; empty: unknown
};

/// Why a sampling step would block the steps of the job on this Slurm version; empty: it would not.
/// An unknown version is treated as one that blocks.
QString watchRefusal(const QString& slurmVersion);

/// The script that checks the probe and becomes the job step. Its standard input is the agent's:
/// the agent exits when it is closed.
QByteArray watchScript(const NodeWatchRequest& request);

/// NodeWatch samples the nodes of one running job: it starts slipway-probe's agent there as a
/// separate job step and emits one sample per second and node. It is not part of the run: when it
/// fails, it reports why and the run continues. Ends on request, with the connection, or with the
/// job, which ends all its steps. Lives on the GUI (or main) thread; RunNodes owns one per running
/// job.
class NodeWatch : public QObject {
    Q_OBJECT

public:
    /// How long it waits; tests make it short.
    struct Pace {
        std::chrono::milliseconds first{3'000}; ///< a job that ends at once is not sampled
        std::chrono::milliseconds again{4'000}; ///< between two attempts, longer after each failure
    };
    /// Starts a script on the login node.
    using Start = std::function<std::unique_ptr<Process>(const QByteArray& script)>;
    NodeWatch(Start start, NodeWatchRequest request, QObject* parent);
    NodeWatch(Start start, NodeWatchRequest request, Pace pace, QObject* parent);
    ~NodeWatch() override;

    /// Closes the agent's input; deletes itself once it has ended.
    void stop();
    /// Why there are no samples; empty: samples arrive or are expected.
    const QString& trouble() const { return m_trouble; }

signals:
    /// `line` is the sample as received, to be stored.
    void sampled(const slipway::NodeSample& sample, const QByteArray& line);
    void troubled();

private:
    void begin();
    void take(const QByteArray& bytes);
    void ended(const Result<int>& exitCode);

    Start m_start;
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
