// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDateTime>
#include <QString>

#include <vector>

namespace slipway {

/// One item on a cluster that belongs to Slipway: a file, a process or a job. A value.
struct CleanupItem {
    enum class Kind { Probe, RunFolder, Image, Checkpoints, Process, Job };
    Kind kind = Kind::RunFolder;
    QString path; ///< absolute; of a process its command line, of a job its id
    QString detail; ///< "run k3f9, Matmul scaling", "slipway-probe 0.1.0", "since 12:03 on login1"
    qint64 bytes = 0;
    QDateTime modified; ///< the cluster's clock; invalid: unknown
    bool inUse = false; ///< used by a job that has not ended: not deleted
    QString runId; ///< if it belongs to a run
};

/// The result of a scan of the cluster; owned by the caller.
struct CleanupList {
    std::vector<CleanupItem> items;
    QString command; ///< the command that was used, shown to learners
    qint64 bytes() const;
};

} // namespace slipway
