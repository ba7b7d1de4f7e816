// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <functional>
#include <memory>

namespace slipway {

/// What an upload did. A value.
struct LargeUploadSummary {
    qint64 bytes = 0; ///< of the file
    qint64 kept = 0; ///< of them, what an earlier upload had left there
    qint64 sent = 0;
    int sessions = 1; ///< at the same time
};

/// Uploads one large file of this computer to an absolute path on the cluster, mode 0600. It
/// travels into PATH.part, which is renamed when its size and SHA-256 are those of the file. What
/// an earlier upload left is continued if it is the beginning of this file, else replaced; a
/// complete file with this content is not sent again. One upload of a path at a time. The folder
/// must exist. Far away, several sessions share the work. `progress` gets the bytes that are there,
/// and in total; when it answers false the upload ends (Cancelled). After a cut, a cancel or a full
/// disk the part is kept.
QCoro::Task<Result<LargeUploadSummary>> uploadLargeFile(std::shared_ptr<Shell> shell,
    QString localPath, QString remotePath,
    std::function<bool(qint64 there, qint64 total)> progress = {});

} // namespace slipway
