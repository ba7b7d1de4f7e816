// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

namespace slipway {

/// Exit codes of the scripts of an upload.
enum UploadExit { DamagedExit = 74, BusyExit = 75, ShortExit = 76, UnsafeExit = 77 };

// The programs at the other end of an upload to `path`. Pure.

/// The holder of the part. It says what is there, the complete file if that may be the same, or the
/// part; then it reads orders:
/// - "echo": is answered at once;
/// - "keep": there is nothing to do;
/// - "continue OFFSET": the bytes from there on follow, to the end of the file;
/// - "pieces": makes room for pieces and says "ready";
/// - "append PIECE": one that another session has brought;
/// - "sum SUM": all is there. If it is, the part becomes the file: "complete".
QByteArray uploadScript(const QString& path, qint64 size);

/// A session that brings pieces: each is announced by its number and its size in a line, and "end"
/// follows it in another. It is named again when it is there.
QByteArray pieceScript(const QString& path);

} // namespace slipway
