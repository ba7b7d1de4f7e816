// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/sshconnector.h"
#include "tests/support/awaited.h"
#include "tests/support/listprompter.h"
#include "tests/support/sshdfixture.h"

namespace slipway {

/// A target for the fixture's server that knows nothing of the account's own ~/.ssh.
inline ConnectTarget targetOf(const SshdFixture& sshd)
{
    return {QStringLiteral("127.0.0.1"), sshd.port(), sshd.user(), sshd.userKey(),
        sshd.knownHosts(), false};
}

inline Result<std::shared_ptr<Shell>> connectWith(
    const ConnectTarget& target, ListPrompter& prompter, SshConnector::Settings settings = {})
{
    SshConnector connector(std::move(settings));
    return awaited(connector.connectTo(target, &prompter));
}

/// A shell at the fixture's server, or null after a message.
inline std::shared_ptr<Shell> connected(
    const SshdFixture& sshd, SshConnector::Settings settings = {}, int port = 0)
{
    ListPrompter prompter;
    prompter.accept = true;
    auto target = targetOf(sshd);
    if (port)
        target.port = port;
    auto shell = connectWith(target, prompter, std::move(settings));
    if (!shell.ok())
        qWarning("%s", qPrintable(shell.error().text()));
    return shell.ok() ? *shell : nullptr;
}

} // namespace slipway
