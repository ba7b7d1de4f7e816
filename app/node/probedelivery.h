// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/probefile.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <memory>

namespace slipway {

/// slipway-probe as installed on a cluster. A value.
struct DeliveredProbe {
    QString path; ///< absolute there
    QByteArray sha256; ///< hex

    /// What `sha256sum --check` reads, and slipway.sh in a run folder: probe.sha256.
    QByteArray sumFile() const { return sha256 + "  " + path.toUtf8() + '\n'; }
};

/// The folder of all probes, next to the run folders: compute nodes do not see all file systems of
/// the cluster, but every node sees the one with the job's own folder. (Home folders are not
/// mounted on the nodes of some sites, and /tmp is a node's own.)
QString probeFolder(const QString& scratch);

/// The row of probe.ndjson that explains why there is no probe.
QByteArray missingProbeRow(const Error& why);

/// Installs the probe for the cluster's architecture, once per content: in a private folder named
/// by its hash, under a temporary name, verified by sha256 on the cluster, then renamed. An
/// existing one is verified and kept; a damaged one is replaced. NotFound and Unsupported mean that
/// there is none, and say why.
QCoro::Task<Result<DeliveredProbe>> deliverProbe(std::shared_ptr<Shell> shell, QString scratch);

} // namespace slipway
