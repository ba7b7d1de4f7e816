// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

namespace slipway {

/// The folder for what the programs of one person share on this computer while it runs: sockets and
/// small files. $XDG_RUNTIME_DIR/slipway, else a folder for this computer below the state folder.
/// It is made if necessary. ErrorKind::Refused: others could write there, so it is not used.
Result<QString> runtimeFolder();

/// Whether a folder is this person's alone: a real folder, owned by them, with mode 0700.
Result<void> checkPrivateFolder(const QString& path);

} // namespace slipway
