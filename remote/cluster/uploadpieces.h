// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/filesum.h"
#include "remote/cluster/uploaderrors.h"
#include "remote/cluster/uploadtalk.h"

#include <QCoroTask>

#include <functional>
#include <memory>

namespace slipway {

/// Beside the holder's, and as streams: two of the sessions of a server stay free for commands.
inline constexpr int pieceSessions = 4;

/// What an upload in pieces needs. The script at the other end of `holder` has the part and appends
/// the pieces to it, in order.
struct PieceUpload {
    std::shared_ptr<Shell> shell;
    UploadEnds ends;
    qint64 offset = 0; ///< what the part has already
    qint64 size = 0; ///< of the file
    UploadTalk* holder = nullptr;
    FileSum* sum = nullptr;
    /// Bytes that have left this computer; false: the upload is to end.
    std::function<bool(qint64)> progress;
};

/// Sends the rest of a file over several sessions at once: each has a window of its own, which is
/// what limits a single one on a long line. Answers how many bytes the part will then have: fewer
/// than the file where no session could be had. After a cut the part is whole up to its end, as
/// after an upload in one piece; pieces that were not appended are lost.
QCoro::Task<Result<qint64>> uploadPieces(PieceUpload upload);

} // namespace slipway
