// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/sshconfig.h"

#include <QCoroTask>

#include <vector>

namespace slipway {

inline constexpr int mostHops = 8;

/// Parses one jump host of a ProxyJump: [USER@]HOST[:PORT], an IPv6 address in brackets, or
/// ssh://[USER@]HOST[:PORT]. Pure.
Result<ConnectTarget> hopFromText(const QString& text);

/// The jump hosts on the way to `target`, in the order of connecting, each with its own SSH
/// configuration. As with OpenSSH, the jump hosts of a jump host's own configuration count for the
/// first one only; the others are reached through the one before. ErrorKind::Invalid: a loop, or
/// more than `mostHops`. `asked` is the target as the caller gave it: its known_hosts file and
/// whether the configuration is read hold for the hops too. GUI thread, non-blocking.
QCoro::Task<Result<std::vector<ResolvedTarget>>> resolveHops(
    ResolvedTarget target, ConnectTarget asked, QString configFile = {});

} // namespace slipway
