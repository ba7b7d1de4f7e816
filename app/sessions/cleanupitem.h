// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDateTime>
#include <QString>

#include <vector>

namespace slipway {

/// One thing of Slipway's on a cluster. Slipway is a guest there: it can name each, and take each
/// away.
struct CleanupItem {
    enum class Kind { Probe, RunFolder, Image, Process, Job };
    Kind kind = Kind::RunFolder;
    QString path; ///< absolute; of a process its command line, of a job its id
    QString detail; ///< "run k3f9, Matmul scaling", "slipway-probe 0.1.0", "since 12:03 on login1"
    qint64 bytes = 0;
    QDateTime modified; ///< the cluster's clock; invalid: unknown
    bool inUse = false; ///< of a job that has not ended: not removed
    QString runId; ///< where it belongs to one
};

/// What a look at the cluster found; owned by whoever asked.
struct CleanupList {
    std::vector<CleanupItem> items;
    QString command; ///< what was asked, for a learner
    qint64 bytes() const;
};

} // namespace slipway
