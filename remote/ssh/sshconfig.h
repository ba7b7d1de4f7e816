// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/connector.h"
#include "remote/ssh/resolvedtarget.h"

#include <QCoroTask>

#include <chrono>

namespace slipway {

/// Parses the output of `ssh -G` into a target. Pure: `home` replaces "~". `defaults` is the same
/// without the person's file, as ignoredOptions() needs it.
ResolvedTarget parseSshConfig(
    const QByteArray& text, const QString& home, const QByteArray& defaults = {});

/// Reads the user's own configuration with `ssh -G`, as in a terminal; without ssh installed, with
/// libssh's parser. `configFile` (tests) replaces ~/.ssh/config. ErrorKind::Timeout when ssh has
/// not answered after `timeout`; it and its child processes are ended. GUI thread, non-blocking.
QCoro::Task<Result<ResolvedTarget>> resolveTarget(ConnectTarget target, QString configFile = {},
    std::chrono::milliseconds timeout = std::chrono::seconds(10));

} // namespace slipway
