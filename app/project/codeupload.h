// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/snapshot.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <functional>
#include <memory>

namespace slipway {

/// What travelled. A value.
struct CodeUploadSummary {
    int filesSent = 0;
    int filesLinked = 0; ///< already there
    qint64 bytesSent = 0;
};

/// Creates `codeFolder` on the cluster from a snapshot. Files are kept once, by their hash, in
/// `storeFolder` beside the run folders, so that only what the cluster does not have travels. Files
/// of up to 8 MiB are copied from there, so that a program may write into them; larger ones are
/// linked. Verified there with sha256sum; repeated after a cut, it continues with what is missing.
/// `codeFolder` appears only when it is complete. `progress` gets the bytes sent, and in
/// total; when it answers false the upload is given up (Cancelled), and what has arrived is kept.
QCoro::Task<Result<CodeUploadSummary>> uploadSnapshot(std::shared_ptr<Shell> shell,
    Snapshot snapshot, QString storeFolder, QString codeFolder,
    std::function<bool(qint64 sent, qint64 total)> progress = {});

} // namespace slipway
