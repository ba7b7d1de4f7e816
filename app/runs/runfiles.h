// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "app/runs/runcode.h"
#include "remote/base/result.h"
#include "remote/cluster/runfolder.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <memory>
#include <optional>
#include <vector>

namespace slipway {

/// One file of a run.
struct RunFile {
    QString name; ///< relative to the run's folder
    qint64 size = 0;
    QString here; ///< its copy on this computer; empty: there is none
    bool own = false; ///< written by Slipway: the script, marks, reports

    bool operator==(const RunFile&) const = default;
};

/// The files of a run: what the cluster had when it was last asked, and what is on this computer.
struct RunFileList {
    std::vector<RunFile> files; ///< results first, Slipway's own last; by name
    qint64 leftOut = 0; ///< files on the cluster with unusual names, or too many
    std::optional<QDateTime> asOf; ///< when the cluster was asked; none: it never was
};

/// Whether a file of a run's folder is written by Slipway rather than by the job's program.
bool isSlipwayFile(const QString& name);

/// RunFiles is the folder of one run, here and on the cluster. A value around the shared Shell; GUI
/// (or main) thread.
class RunFiles {
public:
    /// `shell` is null while there is no connection.
    RunFiles(Run run, QString localFolder, std::shared_ptr<Shell> shell);

    const QString& localFolder() const { return m_localFolder; }
    bool isConnected() const { return m_shell != nullptr; }
    /// The last listing of the cluster's folder and the copies here. Reads the disk: for a worker.
    RunFileList known() const;
    /// What was sent of the person's own folder. Reads the disk as well.
    CodeRecord sentCode() const { return keptCode(m_localFolder); }
    /// Asks the cluster and keeps its answer; then as known().
    QCoro::Task<Result<RunFileList>> list() const;
    /// A file of the cluster's folder; one that is larger is an error.
    QCoro::Task<Result<QByteArray>> read(QString name, qint64 limit) const;

private:
    QString copyOf(const QString& name) const;

    Run m_run;
    QString m_localFolder;
    std::shared_ptr<Shell> m_shell;
};

} // namespace slipway
