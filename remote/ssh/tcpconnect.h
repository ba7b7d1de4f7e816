// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/sshconfig.h"

namespace slipway {

/// Opens the TCP connection to a target: asks the name service off to the side (it cannot be
/// interrupted), then tries the addresses as RFC 8305 says, so that a dead IPv6 costs a quarter of
/// a second. The socket is non-blocking, without Nagle's delay, and gives up a silent peer by
/// itself. Called on the worker; stops early when the gate is told to.
Result<Fd> connectTcp(const ResolvedTarget& target, LinkGate& gate);

} // namespace slipway
