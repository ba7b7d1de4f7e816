// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/promptproxy.h"
#include "remote/ssh/route.h"
#include "remote/ssh/sshconfig.h"

#include <memory>

namespace slipway {

/// An authenticated session and what it runs over, which must outlive it.
struct Connection {
    std::unique_ptr<Route> route;
    SessionHandle session;
};

/// Connects to a target and logs in: directly, through its jump hosts one after the other, each
/// with its own name, host key, prompts and login, or over its ProxyCommand, which is shown before
/// it runs for the first time. Called on the worker; returns soon after the gate was stopped.
Result<Connection> connectAndLogIn(
    const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy);

} // namespace slipway
