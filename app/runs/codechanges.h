// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runcode.h"

namespace slipway {

class Runs;

/// What is needed to say what has changed in a person's folder. A value, for a worker thread.
struct CodeQuestion {
    SnapshotRequest request;
    QStringList before; ///< local folders of the runs of the folder at the site, newest first
};

/// A person's folder now, and what has changed since it was last sent to the site. A value.
struct CodeChanges {
    Snapshot snapshot;
    std::optional<SnapshotDifference> difference; ///< none: nothing of it was sent there yet
};

/// The question for the folder and the site of a launch. GUI (or main) thread; quick.
CodeQuestion codeQuestion(const Runs& runs, const LaunchSpec& spec);

/// What the newest of these runs that has sent something kept; none: no run has. Reads the disk.
std::optional<CodeRecord> newestCode(const QStringList& localFolders);

/// Reads the folder. Blocks; for a worker thread.
Result<CodeChanges> readCodeChanges(const CodeQuestion& question);

} // namespace slipway
