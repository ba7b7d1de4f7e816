// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/sshconfig.h"

namespace slipway {

/// Opens the TCP connection to a target: resolves the name on another thread (it cannot be
/// interrupted), then tries the addresses according to RFC 8305, so that a broken IPv6 costs only a
/// quarter of a second. The socket is non-blocking, without Nagle's delay, and detects a silent
/// peer by itself. Called on the worker; stops early when the gate is stopped.
Result<Fd> connectTcp(const ResolvedTarget& target, LinkGate& gate);

} // namespace slipway
