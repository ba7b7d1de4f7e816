// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <functional>
#include <memory>

namespace slipway {

/// What a download did. A value.
struct LargeDownloadSummary {
    qint64 bytes = 0; ///< of the file
    qint64 kept = 0; ///< of them, what an earlier download had brought
    qint64 received = 0;
    bool beganAgain = false; ///< the file there had changed since the earlier download
};

/// Why a file of this computer could not be written: by its number where it is known, as the words
/// of the system depend on the person's language. Pure.
Error downloadWriteError(const QString& path, int number, const QString& words);

/// Downloads the first `size` bytes of one regular file from an absolute path on the cluster to a
/// path of this computer, mode 0600. They travel into PATH.part, which is renamed when its SHA-256
/// is the one that the cluster computes; PATH.part.source says of which file it is a part. What an
/// earlier download brought is kept if it was of the same file, and discarded if the sum at the end
/// does not agree. `progress` gets the bytes that are here, and in total; when it answers false the
/// download ends (Cancelled). After a cut or a cancel the part is kept.
QCoro::Task<Result<LargeDownloadSummary>> downloadLargeFile(std::shared_ptr<Shell> shell,
    QString remotePath, qint64 size, QString localPath,
    std::function<bool(qint64 here, qint64 total)> progress = {});

} // namespace slipway
