// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/node/probefile.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <memory>

namespace slipway {

/// slipway-probe on a cluster. A value.
struct DeliveredProbe {
    QString path; ///< absolute there
    QByteArray sha256; ///< hex

    /// What `sha256sum --check` reads, and slipway.sh in a run folder: probe.sha256.
    QByteArray sumFile() const { return sha256 + "  " + path.toUtf8() + '\n'; }
};

/// The folder of all probes, beside the run folders: what compute nodes see of the cluster's file
/// systems differs, and where a job's own folder is, there every node sees it. (Home folders are
/// not mounted on the nodes of some sites, and /tmp is a node's own.)
QString probeFolder(const QString& scratch);

/// The row of probe.ndjson that says why there is no probe.
QByteArray missingProbeRow(const Error& why);

/// Puts the probe of the cluster's architecture there, once for each content: in a private folder
/// of its hash, under a temporary name, its sha256 compared there, then renamed. One that is there
/// is verified and left; one that was damaged is replaced. NotFound and Unsupported say why there
/// is none.
QCoro::Task<Result<DeliveredProbe>> deliverProbe(std::shared_ptr<Shell> shell, QString scratch);

} // namespace slipway
