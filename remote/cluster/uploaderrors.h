// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/shell.h"

namespace slipway {

/// The two ends of an upload, for its messages. A value.
struct UploadEnds {
    QString where; ///< the machine
    QString remotePath;
    QString localPath;
};

// Why an upload has ended. Pure.

Error uploadCancelled();
Error uploadSourceChanged(const UploadEnds& ends);
Error uploadUnclear(const UploadEnds& ends, const QByteArray& said);
/// A script ended before it was to end, or the line was lost.
Error uploadEnded(const UploadEnds& ends, const Result<CommandOutput>& end);

} // namespace slipway
