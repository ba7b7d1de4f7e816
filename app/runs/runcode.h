// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/project/snapshot.h"
#include "app/runs/runflow.h"

#include <QCoroTask>
#include <QJsonObject>

namespace slipway {

/// CodeRecord is what was sent of a person's own folder with a run. A value, kept with the run in
/// code.json and code.manifest.
struct CodeRecord {
    int files = 0; ///< of the folder; 0: nothing was sent
    int filesSent = 0; ///< the others were on the cluster already
    qint64 bytesSent = 0;
    std::vector<SnapshotOmission> omissions;
    GitState git; ///< without the difference, which is in code.git
    std::vector<SnapshotEntry> entries;

    /// "Sent 1 of 14 files, 312 B."
    QString sentence() const;
    QJsonObject toJson() const; ///< without the entries
};

/// Sends the folder of the run's own program: a snapshot becomes "code" in the run folder. The
/// result is what else belongs into the run folder: code.manifest and code.json. A copy of each is
/// kept with the run, and from a repository code.git, which is not sent.
QCoro::Task<Result<std::vector<LaunchFile>>> sendCode(RunFlow flow, QString scratch);

/// What a run kept; `localFolder` is its own on this computer.
CodeRecord keptCode(const QString& localFolder);

/// Where the hashes of the files in `project` are kept between runs, beside the folders of the
/// runs.
QString codeHashFile(const QString& localFolder, const QString& project);

} // namespace slipway
